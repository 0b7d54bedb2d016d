package trace

import (
	"bytes"
	"fmt"
	"io"
	"math/bits"
	"strconv"

	"github.com/causeway-sim/causeway/components/registry"
)

// The three kinds of Ramulator 2, and the request lists of Ramulator 1.
func init() {
	source := "H. Luo et al., Ramulator 2.0, IEEE CAL 23(1), 2024; the frontends of its repository"
	All.Add(registry.Entry[Format]{
		Name:   "ramulator_inst",
		Doc:    "Lines of instructions without memory, the address loaded, and optionally one that is written back.",
		Source: source + " (SimpleO3); also the CPU traces of Ramulator 1",
		New: Format{
			Holds: Times | Writes, Tick: Tick{Unit: Instructions},
			Sniff: func(_ string, head []byte, whole bool) int {
				return sniffText(head, whole, new(instLines).parse)
			},
			Open: func(s *Source, _ Options) (Reader, error) {
				return &textReader{src: s, parse: new(instLines).parse, header: Header{Fields: Times | Writes, Tick: Tick{Unit: Instructions}}}, nil
			},
			Create: func(w io.Writer, _ Header) (Writer, error) { return newInstWriter(w), nil },
		},
	})
	loads := func(l *line) {
		w, from := l.token()
		r := Record{Write: l.op(w, from, "LD", "ST")}
		r.Addr = l.number("address", 10)
		l.end()
		l.add(r)
	}
	All.Add(registry.Entry[Format]{
		Name:   "ramulator_loadstore",
		Doc:    "Lines of LD or ST and an address, hexadecimal behind 0x, else decimal.",
		Source: source + " (LoadStoreTrace)",
		New: Format{
			Holds: Writes,
			Sniff: func(_ string, head []byte, whole bool) int { return sniffText(head, whole, loads) },
			Open: func(s *Source, _ Options) (Reader, error) {
				return &textReader{src: s, parse: loads, header: Header{Fields: Writes}}, nil
			},
			Create: func(w io.Writer, _ Header) (Writer, error) {
				return newLineWriter(w, func(b []byte, r *Record) ([]byte, error) {
					if r.Write {
						b = append(b, "ST "...)
					} else {
						b = append(b, "LD "...)
					}
					return hex(b, r.Addr), nil
				}), nil
			},
		},
	})
	All.Add(registry.Entry[Format]{
		Name:   "ramulator_readwrite",
		Doc:    "Lines of R or W and an address vector: channel, rank, bank group, bank, row, column.",
		Source: source + " (ReadWriteTrace)",
		New: Format{
			Holds: Writes, Vectors: true,
			Sniff: func(_ string, head []byte, whole bool) int {
				return sniffText(head, whole, (&vectors{}).parse)
			},
			Open: func(s *Source, o Options) (Reader, error) {
				v := &vectors{levels: o.Levels, line: o.line()}
				if err := v.check(); err != nil {
					return nil, &Error{File: s.Name, Pos: Pos{Offset: -1}, Msg: err.Error()}
				}
				return &textReader{src: s, parse: v.parse, header: Header{Fields: Writes, Line: o.line()}}, nil
			},
			Create: func(w io.Writer, h Header) (Writer, error) {
				v := &vectors{line: h.Line}
				if v.line == 0 {
					v.line = 64
				}
				return newLineWriter(w, v.format), nil
			},
		},
	})
	requests := func(l *line) {
		w, from := l.token()
		r := Record{Addr: l.numberOf(w, from, "hexadecimal address", 16)}
		if len(w) < 3 || w[0] != '0' || w[1]|0x20 != 'x' {
			l.fail(from, nil, "%q is no address behind 0x", short(w))
		}
		w, from = l.token()
		r.Write = l.op(w, from, "R", "W")
		l.end()
		l.add(r)
	}
	All.Add(registry.Entry[Format]{
		Name:   "ramulator1",
		Doc:    "Lines of an address behind 0x, and R or W.",
		Source: "Y. Kim, W. Yang, O. Mutlu, Ramulator, IEEE CAL 15(1), 2016; its DRAM traces",
		New: Format{
			Holds: Writes,
			Sniff: func(_ string, head []byte, whole bool) int { return sniffText(head, whole, requests) },
			Open: func(s *Source, _ Options) (Reader, error) {
				return &textReader{src: s, parse: requests, header: Header{Fields: Writes}}, nil
			},
			Create: func(w io.Writer, _ Header) (Writer, error) {
				return newLineWriter(w, func(b []byte, r *Record) ([]byte, error) {
					return append(hex(b, r.Addr), ' ', letter(r.Write)), nil
				}), nil
			},
		},
	})
}

// instLines counts instructions: those without memory, then the one that loads.
type instLines struct{ now uint64 }

