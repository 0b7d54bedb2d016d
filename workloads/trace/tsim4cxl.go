package trace

import (
	"bytes"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
)

// Lines of type, address, size and data: "R:1024:4096:". The delta times stand
// in a second file, d0.txt beside r0.txt, one line per request.
func init() {
	All.Add(registry.Entry[Format]{
		Name:   "tsim4cxl",
		Doc:    "Lines of W, R or Terminate, decimal address, size and data; delta times in ns in d0.txt beside r0.txt.",
		Source: "TSim4CXL, the description of trace files in its repository",
		New: Format{
			Holds: Sizes | Writes, Sized: true,
			Sniff: func(_ string, head []byte, whole bool) int {
				return sniffText(head, whole, new(tsimLines).parse)
			},
			Open: openTSim,
			Create: func(w io.Writer, _ Header) (Writer, error) {
				t := newLineWriter(w, func(b []byte, r *Record) ([]byte, error) {
					b = append(b, letter(r.Write), ':')
					b = append(strconv.AppendUint(b, r.Addr, 10), ':')
					return append(strconv.AppendUint(b, uint64(r.Size), 10), ':'), nil
				})
				t.finish = func(w io.Writer) error {
					_, err := io.WriteString(w, "Terminate:0:0:\n")
					return err
				}
				return t, nil
			},
		},
	})
}

func openTSim(s *Source, _ Options) (Reader, error) {
	t := &tsimLines{}
	r := &textReader{src: s, parse: t.parse, header: Header{Fields: Sizes | Writes}, done: func() bool { return t.ended }}
	r.last = func() *Error {
		return &Error{File: s.Name, Pos: Pos{Line: r.row + 1}, Msg: "the trace is cut off: there is no line Terminate", Err: io.ErrUnexpectedEOF}
	}
	base := filepath.Base(s.Name)
	if s.openSibling == nil || !strings.HasPrefix(base, "r") {
		return r, nil
	}
	d, err := s.openSibling("d" + base[1:])
	if err != nil {
		return r, nil // a trace without times
	}
	s.closers = append(s.closers, d.Close)
	r.header.Fields |= Times
	r.header.Tick = Nanosecond
	t.header = &r.header
	t.deltas = &textReader{src: d, parse: func(l *line) {
		l.add(Record{Time: l.number("time in ns", 10)})
		l.end()
	}}
	return r, nil
}

// tsimLines are the lines of a trace, with the times of its second file.
type tsimLines struct {
	ended  bool
	deltas *textReader // nil: no times
	header *Header     // to be told the end
	now    uint64
}

// end takes the time in front of the end, which some traces leave out.
func (t *tsimLines) end(l *line) {
	if t.deltas == nil {
		return
	}
	var d Record
	switch err := t.deltas.Next(&d); {
	case err == io.EOF:
	case err != nil:
		l.fail(0, nil, "%v", err)
	case t.now+d.Time < t.now:
		l.fail(0, nil, "the sum of the times passes 2^64 ns")
	default:
		t.header.End = t.now + d.Time
	}
}

var tsimWords = []string{"R", "W", "Terminate"}

func (t *tsimLines) parse(l *line) {
	if t.ended { // while sniffing
		return
	}
	from := l.at
	rest := l.text[from:]
	part := func() []byte {
		p, tail, ok := bytes.Cut(rest, []byte{':'})
		if !ok {
			l.fail(from, nil, "the line has too few colons (want type:address:size:data)")
		}
		from += len(p) + 1
		rest = tail
		return p
	}
	var r Record
	switch w := part(); string(w) {
	case "R":
	case "W":
		r.Write = true
	case "Terminate":
		t.ended = true
		t.end(l)
		return
	default:
		l.fail(l.at, tsimWords, "unknown type %q", short(w))
	}
	at := from
	r.Addr = l.numberOf(part(), at, "decimal address", 10)
	at = from
	r.Size = l.small(l.numberOf(part(), at, "size", 10), at, "size")
	if r.Size == 0 {
		l.fail(at, nil, "a request of 0 bytes")
	}
	// What is left is data, of any length; it is not kept.
	if t.deltas != nil && l.msg == "" {
		var d Record
		switch err := t.deltas.Next(&d); {
		case err == io.EOF:
			l.fail(0, nil, "%s has no time for this request: it ends behind line %d", t.deltas.src.Name, t.deltas.row)
		case err != nil:
			l.fail(0, nil, "%v", err)
		case t.now+d.Time < t.now:
			l.fail(0, nil, "the sum of the times passes 2^64 ns")
		}
		t.now += d.Time
		r.Time = t.now
	}
	l.add(r)
}
