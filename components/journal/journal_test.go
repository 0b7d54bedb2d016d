package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/build"
)

var one = build.Info{Version: "1", ID: "x/one"}

func open(t *testing.T, dir string) *Folder {
	f, err := Open(dir, "complete")
	require.NoError(t, err)
	return f
}

func join(t *testing.T, dir string) (*Folder, *Writer) {
	f := open(t, dir)
	w, err := f.Join(one)
	require.NoError(t, err)
	return f, w
}

// die leaves the folder as a process that was killed does.
func (w *Writer) die() {
	close(w.stop)
	_ = w.file.Close()
	_ = w.lock.Close()
}

// A process that opens a folder finds the entries of others, and their builds.
func TestEntriesStand(t *testing.T) {
	dir := t.TempDir()
	_, w := join(t, dir)
	require.NoError(t, w.Record(Entry{Identity: "a", Index: 1, Status: "failed", Error: "no"}))
	require.NoError(t, w.Record(Entry{Identity: "b", Index: 2, Status: "complete"}))
	require.NoError(t, w.Leave(false))
	f, v := join(t, dir)
	require.NoError(t, v.Record(Entry{Identity: "a", Index: 1, Status: "complete"}))
	require.NoError(t, v.Record(Entry{Identity: "b", Index: 2, Status: "failed"}), "does not replace a complete one")
	require.NoError(t, v.Leave(true))
	for _, f := range []*Folder{f, open(t, dir)} {
		for _, id := range []string{"a", "b"} {
			e, ok := f.Lookup(id)
			require.True(t, ok)
			require.Equal(t, "complete", e.Status)
		}
		require.Equal(t, []build.Info{one}, f.Builds())
		require.Empty(t, f.Warnings())
	}
	require.NoDirExists(t, filepath.Join(dir, "claims"))
	left, err := filepath.Glob(filepath.Join(dir, "journal", "*.lock"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// What a point has found is read from where it stands, by its writer and by others, and
// is not kept in memory. A line that could not be written whole is taken back.
func TestResults(t *testing.T) {
	dir := t.TempDir()
	f, w := join(t, dir)
	for _, id := range []string{"a", "b"} {
		require.NoError(t, w.Record(Entry{Identity: id, Status: "complete", Result: []byte(`["` + id + `"]`)}))
	}
	require.NoError(t, w.Record(Entry{Identity: "c", Status: "failed"}))
	for _, f := range []*Folder{f, open(t, dir)} {
		for _, id := range []string{"a", "b"} {
			e, ok := f.Lookup(id)
			require.True(t, ok)
			require.Nil(t, e.Result)
			require.True(t, e.Found())
			b, err := f.Result(e)
			require.NoError(t, err)
			require.Equal(t, `["`+id+`"]`, string(b))
		}
		e, _ := f.Lookup("c")
		require.False(t, e.Found())
		f.Close()
	}
	require.NoError(t, f.Refresh(), "its own lines are not read again")
	require.NoError(t, w.Leave(true))
}

// Many writers share the points: each is done once. With and without links.
func TestNothingIsDoneTwice(t *testing.T) {
	for _, links := range []bool{true, false} {
		t.Run(fmt.Sprint("links ", links), func(t *testing.T) {
			useLinks = links
			defer func() { useLinks = true }()
			const writers, points = 5, 200
			dir := t.TempDir()
			var mu sync.Mutex
			by := map[string]int{}
			var wg sync.WaitGroup
			for range writers {
				f, w := join(t, dir)
				wg.Go(func() {
					for i := range points {
						id := fmt.Sprint("p", i)
						// Claim and TryClaim tell what was recorded since the folder was opened,
						// Lookup what stood in it: a writer that joins late asks for both.
						if _, stands := f.Lookup(id); stands {
							continue
						}
						mine, err := w.TryClaim(id)
						if err != nil {
							t.Error(err)
						}
						if mine {
							mu.Lock()
							by[id]++
							mu.Unlock()
							if err := w.Record(Entry{Identity: id, Status: "complete"}); err != nil {
								t.Error(err)
							}
						}
					}
					if err := w.Leave(true); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			require.Len(t, by, points)
			for id, n := range by {
				require.Equal(t, 1, n, id)
			}
			require.NoDirExists(t, filepath.Join(dir, "claims"), "the last to leave clears up")
		})
	}
}

// A claim is a name of its writer's signature, and says whose it is when the writer has
// left. Where a file has as many names as it may, and of an earlier version, it says so too.
func TestClaimsNameTheirOwner(t *testing.T) {
	dir := t.TempDir()
	f, w := join(t, dir)
	mine, err := w.TryClaim("linked")
	require.NoError(t, err)
	require.True(t, mine)
	sign, err := os.Stat(f.signPath(w.name))
	require.NoError(t, err)
	claim, err := os.Stat(f.claimPath("linked", 1))
	require.NoError(t, err)
	require.True(t, os.SameFile(sign, claim), "a claim takes no file of its own")
	useLinks = false
	mine, err = w.TryClaim("written")
	useLinks = true
	require.NoError(t, err)
	require.True(t, mine)
	require.NoError(t, os.Symlink(w.name, f.claimPath("earlier", 1)))
	require.NoError(t, w.Leave(false))
	require.NoFileExists(t, f.signPath(w.name))
	_, v := join(t, dir)
	for _, id := range []string{"linked", "written", "earlier"} {
		owner, err := v.claim(f.claimPath(id, 1))
		require.NoError(t, err)
		require.Equal(t, w.name, owner, id)
		c, _, err := v.Claim(id)
		require.NoError(t, err)
		require.Equal(t, Mine, c, "its owner has left without it")
	}
}

// Who opens the folder while others work and comes to it when they have left and cleared
// up does nothing again: neither if it joins after that, nor if it joins unseen before.
func TestLateWriter(t *testing.T) {
	for _, before := range []bool{true, false} {
		dir := t.TempDir()
		late, err := Open(dir, "complete")
		require.NoError(t, err)
		_, first := join(t, dir)
		mine, err := first.TryClaim("p")
		require.NoError(t, err)
		require.True(t, mine)
		require.NoError(t, first.Record(Entry{Identity: "p", Status: "complete"}))
		var w *Writer
		if before {
			w, err = late.Join(build.Info{})
			require.NoError(t, err)
			require.NoError(t, os.Rename(late.lockPath(w.name), late.lockPath(w.name)+".hidden"))
		}
		require.NoError(t, first.Leave(true))
		require.NoDirExists(t, filepath.Join(dir, "claims"))
		if before {
			require.NoError(t, os.Rename(late.lockPath(w.name)+".hidden", late.lockPath(w.name)))
		} else {
			w, err = late.Join(build.Info{})
			require.NoError(t, err)
		}
		mine, err = w.TryClaim("p")
		require.NoError(t, err)
		require.False(t, mine)
		c, e, err := w.Claim("p")
		require.NoError(t, err)
		require.Equal(t, Done, c)
		require.Equal(t, "complete", e.Status)
		c, _, err = w.Claim("q")
		require.NoError(t, err)
		require.Equal(t, Mine, c)
		require.NoError(t, w.Leave(true))
		left, err := filepath.Glob(filepath.Join(dir, "claims*"))
		require.NoError(t, err)
		require.Empty(t, left)
	}
}

// The claim of a writer that died is taken over, once; that of one that lives is
// not; what it had done stands.
func TestTakeOver(t *testing.T) {
	dir := t.TempDir()
	_, dead := join(t, dir)
	_, alive := join(t, dir)
	f, w := join(t, dir)
	for _, c := range []struct {
		by *Writer
		id string
	}{{dead, "under way"}, {dead, "done"}, {alive, "held"}} {
		mine, err := c.by.TryClaim(c.id)
		require.NoError(t, err)
		require.True(t, mine)
	}
	require.NoError(t, dead.Record(Entry{Identity: "done", Status: "failed"}))
	got, _, err := w.Claim("under way")
	require.NoError(t, err)
	require.Equal(t, Held, got)
	dead.die()
	want := map[string]Claim{"under way": Mine, "done": Done, "held": Held}
	for id, c := range want {
		mine, err := w.TryClaim(id)
		require.NoError(t, err)
		require.False(t, mine, id)
		got, e, err := w.Claim(id)
		require.NoError(t, err)
		require.Equal(t, c, got, id)
		if c == Done {
			require.Equal(t, "failed", e.Status)
		}
	}
	got, _, err = alive.Claim("under way")
	require.NoError(t, err)
	require.Equal(t, Held, got, "the second generation has an owner that lives")
	h, busy := f.Busy(w.Name())
	require.True(t, busy)
	require.Equal(t, os.Getpid(), h.PID)
	require.ErrorContains(t, f.Clear(), fmt.Sprintf("process %d of", os.Getpid()))
	require.NoError(t, alive.Leave(false))
	require.NoError(t, w.Leave(false))
	require.NoError(t, f.Clear())
	require.Empty(t, open(t, dir).Builds())
}

// A failure recorded before the folder was opened does not end a new attempt.
func TestOldFailureCanBeRetried(t *testing.T) {
	dir := t.TempDir()
	_, dead := join(t, dir)
	_, err := dead.TryClaim("a")
	require.NoError(t, err)
	require.NoError(t, dead.Record(Entry{Identity: "a", Status: "failed"}))
	dead.die()
	_, w := join(t, dir)
	got, _, err := w.Claim("a")
	require.NoError(t, err)
	require.Equal(t, Mine, got)
}

// The last line of a writer that was killed is cut off, with a word; that of one
// that lives is left to it.
func TestTornLine(t *testing.T) {
	dir := t.TempDir()
	_, w := join(t, dir)
	require.NoError(t, w.Record(Entry{Identity: "a", Status: "complete"}))
	_, err := w.file.WriteString(`{"identity":"b`)
	require.NoError(t, err)
	require.Empty(t, open(t, dir).Warnings())
	w.die()
	f := open(t, dir)
	path := filepath.Join(dir, "journal", w.Name()+".jsonl")
	require.Equal(t, []string{path + ": line 3 is torn (14 bytes): its writer was stopped in the middle; cut off"}, f.Warnings())
	_, ok := f.Lookup("a")
	require.True(t, ok)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(string(b), "\"complete\"}\n"), string(b))
	require.Empty(t, open(t, dir).Warnings())
}

// Where locks say nothing, a writer is alive while its file changes.
func TestHeartbeat(t *testing.T) {
	defer func(d time.Duration) { deadAfter = d }(deadAfter)
	deadAfter = 50 * time.Millisecond
	dir := t.TempDir()
	_, w := join(t, dir)
	f := open(t, dir)
	f.logs[w.Name()].header.Machine = "another"
	beating := func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.alive(w.Name())
	}
	require.True(t, beating())
	time.Sleep(2 * deadAfter)
	require.NoError(t, os.Chtimes(f.lockPath(w.Name()), time.Now(), time.Now().Add(-time.Hour)), "by a clock that is wrong")
	require.True(t, beating())
	time.Sleep(2 * deadAfter)
	require.False(t, beating())
	require.NoError(t, w.Leave(false))
}

// A whole line that is no entry is set aside with a warning that names it, and every other
// entry of the journal counts. The warning says what becomes of its point.
func TestBrokenLine(t *testing.T) {
	dir := t.TempDir()
	_, w := join(t, dir)
	for i, id := range []string{"aa", "bb", "cc", "dd"} {
		require.NoError(t, w.Record(Entry{Identity: id, Index: i, Status: "complete", Result: []byte("[1]")}))
	}
	require.NoError(t, w.Leave(false))
	path := filepath.Join(dir, "journal", w.Name()+".jsonl")
	src, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(src), "\n")
	lines[2] = strings.Replace(lines[2], `"complete"`, `"compl\x00\x00"`, 1) // bb
	lines[3] = "\x00\x00\x00\n"                                              // cc, nothing left
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644))

	f := open(t, dir)
	for id, want := range map[string]bool{"aa": true, "bb": false, "cc": false, "dd": true} {
		_, ok := f.Lookup(id)
		require.Equal(t, want, ok, id)
	}
	e, _ := f.Lookup("dd")
	b, err := f.Result(e)
	require.NoError(t, err, "offsets behind a broken line hold")
	require.Equal(t, "[1]", string(b))
	require.Equal(t, []string{
		path + ":3: is no journal entry, and was set aside; point 1, which it held, is run again by the next sweep or resume",
		path + ":4: is no journal entry, and was set aside; the point that it held is run again by the next sweep or resume, unless another line holds it",
	}, f.Warnings())

	f, v := join(t, dir)
	c, _, err := v.Claim("bb")
	require.NoError(t, err)
	require.Equal(t, Mine, c, "its point is done again")
	require.NoError(t, v.Record(Entry{Identity: "bb", Index: 1, Status: "complete"}))
	require.Contains(t, f.Warnings()[0], "point 1, which it held, is complete by another entry")
	require.NoError(t, v.Leave(false))
}

// A broken header leaves the build of a journal unknown, and its entries count.
func TestBrokenHeader(t *testing.T) {
	dir := t.TempDir()
	_, w := join(t, dir)
	require.NoError(t, w.Record(Entry{Identity: "a", Status: "complete"}))
	require.NoError(t, w.Leave(false))
	path := filepath.Join(dir, "journal", w.Name()+".jsonl")
	src, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append([]byte("hello "), src...), 0o644))
	f := open(t, dir)
	_, ok := f.Lookup("a")
	require.True(t, ok)
	require.Equal(t, []build.Info{{Version: "an older version", ID: "unknown"}}, f.Builds())
	require.Equal(t, []string{path + ":1: is no journal entry, and was set aside; it should name the build that wrote this journal, which is unknown now"}, f.Warnings())
}

// A journal of another version is refused: its lines may mean something else.
func TestForeignSchema(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "journal", "w.jsonl")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(`{"schema":"causeway-journal/9"}`+"\n"), 0o644))
	_, err := Open(dir, "complete")
	require.EqualError(t, err, path+`:1: is a journal of schema "causeway-journal/9" (want "causeway-journal/1")`)
}

// The one journal of earlier versions has no header.
func TestOldJournal(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "journal.jsonl")
	require.NoError(t, os.WriteFile(path, []byte("{\"identity\":\"a\",\"status\":\"complete\"}\n"), 0o644))
	require.Equal(t, []build.Info{{Version: "an older version", ID: "unknown"}}, open(t, dir).Builds())
}
