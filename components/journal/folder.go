package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/causeway-sim/causeway/components/build"
)

// Schema names the layout of a journal.
const Schema = "causeway-journal/1"

// An Entry is the outcome of one point.
type Entry struct {
	Identity string `json:"identity"`
	Index    int    `json:"index"` // in the grid of its writer
	Status   string `json:"status"`
	Error    string `json:"error,omitempty"`
	// Result is the result of the point. Lookup leaves it empty; Folder.Result reads it.
	Result json.RawMessage `json:"result,omitempty"`

	Writer string `json:"-"` // name of the writer
	line   span
}

// A span is where a line stands in a journal; bytes is 0 where it has no result.
type span struct {
	from  int64
	bytes int
}

// A Header is the first line of a journal.
type Header struct {
	Schema  string     `json:"schema"`
	Build   build.Info `json:"build"`
	Host    string     `json:"host"`
	PID     int        `json:"pid"`
	Machine string     `json:"machine"` // equal for processes that see each other's locks
	Locks   bool       `json:"locks"`   // the folder's file system has locks
	Started string     `json:"started"` // RFC 3339
}

// A Folder holds the entries of all writers, as of the last Refresh. Several goroutines may use
// it.
type Folder struct {
	dir     string
	done    string // status of an entry that no other replaces
	mu      sync.Mutex
	logs    map[string]*log
	entries map[string]Entry // by identity
	beats   map[string]beat
	torn    []string
	broken  []broken
}

// A log is one journal, read up to offset.
type log struct {
	name, path string
	header     Header // zero for a journal of an older version
	offset     int64
	lines      int
	fresh      map[string]Entry // recorded since the folder was opened
	file       *os.File         // open while results are read, else nil
}

// Open reads the journals in dir, which may be empty or not exist. An entry of status done wins
// over the other entries of its point; otherwise the latest wins.
func Open(dir, done string) (*Folder, error) {
	f := &Folder{dir: dir, done: done, logs: map[string]*log{}, entries: map[string]Entry{}, beats: map[string]beat{}}
	if err := f.Refresh(); err != nil {
		return nil, err
	}
	for _, l := range f.logs {
		l.fresh = map[string]Entry{}
	}
	return f, nil
}

func (f *Folder) journals() string { return filepath.Join(f.dir, "journal") }

func (f *Folder) claims() string { return filepath.Join(f.dir, "claims") }

// oldJournal is the path of the single journal of earlier versions, which does not contain the
// build.
const oldJournal = "journal.jsonl"

// Refresh reads the entries that writers have added since the last call.
func (f *Folder) Refresh() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.refresh()
}

func (f *Folder) refresh() error {
	names, err := os.ReadDir(f.journals())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	paths := []string{filepath.Join(f.dir, oldJournal)}
	for _, n := range names {
		if strings.HasSuffix(n.Name(), ".jsonl") {
			paths = append(paths, filepath.Join(f.journals(), n.Name()))
		}
	}
	for _, p := range paths {
		if err := f.read(p); err != nil {
			return err
		}
	}
	return nil
}

