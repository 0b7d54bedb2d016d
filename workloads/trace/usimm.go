package trace

import (
	"io"
	"strconv"

	"github.com/causeway-sim/causeway/components/registry"
)

// Lines of instructions without memory, direction, address and, for reads, the
// program counter: "455 R 0x473ef80 0x106e43c".
func init() {
	holds := Times | Writes | PCs
	tick := Tick{Unit: Instructions}
	All.Add(registry.Entry[Format]{
		Name:   "usimm",
		Doc:    "Lines of instructions without memory, R or W, the address, and for reads the program counter.",
		Source: "N. Chatterjee et al., USIMM, University of Utah UUCS-12-002, 2012, section 3",
		New: Format{
			Holds: holds, Tick: tick,
			Sniff: func(_ string, head []byte, whole bool) int {
				return sniffText(head, whole, new(usimmLines).parse)
			},
			Open: func(s *Source, _ Options) (Reader, error) {
				return &textReader{src: s, parse: new(usimmLines).parse, header: Header{Fields: holds, Tick: tick}}, nil
			},
			Create: func(w io.Writer, h Header) (Writer, error) {
				next := uint64(0)
				return newLineWriter(w, func(b []byte, r *Record) ([]byte, error) {
					bubbles := uint64(0)
					if r.Time > next {
						bubbles = r.Time - next
					}
					next += bubbles + 1
					b = append(strconv.AppendUint(b, bubbles, 10), ' ', letter(r.Write), ' ')
					b = hex(b, r.Addr)
					if !r.Write {
						b = hex(append(b, ' '), r.PC)
					}
					return b, nil
				}), nil
			},
		},
	})
}

type usimmLines struct{ now uint64 }

func (t *usimmLines) parse(l *line) {
	bubbles := l.number("count of instructions", 10)
	if t.now+bubbles+1 <= t.now {
		l.fail(0, nil, "the count of instructions passes 2^64")
	}
	t.now += bubbles
	w, from := l.token()
	r := Record{Time: t.now, Write: l.op(w, from, "R", "W")}
	t.now++
	r.Addr = l.number("hexadecimal address", 16)
	if !r.Write {
		r.PC = l.number("program counter", 16)
	}
	l.end()
	l.add(r)
}
