package trace

import (
	"bytes"
	"io"
	"slices"

	"github.com/causeway-sim/causeway/components/registry"
)

// A heading names the columns; addr or object has to be there.
func init() {
	all := Times | Writes | Sizes | PCs | Cores | Tensors | Reuses | Nexts
	All.Add(registry.Entry[Format]{
		Name:   "csv",
		Doc:    "Comma-separated values under a heading: addr, or object for traces of objects whose sizes count, and any of time, cycle, instruction, time_ns, time_ps, op, size, core, tensor, reuse, pc, next.",
		Source: "none: an own format",
		New: Format{
			Holds: all, Objects: true, Tick: picosecond,
			Takes: func(t Tick) bool {
				return t.Unit == Cycles || t.Unit == Instructions || t == Nanosecond || t == picosecond
			},
			Sniff: sniffCSV,
			Open:  openCSV,
			Create: func(w io.Writer, h Header) (Writer, error) {
				cols := columnsFor(&h)
				out := newLineWriter(w, func(b []byte, r *Record) ([]byte, error) { return printColumns(b, cols, ',', r), nil })
				for i, c := range cols {
					if i > 0 {
						out.buf = append(out.buf, ',')
					}
					out.buf = append(out.buf, c.name...)
				}
				_, err := out.w.Write(append(out.buf, '\n'))
				return out, err
			},
		},
	})
}

func printColumns(b []byte, cols []column, sep byte, r *Record) []byte {
	for i := range cols {
		if i > 0 {
			b = append(b, sep)
		}
		b = cols[i].print(b, r)
	}
	return b
}

func sniffCSV(_ string, head []byte, whole bool) int {
	words := heading(head, whole)
	if words == nil {
		return 0
	}
	if _, _, _, err := findColumns(words); err != nil {
		return 0
	}
	return 90 // the heading speaks for it; the reader says what is wrong below
}

// heading returns the words of the first line; nil if it is longer than head.
func heading(head []byte, whole bool) [][]byte {
	first, _, ok := bytes.Cut(head, []byte{'\n'})
	if !ok && !whole {
		return nil
	}
	return bytes.Split(bytes.TrimPrefix(first, utf8BOM), []byte{','})
}

// meantCSV reports whether what no format fits was meant to be CSV: one of several words
// of its heading names a column. Open then says what is wrong with the others.
func meantCSV(head []byte, whole bool) bool {
	words := heading(head, whole)
	return len(words) > 1 && slices.ContainsFunc(words, func(w []byte) bool { return columnCalled(w) >= 0 })
}

// utf8BOM is what spreadsheets put in front.
var utf8BOM = []byte("\xef\xbb\xbf")

func openCSV(s *Source, o Options) (Reader, error) {
	t := &textReader{src: s}
	if !t.line() {
		if t.err != io.EOF {
			return nil, t.err
		}
		return nil, &Error{File: s.Name, Pos: Pos{Line: 1}, Msg: "the heading is missing"}
	}
	cols, fields, tick, err := findColumns(bytes.Split(bytes.TrimPrefix(t.l.text, utf8BOM), []byte{','}))
	if err != nil {
		return nil, badHeading(s.Name, t.row, err)
	}
	t.header = Header{Fields: fields, Tick: tick}
	t.header.setObjects(cols, o)
	if fields&Times != 0 && tick.Unit == NoTime {
		t.header.Tick = Tick{Unit: Cycles} // time without a unit
	}
	t.parse = parseColumns(cols, ',')
	return t, nil
}
