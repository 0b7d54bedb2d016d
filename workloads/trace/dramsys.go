package trace

import (
	"bytes"
	"io"
	"strconv"

	"github.com/causeway-sim/causeway/components/registry"
)

// Lines of cycle, optional length, direction, address and optional data:
// "31: (16) write 0x400 0xffff".
func init() {
	holds := Times | Sizes | Writes
	All.Add(registry.Entry[Format]{
		Name:   "dramsys",
		Doc:    "The stl files of DRAMSys: cycle, optionally a length in bytes, read or write, address, optionally data.",
		Source: "L. Steiner et al., DRAMSys4.0, SAMOS 2020; the example traces of its repository",
		New: Format{
			Holds: holds, Tick: Tick{Unit: Cycles},
			Sniff: func(_ string, head []byte, whole bool) int { return sniffText(head, whole, parseSTL) },
			Open: func(s *Source, _ Options) (Reader, error) {
				return &textReader{src: s, parse: parseSTL, header: Header{Fields: holds, Tick: Tick{Unit: Cycles}}}, nil
			},
			Create: func(w io.Writer, _ Header) (Writer, error) {
				return newLineWriter(w, func(b []byte, r *Record) ([]byte, error) {
					b = append(strconv.AppendUint(b, r.Time, 10), ":\t"...)
					if r.Size > 0 {
						b = strconv.AppendUint(append(b, '('), uint64(r.Size), 10)
						b = append(b, ") "...)
					}
					b = append(b, "read\t"...)
					if r.Write {
						b = append(b[:len(b)-len("read\t")], "write\t"...)
					}
					return hex(b, r.Addr), nil
				}), nil
			},
		},
	})
}

func parseSTL(l *line) {
	var r Record
	w, from := l.token()
	cycle, ok := bytes.CutSuffix(w, []byte{':'})
	if !ok {
		l.fail(from, nil, "%q is no cycle with a colon behind it", short(w))
		return
	}
	r.Time = l.numberOf(cycle, from, "cycle", 10)
	w, from = l.token()
	if len(w) > 0 && w[0] == '(' {
		n, ok := bytes.CutSuffix(w[1:], []byte{')'})
		if !ok {
			l.fail(from, nil, "%q is no length in parentheses", short(w))
			return
		}
		r.Size = l.small(l.numberOf(n, from+1, "length", 10), from+1, "length")
		w, from = l.token()
	}
	r.Write = l.op(w, from, "read", "write")
	w, from = l.token()
	if len(w) < 3 || w[0] != '0' || w[1]|0x20 != 'x' {
		l.fail(from, nil, "%q is no address behind 0x", short(w))
	}
	r.Addr = l.numberOf(w, from, "address", 16)
	// Data may follow, of any length; it is not kept.
	w, from = l.token()
	for i, c := range w {
		if hexDigit[c] > 15 && !(i == 1 && c|0x20 == 'x') {
			l.fail(from, nil, "%q is no hexadecimal data", short(w))
			break
		}
	}
	if !l.cut {
		l.end()
	}
	l.add(r)
}
