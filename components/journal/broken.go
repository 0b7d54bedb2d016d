package journal

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
)

// A broken line is a whole line of a journal that is no entry: a damaged disk, an editor or
// another program has changed it. It is set aside: it counts for nothing, and stays in the
// file as it is.
type broken struct {
	path     string
	line     int
	identity string // of its point, where the line still says it
	index    int    // position of the point in the grid of its writer; -1 where unknown
	header   bool   // the line should have been the header
}

// Fields that a broken line may still have. An entry begins with both.
var (
	identityOf = regexp.MustCompile(`"identity":"([0-9A-Za-z_-]+)"`)
	indexOf    = regexp.MustCompile(`"index":([0-9]+)[,}]`)
)

// setAside notes that the next line of a journal is broken; f.mu is held.
func (f *Folder) setAside(l *log, line []byte) {
	b := broken{path: l.path, line: l.lines + 1, index: -1, header: l.wantsHeader()}
	if m := identityOf.FindSubmatch(line); m != nil {
		b.identity = string(m[1])
	}
	if m := indexOf.FindSubmatch(line); m != nil {
		if n, err := strconv.Atoi(string(m[1])); err == nil {
			b.index = n
		}
	}
	f.broken = append(f.broken, b)
}

// warning says where the line is and what becomes of its point; f.mu is held.
func (f *Folder) warning(b broken) string {
	at := fmt.Sprintf("%s:%d: is no journal entry, and was set aside", b.path, b.line)
	if b.header && b.identity == "" {
		return at + "; it should name the build that wrote this journal, which is unknown now"
	}
	point := "the point that it held"
	if b.index >= 0 {
		point = fmt.Sprintf("point %d, which it held,", b.index)
	}
	if b.identity == "" {
		return fmt.Sprintf("%s; %s is run again by the next sweep or resume, unless another line holds it", at, point)
	}
	if e, ok := f.entries[b.identity]; ok && e.Status == f.done {
		return fmt.Sprintf("%s; %s is complete by another entry", at, point)
	}
	return fmt.Sprintf("%s; %s is run again by the next sweep or resume", at, point)
}

// wantsHeader reports whether the next line of the journal is its header.
func (l *log) wantsHeader() bool { return l.lines == 0 && l.name+".jsonl" != oldJournal }

// readHeader takes the first line in. It is no header where ok is false, and an error where it
// is the header of another program or version.
func (l *log) readHeader(line []byte) (ok bool, err error) {
	var h Header
	if json.Unmarshal(line, &h) != nil || h.Schema == "" {
		return false, nil
	}
	if h.Schema != Schema {
		return false, fmt.Errorf("%s:1: is a journal of schema %q (want %q)", l.path, h.Schema, Schema)
	}
	l.header = h
	return true, nil
}
