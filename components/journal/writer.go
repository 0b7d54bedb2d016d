package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/causeway-sim/causeway/components/build"
)

// A Writer is this process as a worker in a folder. Several goroutines may use it.
type Writer struct {
	folder *Folder
	name   string
	lock   *flock.Flock
	mu     sync.Mutex
	file   *os.File
	stop   chan struct{}
	beats  sync.WaitGroup
}

// Join makes this process a writer of the folder, with its own journal.
func (f *Folder) Join(b build.Info) (*Writer, error) {
	for _, d := range []string{f.journals(), f.claims()} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	host, _ := os.Hostname()
	now := time.Now().UTC()
	name := fmt.Sprintf("%s-%s-%d-%04x", now.Format("20060102T150405.000"), plain(host), os.Getpid(), rand.Uint32()&0xffff)
	w := &Writer{folder: f, name: name, stop: make(chan struct{})}
	// First the lock, then the journal: other writers see none that has no lock yet.
	w.lock = flock.New(f.lockPath(name), flock.SetPermissions(0o644))
	locked, err := w.lock.TryLock()
	if err != nil || !locked {
		file, err := os.OpenFile(f.lockPath(name), os.O_CREATE|os.O_RDONLY, 0o644)
		if err != nil {
			return nil, err
		}
		if err := file.Close(); err != nil {
			return nil, err
		}
	}
	head, err := json.Marshal(Header{
		Schema: Schema, Build: b, Host: host, PID: os.Getpid(), Machine: machine(), Locks: locked, Started: now.Format(time.RFC3339),
	})
	if err == nil {
		err = os.WriteFile(f.signPath(name), []byte(name), 0o644)
	}
	if err == nil {
		w.file, err = os.OpenFile(filepath.Join(f.journals(), name+".jsonl"), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o644)
	}
	if err == nil {
		_, err = w.file.Write(append(head, '\n'))
	}
	if err != nil {
		w.unlock()
		return nil, err
	}
	f.mu.Lock()
	err = f.refresh() // what others have done before they could see this writer
	f.mu.Unlock()
	if err != nil {
		w.unlock()
		return nil, err
	}
	w.beats.Go(w.beat)
	return w, nil
}

// plain is a host's name as part of a file's name.
func plain(host string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, host)
}

// Name is the name of the writer's journal, without its extension.
func (w *Writer) Name() string { return w.name }

// beat touches the lock file now and then.
func (w *Writer) beat() {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-w.stop:
			return
		case now := <-tick.C:
			_ = os.Chtimes(w.folder.lockPath(w.name), now, now) // best effort: others wait for it
		}
	}
}

// Record appends the outcome of a point to the journal in one write, and to the folder.
func (w *Writer) Record(e Entry) error {
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.folder
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.logs[w.name]
	if _, err = w.file.Write(append(b, '\n')); err != nil {
		_ = w.file.Truncate(l.offset) // a full disk may have taken half of it
		return err
	}
	f.note(l, e, len(b))
	l.offset += int64(len(b)) + 1
	l.lines++
	return nil
}

// Leave flushes and closes the journal. The caller sets finished if every point of the sweep has
// an entry: then Leave also removes the claims, unless another writer is alive.
func (w *Writer) Leave(finished bool) error {
	close(w.stop)
	w.beats.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.file.Sync()
	if e := w.file.Close(); err == nil {
		err = e
	}
	// Of several that leave at once, at least the last to unlock sees no other writer.
	w.unlock()
	if e := w.folder.Refresh(); err == nil {
		err = e
	}
	if _, busy := w.folder.Busy(w.name); finished && !busy {
		if e := w.folder.clearClaims(w.name); err == nil {
			err = e
		}
	}
	return err
}

// clearClaims removes the claims at once: who comes while they go finds none of them.
func (f *Folder) clearClaims(name string) error {
	gone := f.claims() + "-" + name
	if err := os.Rename(f.claims(), gone); err != nil {
		if errors.Is(err, fs.ErrNotExist) { // another who left at the same time
			return nil
		}
		return err
	}
	return os.RemoveAll(gone)
}

// unlock takes the sign of life away.
func (w *Writer) unlock() {
	_ = os.Remove(w.folder.signPath(w.name)) // its claims keep what it says
	_ = w.lock.Close()
	// A writer that still finds the file sees that it is unlocked.
	_ = os.Remove(w.folder.lockPath(w.name))
}
