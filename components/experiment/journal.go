package experiment

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
)

// An Entry is one line of a journal: what became of one point.
type Entry struct {
	Identity string `json:"identity"`
	Index    int    `json:"index"`
	Status   Status `json:"status"`
	Error    string `json:"error,omitempty"`
}

// A Journal is an append-only record of a sweep. Every line is written by one
// call, so that a process killed at any time leaves at most its last line torn;
// a torn last line is dropped on reading.
type Journal struct {
	mu sync.Mutex
	f  *os.File
}

// OpenJournal opens the journal at path, making it if it is new, and returns
// what it holds. Later lines of a point come after earlier ones.
func OpenJournal(path string) (*Journal, []Entry, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	entries, good, err := readJournal(f)
	if err == nil {
		err = f.Truncate(good)
	}
	if err == nil {
		_, err = f.Seek(good, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Journal{f: f}, entries, nil
}

// readJournal returns the whole lines and the offset behind the last of them. A
// broken line that is not the last is an error: something else has written here.
func readJournal(r io.Reader) (entries []Entry, good int64, err error) {
	b := bufio.NewReader(r)
	for line := 1; ; line++ {
		s, err := b.ReadBytes('\n')
		if err == io.EOF {
			return entries, good, nil // s, if any, is torn
		}
		if err != nil {
			return nil, 0, err
		}
		var e Entry
		if err := json.Unmarshal(bytes.TrimSpace(s), &e); err != nil || e.Identity == "" {
			return nil, 0, fmt.Errorf("line %d is no journal entry", line)
		}
		entries, good = append(entries, e), good+int64(len(s))
	}
}

// Append adds a line.
func (j *Journal) Append(e Entry) error {
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	_, err = j.f.Write(append(b, '\n'))
	return err
}

// Close flushes the journal to the disk and closes it.
func (j *Journal) Close() error {
	err := j.f.Sync()
	if e := j.f.Close(); err == nil {
		err = e
	}
	return err
}
