package trace

import (
	"io"

	"github.com/causeway-sim/causeway/components/registry"
)

// Lines of a direction and a hexadecimal address without 0x: "R 9025cc0".
func init() {
	parse := func(l *line) {
		w, from := l.token()
		r := Record{Write: l.op(w, from, "R", "W")}
		r.Addr = l.number("hexadecimal address", 16)
		l.end()
		l.add(r)
	}
	All.Add(registry.Entry[Format]{
		Name:   "harness",
		Doc:    "Lines of R or W and a hexadecimal address: the shortest list of requests.",
		Source: "none: the input of simple memory test benches",
		New: Format{
			Holds: Writes,
			Sniff: func(_ string, head []byte, whole bool) int { return sniffText(head, whole, parse) },
			Open: func(s *Source, _ Options) (Reader, error) {
				return &textReader{src: s, parse: parse, header: Header{Fields: Writes}}, nil
			},
			Create: func(w io.Writer, _ Header) (Writer, error) {
				return newLineWriter(w, func(b []byte, r *Record) ([]byte, error) {
					return digits(append(b, letter(r.Write), ' '), r.Addr), nil
				}), nil
			},
		},
	})
}

func letter(write bool) byte {
	if write {
		return 'W'
	}
	return 'R'
}
