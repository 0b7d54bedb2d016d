package dumpi

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
)

func init() {
	comm.All.Add(registry.Entry[comm.Format]{
		Name:   "dumpi",
		Doc:    "DUMPI traces: every MPI call of a real run with its arguments and times, a binary file per rank.",
		Source: "SST DUMPI, traceformat.dox and dumpiio.c",
		New: comm.Format{
			PerRank: true,
			Reader:  func(b *comm.Builder) comm.Reader { return &reader{b: b, ranks: map[int]*rank{}} },
			Sniff: func(head []byte) int {
				if bytes.HasPrefix(head, magic) {
					return 100
				}
				return 0
			},
		},
	})
}

// magic begins a file and the index at its end.
var magic = []byte{0xff, 0xaa, 0xdd, 'D', 'U', 'M', 'P', 'I'}

// A file reads one file. Numbers are big-endian.
type file struct {
	in      *comm.Input
	r       *bufio.Reader
	offset  int64 // of the record being read
	next    int64
	end     int64   // of the sections
	ends    []int64 // where sections begin
	version [3]byte
	sizes   []uint64    // of data types, by number
	err     *comm.Error // the first
	buf     [8]byte
	call    call
}

// A call is one record. Arguments are in the order of the layout.
type call struct {
	fn          int
	start, stop units.Time // from the beginning of the trace
	timed       bool
	args        []int64   // of the letters i, h, b and l
	lists       [][]int32 // of a, t and d
}

func (f *file) fault(format string, args ...any) *comm.Error {
	return &comm.Error{File: f.in.Name, Offset: f.offset, Msg: fmt.Sprintf(format, args...)}
}

func (f *file) fail(format string, args ...any) {
	if f.err == nil {
		f.err = f.fault(format, args...)
	}
}

// number reads n bytes; after an error it is 0.
func (f *file) number(n int) uint64 {
	if f.err != nil {
		return 0
	}
	if _, err := io.ReadFull(f.r, f.buf[:n]); err != nil {
		f.fail("the file is cut off")
		return 0
	}
	f.next += int64(n)
	v := uint64(0)
	for _, b := range f.buf[:n] {
		v = v<<8 | uint64(b)
	}
	return v
}

func (f *file) i32() int64 { return int64(int32(f.number(4))) }

// count reads the length of a list whose items have size bytes.
func (f *file) count(size int64) int {
	n := f.i32()
	if n < 0 || n*size > f.end-f.next {
		f.fail("a list of %d items does not fit into the file", n)
		return 0
	}
	return int(n)
}

func (f *file) skip(n int64) {
	if f.err != nil {
		return
	}
	k, err := f.r.Discard(int(n))
	f.next += int64(k)
	if err != nil {
		f.fail("the file is cut off")
	}
}

// atLeast reports whether the library that wrote the trace was of this version.
func (f *file) atLeast(major, minor, patch byte) bool {
	return bytes.Compare(f.version[:], []byte{major, minor, patch}) >= 0
}

// open reads the index at the end of the file, the version, and the sizes
// of the data types.
func open(in *comm.Input) (*file, error) {
	f := &file{in: in}
	const index = 56 // seven offsets after the magic number
	tail := make([]byte, index+8)
	if in.Size < int64(len(tail))+8 {
		return nil, f.fault("the file is cut off: %d bytes are too few for a trace", in.Size)
	}
	at := in.Size - int64(len(tail))
	if _, err := in.At.ReadAt(tail, at); err != nil {
		return nil, f.fault("%v", err)
	}
	f.offset = at
	if !bytes.HasPrefix(tail, magic) {
		// Libraries before sizes were recorded have a shorter index.
		return nil, f.fault("the file is cut off: there is no index at its end")
	}
	offset := func(i int) int64 { return int64(binary.BigEndian.Uint64(tail[8+8*i:])) }
	sizes, header, body := offset(0), offset(3), offset(4)
	for _, o := range []int64{sizes, header, body} {
		if o < 8 || o >= at {
			return nil, f.fault("the index names byte %d of %d", o, in.Size)
		}
	}
	f.end, f.ends = at, []int64{at}
	for i := range 7 {
		f.ends = append(f.ends, offset(i))
	}
	f.seek(header, at)
	for i := range f.version {
		f.version[i] = byte(f.number(1))
	}
	f.seek(sizes, at)
	for range f.count(4) {
		f.sizes = append(f.sizes, uint64(f.number(4)))
	}
	if f.err != nil {
		return nil, f.err
	}
	f.seek(body, at)
	f.skip(8) // seconds to be added to all CPU and all wall times; only differences count
	if f.err != nil {
		return nil, f.err
	}
	return f, nil
}