func (t *instLines) parse(l *line) {
	bubbles := l.number("count of instructions", 10)
	if t.now+bubbles+1 <= t.now {
		l.fail(0, nil, "the count of instructions passes 2^64")
	}
	t.now += bubbles
	l.add(Record{Time: t.now, Addr: l.number("address", 10)})
	if w, from := l.token(); w != nil {
		l.add(Record{Time: t.now, Addr: l.numberOf(w, from, "address", 10), Write: true})
		l.end()
	}
	t.now++
}

// An instWriter keeps a load until it is known whether a write-back of the same
// instruction follows.
type instWriter struct {
	*lineWriter
	held *Record
	load Record
	next uint64 // instruction
}

func newInstWriter(w io.Writer) *instWriter {
	t := &instWriter{}
	t.lineWriter = newLineWriter(w, t.format)
	return t
}

func (t *instWriter) Write(r *Record) error {
	if r.Write {
		if t.held == nil || t.held.Time != r.Time {
			return fmt.Errorf("the write to %#x has no load of the same instruction, which this format needs", r.Addr)
		}
		t.held = nil
		return t.lineWriter.Write(r)
	}
	if err := t.flush(); err != nil {
		return err
	}
	t.load, t.held = *r, &t.load
	return nil
}

func (t *instWriter) flush() error {
	if t.held == nil {
		return nil
	}
	t.held = nil
	return t.lineWriter.Write(&t.load)
}

// format prints the load that was held, and r after it if it is a write.
func (t *instWriter) format(b []byte, r *Record) ([]byte, error) {
	bubbles := uint64(0)
	if t.load.Time > t.next {
		bubbles = t.load.Time - t.next
	}
	t.next += bubbles + 1
	b = append(strconv.AppendUint(b, bubbles, 10), ' ')
	b = strconv.AppendUint(b, t.load.Addr, 10)
	if r.Write {
		b = strconv.AppendUint(append(b, ' '), r.Addr, 10)
	}
	return b, nil
}

func (t *instWriter) Close() error {
	if err := t.flush(); err != nil {
		return err
	}
	return t.lineWriter.Close()
}

// vectors turns address vectors into addresses: a number of mixed radix with the
// column last, times the bytes of a burst.
type vectors struct {
	levels []uint64 // nil: rows of 18 bits, columns of 11, all others of 4
	line   uint64
}

// widths of the levels where none are given.
//
// assumption: wider than any standard, so that every vector has an address of
// its own; levels: says what a device really has.
const (
	rowBits    = 18
	columnBits = 11
	otherBits  = 4
)

func (v *vectors) size(i, n int) uint64 {
	switch {
	case v.levels != nil:
		return v.levels[i]
	case i == n-1:
		return 1 << columnBits
	case i == n-2:
		return 1 << rowBits
	}
	return 1 << otherBits
}

func (v *vectors) check() error {
	all := max(v.line, 1)
	for _, n := range v.levels {
		hi, lo := bits.Mul64(all, n)
		if n == 0 || hi != 0 {
			return fmt.Errorf("levels %v: each is at least 1, and together with the %d bytes of a burst below 2^64", v.levels, v.line)
		}
		all = lo
	}
	return nil
}

// maxLevels is the most that a vector has; Ramulator's deepest standards have 7.
const maxLevels = 8

func (v *vectors) parse(l *line) {
	w, from := l.token()
	r := Record{Write: l.op(w, from, "R", "W")}
	w, from = l.token()
	n := bytes.Count(w, []byte{','}) + 1
	switch {
	case n < 3 || n > maxLevels:
		l.fail(from, nil, "%q is no address vector (want 3 to %d numbers with commas)", short(w), maxLevels)
		return
	case v.levels != nil && n != len(v.levels):
		l.fail(from, nil, "the vector has %d levels, and levels: %d", n, len(v.levels))
		return
	}
	for i := range n {
		part, rest, _ := bytes.Cut(w, []byte{','})
		d := l.numberOf(part, from, "whole number", 10)
		if size := v.size(i, n); d >= size {
			l.fail(from, nil, "level %d is %d, and has %d values", i, d, size)
		}
		r.Addr = r.Addr*v.size(i, n) + d
		from += len(part) + 1
		w = rest
	}
	r.Addr *= max(v.line, 1)
	l.end()
	l.add(r)
}

// format writes six levels: channel and rank 0.
func (v *vectors) format(b []byte, r *Record) ([]byte, error) {
	if r.Addr%v.line != 0 {
		return nil, fmt.Errorf("address %#x is no multiple of the %d bytes that an address vector stands for", r.Addr, v.line)
	}
	const n = 6
	var d [n]uint64
	a := r.Addr / v.line
	for i := n - 1; i >= 0; i-- {
		s := v.size(i, n)
		d[i], a = a%s, a/s
	}
	if a != 0 {
		return nil, fmt.Errorf("address %#x is beyond the levels of an address vector", r.Addr)
	}
	b = append(b, letter(r.Write), ' ')
	for i, x := range d {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, x, 10)
	}
	return b, nil
}
