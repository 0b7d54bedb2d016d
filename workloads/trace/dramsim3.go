package trace

import (
	"io"
	"strconv"

	"github.com/causeway-sim/causeway/components/registry"
)

// Lines of address, direction and cycle: "0x2000D5C0 READ 30".
func init() {
	parse := func(l *line) {
		var r Record
		r.Addr = l.number("hexadecimal address", 16)
		w, from := l.token()
		switch string(w) {
		case "READ", "read", "P_MEM_RD", "BOFF":
		case "WRITE", "write", "P_MEM_WR":
			r.Write = true
		default:
			l.fail(from, []string{"READ", "WRITE"}, "%q is neither read nor write", short(w))
		}
		r.Time = l.number("cycle", 10)
		l.end()
		l.add(r)
	}
	holds := Times | Writes
	All.Add(registry.Entry[Format]{
		Name:   "dramsim3",
		Doc:    "Lines of address, READ or WRITE, and the cycle of the memory's clock.",
		Source: "S. Li et al., DRAMsim3, IEEE CAL 19(2), 2020; the trace reader of its repository",
		New: Format{
			Holds: holds, Tick: Tick{Unit: Cycles},
			Sniff: func(_ string, head []byte, whole bool) int { return sniffText(head, whole, parse) },
			Open: func(s *Source, _ Options) (Reader, error) {
				return &textReader{src: s, parse: parse, header: Header{Fields: holds, Tick: Tick{Unit: Cycles}}}, nil
			},
			Create: func(w io.Writer, _ Header) (Writer, error) {
				return newLineWriter(w, func(b []byte, r *Record) ([]byte, error) {
					b = append(hex(b, r.Addr), " READ "...)
					if r.Write {
						b = append(b[:len(b)-len("READ ")], "WRITE "...)
					}
					return strconv.AppendUint(b, r.Time, 10), nil
				}), nil
			},
		},
	})
}