func (f *file) seek(to, end int64) {
	f.r = f.in.Section(to, end)
	f.offset, f.next = to, to
}

// Bits of a record's mask, dumpi/common/settings.h.
const (
	hasStatuses = 3
	hasCPU      = 1 << 2
	hasWall     = 1 << 3
	hasThread   = 1 << 6
	hasPerf     = 1 << 7
)

// read reads the next call; io.EOF after the last.
func (f *file) read() (*call, error) {
	f.offset = f.next
	c := &f.call
	fn := int(f.number(2))
	if f.err != nil {
		return nil, f.err
	}
	if fn >= len(functions) {
		// The mark after the last call; its number differs between versions, but
		// another section begins after it.
		if !slices.Contains(f.ends, f.next) {
			return nil, f.fault("there is no function of number %d", fn)
		}
		return nil, io.EOF
	}
	c.fn, c.args, c.lists = fn, c.args[:0], c.lists[:0]
	mask := f.number(1)
	if mask&hasThread != 0 {
		f.skip(2)
	}
	c.timed = false
	for _, bit := range []uint64{hasCPU, hasWall} {
		if mask&bit != 0 { // wall time wins where there are both
			c.start, c.stop, c.timed = f.time(), f.time(), true
		}
	}
	if mask&hasPerf != 0 {
		f.skip(16 * int64(f.number(1)))
	}
	layout := functions[fn].layout
	if layout == "-" {
		return nil, f.fault("MPI_%s is not read", functions[fn].name)
	}
	for _, l := range layout {
		f.argument(l, mask)
	}
	if f.err != nil {
		return nil, f.err
	}
	return c, nil
}

func (f *file) time() units.Time {
	s, ns := f.number(2), f.number(4)
	if ns >= 1e9 {
		f.fail("a time of %d ns after the second", ns)
	}
	return units.Time(s)*units.Second + units.Time(ns)*units.Nanosecond
}

func (f *file) argument(letter rune, mask uint64) {
	c := &f.call
	switch letter {
	case 'i':
		c.args = append(c.args, f.i32())
	case 'h':
		c.args = append(c.args, int64(f.number(2)))
	case 'b':
		c.args = append(c.args, int64(f.number(1)))
	case 'l':
		c.args = append(c.args, int64(f.number(8)))
	case 'a':
		f.list(4)
	case 't':
		f.list(2)
	case 'd':
		f.list(1)
	case '*':
		if f.atLeast(0, 6, 8) && (f.atLeast(0, 6, 9) || functions[c.fn].name == "Cart_get") {
			f.list(4)
		} else {
			f.skip(4)
			c.lists = append(c.lists, nil)
		}
	case 'R': // of Gather and Scatter: count and type of the other side
		if f.err == nil && c.args[0] == c.args[3] {
			c.args = append(c.args, f.i32(), int64(f.number(2)))
		}
	case 'V', 'W': // of Gatherv and Scatterv: counts and displacements
		root := 4
		if letter == 'W' {
			root = 5
		}
		if f.err == nil && c.args[0] == c.args[root] {
			f.list(4)
			f.list(4)
		}
		if letter == 'V' {
			c.args = append(c.args, int64(f.number(2)))
		}
	default:
		f.leaveOut(letter, mask)
	}
}

// leaveOut passes over an argument that the simulator does not use.
func (f *file) leaveOut(letter rune, mask uint64) {
	texts := func(n int) {
		for range n {
			f.skip(int64(f.count(1)))
		}
	}
	switch letter {
	case 'A':
		for range f.count(4) {
			f.skip(4 * int64(f.count(4)))
		}
	case 'c':
		texts(1)
	case 'C', 'J':
		texts(f.count(4))
	case 'I':
		n := f.count(4)
		if !f.atLeast(0, 6, 2) {
			f.skip(4) // the length was written twice
		}
		texts(n)
	case 's':
		if mask&hasStatuses != 0 {
			size := int64(10)
			if f.atLeast(0, 6, 3) {
				size += 4 // the tag
			}
			f.skip(size * int64(f.count(size)))
		}
	}
}

// list reads a counted list of numbers of size bytes.
func (f *file) list(size int) {
	n := f.count(int64(size))
	c := &f.call
	var l []int32
	if k := len(c.lists); k < cap(c.lists) {
		l = c.lists[:k+1][k][:0] // used again from record to record
	}
	for range n {
		l = append(l, int32(f.number(size)))
	}
	c.lists = append(c.lists, l)
}