// read reads the rest of one journal.
func (f *Folder) read(path string) error {
	name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	b, err := f.tail(name, path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(b) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	l := f.logs[name]
	if l == nil {
		l = &log{name: name, path: path, fresh: map[string]Entry{}}
		f.logs[name] = l
	}
	for len(b) > 0 {
		line, rest, whole := bytes.Cut(b, []byte("\n"))
		if !whole {
			return f.tornLine(l, len(line))
		}
		if err := f.line(l, line); err != nil {
			return err
		}
		l.lines++
		l.offset += int64(len(line)) + 1
		b = rest
	}
	return nil
}

// tail is what has been added to a file since the last reading.
func (f *Folder) tail(name, path string) ([]byte, error) {
	file, err := os.Open(path) // anew each time: shared file systems promise fresh data only then
	if err != nil {
		return nil, err
	}
	defer file.Close()
	from := int64(0)
	if l := f.logs[name]; l != nil {
		from = l.offset
	}
	st, err := file.Stat()
	if err != nil || st.Size() <= from {
		return nil, err
	}
	b := make([]byte, st.Size()-from)
	n, err := file.ReadAt(b, from)
	if n == len(b) {
		err = nil
	}
	return b[:n], err
}

// line reads one complete line: the header, an entry, or a broken line, which is moved aside.
func (f *Folder) line(l *log, line []byte) error {
	if l.wantsHeader() {
		if ok, err := l.readHeader(line); ok || err != nil {
			return err
		}
	}
	var e Entry
	if err := json.Unmarshal(line, &e); err != nil || e.Identity == "" {
		f.setAside(l, line)
		return nil
	}
	f.note(l, e, len(line))
	return nil
}

// note adds an entry at the end of the known part of a journal.
func (f *Folder) note(l *log, e Entry, bytes int) {
	e.Writer = l.name
	if e.Result != nil {
		e.line, e.Result = span{l.offset, bytes}, nil
	}
	l.fresh[e.Identity] = e
	if old, ok := f.entries[e.Identity]; !ok || old.Status != f.done {
		f.entries[e.Identity] = e
	}
}

// Found reports whether the entry has a result.
func (e Entry) Found() bool { return e.line.bytes > 0 }

// Result reads the result of an entry; nil if the entry has none.
func (f *Folder) Result(e Entry) (json.RawMessage, error) {
	if e.line.bytes == 0 {
		return nil, nil
	}
	file, err := f.reader(e.Writer)
	if err != nil {
		return nil, err
	}
	b := make([]byte, e.line.bytes)
	if _, err := file.ReadAt(b, e.line.from); err != nil {
		return nil, fmt.Errorf("%s: %w", file.Name(), err)
	}
	var again Entry
	if err := json.Unmarshal(b, &again); err != nil || again.Identity != e.Identity {
		return nil, fmt.Errorf("%s: has changed since it was read", file.Name())
	}
	return again.Result, nil
}

// reader is the file of a writer, opened once.
func (f *Folder) reader(writer string) (*os.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.logs[writer]
	if l.file == nil {
		var err error
		if l.file, err = os.Open(l.path); err != nil {
			return nil, err
		}
	}
	return l.file, nil
}

// Close closes the files that Result opened. The folder can still be used.
func (f *Folder) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range f.logs {
		if l.file != nil {
			_ = l.file.Close() // only read
			l.file = nil
		}
	}
}

// tornLine cuts off the last line of a writer that is no more; one that is there
// will end it.
func (f *Folder) tornLine(l *log, bytes int) error {
	if f.alive(l.name) {
		return nil
	}
	if err := os.Truncate(l.path, l.offset); err != nil {
		return err
	}
	f.torn = append(f.torn, fmt.Sprintf("%s: line %d is torn (%d bytes): its writer was stopped in the middle; cut off", l.path, l.lines+1, bytes))
	return nil
}

// Lookup returns the entry of a point.
func (f *Folder) Lookup(identity string) (Entry, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	e, ok := f.entries[identity]
	return e, ok
}

// Warnings lists the incomplete lines that were removed and the broken lines that were moved
// aside, with the consequence for their points.
func (f *Folder) Warnings() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := slices.Clone(f.torn)
	for _, b := range f.broken {
		out = append(out, f.warning(b))
	}
	return out
}

// Builds lists the builds whose entries stand, each once, in the order of their
// keys.
func (f *Folder) Builds() []build.Info {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []build.Info
	for _, e := range f.entries {
		b := build.Info{Version: "an older version", ID: "unknown"}
		if l := f.logs[e.Writer]; l.header.Schema != "" {
			b = l.header.Build
		}
		if !slices.ContainsFunc(out, func(o build.Info) bool { return o.Key() == b.Key() }) {
			out = append(out, b)
		}
	}
	slices.SortFunc(out, func(a, b build.Info) int { return strings.Compare(a.Key(), b.Key()) })
	return out
}

// Alive lists the writers that work, in the order of their names.
func (f *Folder) Alive() (out []Header) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(f.logs)) {
		if f.alive(name) {
			out = append(out, f.logs[name].header)
		}
	}
	return out
}

// Busy returns a writer other than but that is alive.
func (f *Folder) Busy(but string) (Header, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range f.logs {
		if l.name != but && f.alive(l.name) {
			return l.header, true
		}
	}
	return Header{}, false
}

// Clear removes journals and claims. It is an error while a writer is alive.
func (f *Folder) Clear() error {
	if h, busy := f.Busy(""); busy {
		return fmt.Errorf("%s: process %d of %s works on it", f.dir, h.PID, h.Host)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range []string{f.claims(), f.journals(), filepath.Join(f.dir, oldJournal)} {
		if err := os.RemoveAll(p); err != nil {
			return err
		}
	}
	f.logs, f.entries, f.torn, f.broken = map[string]*log{}, map[string]Entry{}, nil, nil
	return nil
}

// A beat is when a lock file was last seen to change.
type beat struct {
	mod  time.Time
	seen time.Time // by our clock, which need not agree
}
