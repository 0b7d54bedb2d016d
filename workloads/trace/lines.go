package trace

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/causeway-sim/causeway/components/registry"
)

// A record of a shared cache's accesses, little endian: u64 line; u32 pc; u32
// core.
const lineSize = 16

// maxCores is the limit of core numbers, by which a file of another format is detected in its
// first records.
const maxCores = 1 << 16

func init() {
	holds := PCs | Cores
	All.Add(registry.Entry[Format]{
		Name:   "lines",
		Doc:    "Records of 16 bytes: line number, program counter, core.",
		Source: "none: the plainest input of a shared cache",
		New: Format{
			Holds: holds,
			Sniff: sniffLines,
			Open: func(s *Source, o Options) (Reader, error) {
				bytes := o.line()
				most := (1<<64 - 1) / bytes
				one := func(b []byte, r *Record) (msg string, at int) {
					line := binary.LittleEndian.Uint64(b)
					core := binary.LittleEndian.Uint32(b[12:])
					if line > most {
						return fmt.Sprintf("line %d times %d bytes passes 2^64", line, bytes), 0
					}
					if core >= maxCores {
						return fmt.Sprintf("core %d (want below %d)", core, maxCores), 12
					}
					*r = Record{}
					r.Addr, r.PC, r.Core = line*bytes, uint64(binary.LittleEndian.Uint32(b[8:])), core
					return "", 0
				}
				batch := func(b []byte, l *AddressBatch) { lotOfLines(b, l, bytes) }
				return &fixedReader{src: s, size: lineSize, one: one, parse: single(one), batch: batch, header: Header{Fields: holds, Line: bytes}}, nil
			},
			Create: func(w io.Writer, h Header) (Writer, error) {
				bytes := h.Line
				if bytes == 0 {
					bytes = 64
				}
				return newLineWriter16(w, bytes), nil
			},
		},
	})
}

// lotOfLines reads the records of whole lots, up to a bad one.
func lotOfLines(b []byte, l *AddressBatch, bytes uint64) {
	most := (1<<64 - 1) / bytes
	l.Least, l.Greatest = 1<<64-1, 0
	for i := range min(len(l.Addr), len(b)/lineSize) {
		r := b[i*lineSize:][:lineSize]
		line, core := binary.LittleEndian.Uint64(r), binary.LittleEndian.Uint32(r[12:])
		if line > most || core >= maxCores {
			return
		}
		addr := line * bytes
		l.Addr[i], l.PC[i], l.Core[i] = addr, uint64(binary.LittleEndian.Uint32(r[8:])), core
		l.Least, l.Greatest = min(l.Least, addr), max(l.Greatest, addr)
		l.N = i + 1
	}
}

// sniffLines: few bits speak for this format, so all of them have to. Files of
// addresses are full of zero words, which lines of a trace are not.
func sniffLines(name string, head []byte, whole bool) int {
	n, zero := 0, 0
	for b := head; len(b) >= lineSize; b = b[lineSize:] {
		line, pc, core := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint32(b[8:]), binary.LittleEndian.Uint32(b[12:])
		if line>>58 != 0 || core >= 1<<12 {
			return 0
		}
		if line == 0 && pc == 0 {
			zero++
		}
		n++
	}
	if n == 0 || n > 4 && zero > n/4 {
		return 0
	}
	return plausible(head, whole, lineSize, name, ".bin", ".lines")
}

type lines16 struct {
	w     *bufio.Writer
	bytes uint64
	buf   [lineSize]byte
}

func newLineWriter16(w io.Writer, bytes uint64) *lines16 {
	return &lines16{w: bufio.NewWriterSize(w, 1<<16), bytes: bytes}
}

func (l *lines16) Write(r *Record) error {
	if r.PC > 1<<32-1 || r.Core >= maxCores {
		return fmt.Errorf("program counter %#x or core %d does not fit into 32 or 16 bits", r.PC, r.Core)
	}
	binary.LittleEndian.PutUint64(l.buf[:], r.Addr/l.bytes)
	binary.LittleEndian.PutUint32(l.buf[8:], uint32(r.PC))
	binary.LittleEndian.PutUint32(l.buf[12:], r.Core)
	_, err := l.w.Write(l.buf[:])
	return err
}

func (l *lines16) Close() error { return l.w.Flush() }
