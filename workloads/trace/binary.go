package trace

import (
	"fmt"
	"io"
	"strings"
)

// A fixedReader reads records of one size.
type fixedReader struct {
	src    *Source
	header Header
	size   int
	// parse decodes records from bytes. It returns the error and its byte; "" for none.
	parse func(b []byte, out []Record) (n int, msg string, at int)
	// one is parse of formats of one record each, into its place; nil: there are more
	one func(b []byte, r *Record) (msg string, at int)
	// batch reads as many records as there are, up to one that is wrong; nil: records have
	// more than a AddressBatch has room for
	batch func(b []byte, l *AddressBatch)

	out   [maxPerFixed]Record
	n, at int
	off   int64 // of the next record of the file

	ahead    []byte // of the source's buffer: records not read yet
	peeked   int    // bytes that it began with
	aheadErr error  // why there are not more
	err      error
}

// single is parse of a format of one record each.
func single(one func(b []byte, r *Record) (msg string, at int)) func(b []byte, out []Record) (n int, msg string, at int) {
	return func(b []byte, out []Record) (n int, msg string, at int) {
		if msg, at = one(b, &out[0]); msg != "" {
			return 0, msg, at
		}
		return 1, "", 0
	}
}

// maxPerFixed is the most records that one of a file stands for: the memory
// operands of a ChampSim instruction.
const maxPerFixed = 6

func (f *fixedReader) Header() *Header { return &f.header }

func (f *fixedReader) Pos() Pos { return Pos{Offset: max(f.off-int64(f.size), 0)} }

func (f *fixedReader) Next(r *Record) error {
	if f.one != nil && len(f.ahead) >= f.size && f.err == nil { // most of the time
		if msg, at := f.one(f.ahead[:f.size], r); msg != "" {
			f.err = &Error{File: f.src.Name, Pos: Pos{Offset: f.off + int64(at)}, Msg: msg}
			return f.err
		}
		f.ahead = f.ahead[f.size:]
		f.off += int64(f.size)
		return nil
	}
	if f.at >= f.n && len(f.ahead) >= f.size && f.err == nil {
		n, msg, at := f.parse(f.ahead[:f.size], f.out[:])
		if msg != "" {
			f.err = &Error{File: f.src.Name, Pos: Pos{Offset: f.off + int64(at)}, Msg: msg}
			f.n, f.at = 0, 0
			return f.err
		}
		f.ahead = f.ahead[f.size:]
		f.off += int64(f.size)
		if f.n, f.at = n, 1; n == 1 {
			*r = f.out[0]
			return nil
		}
		f.at = 0
	}
	for f.at >= f.n {
		if f.err != nil {
			return f.err
		}
		f.n, f.at = 0, 0
		if len(f.ahead) < f.size {
			f.look()
		}
		b, err := f.ahead, f.aheadErr
		if len(b) >= f.size {
			b, err = b[:f.size], nil
		}
		switch {
		case err == io.EOF && len(b) == 0:
			f.err = err
			continue
		case err == io.EOF:
			f.err = &Error{File: f.src.Name, Pos: Pos{Offset: f.off}, Err: io.ErrUnexpectedEOF,
				Msg: fmt.Sprintf("the trace is cut off: %d bytes of a record of %d", len(b), f.size)}
			continue
		case err != nil:
			f.err = f.src.broken(err, Pos{Offset: f.off + int64(len(b))})
			continue
		}
		n, msg, at := f.parse(b, f.out[:])
		if msg != "" {
			f.err = &Error{File: f.src.Name, Pos: Pos{Offset: f.off + int64(at)}, Msg: msg}
			continue
		}
		f.n = n
		f.off += int64(f.size)
		f.ahead = f.ahead[f.size:]
	}
	*r = f.out[f.at]
	f.at++
	return nil
}

// Batch implements Batcher.
func (f *fixedReader) Batch(l *AddressBatch, most uint64) {
	l.N, l.At = 0, 0
	if f.batch == nil || f.at < f.n || f.err != nil {
		return
	}
	if len(f.ahead) < f.size {
		f.look()
	}
	b := f.ahead
	if n := uint64(f.size) * min(most, uint64(len(l.Addr))); uint64(len(b)) > n {
		b = b[:n]
	}
	f.batch(b, l)
	f.ahead = f.ahead[l.N*f.size:]
	f.off += int64(l.N * f.size)
}

// Before implements Batcher.
func (f *fixedReader) Before(n int) Pos {
	return Pos{Offset: max(f.off-int64((n+1)*f.size), 0)}
}

// look makes the whole records that the source holds, one at least, those to be read.
func (f *fixedReader) look() {
	r := f.src.r
	_, _ = r.Discard(f.peeked - len(f.ahead)) // they were peeked at
	f.ahead, f.aheadErr = r.Peek(f.size)
	if n := r.Buffered() / f.size * f.size; n > f.size {
		f.ahead, f.aheadErr = r.Peek(n)
	}
	f.peeked = len(f.ahead)
}

// plausible is how sure a format without a magic number is whose records all
// have values that make sense. A whole file should hold whole records, and the
// name counts too.
func plausible(head []byte, whole bool, size int, name string, words ...string) int {
	score := 60
	if whole && len(head)%size != 0 {
		score -= 30
	}
	for _, w := range words {
		if strings.Contains(name, w) {
			return score + 20
		}
	}
	return score
}
