package trace

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// maxLine is the longest line that is kept; the rest of a longer line is skipped, or an error in
// formats without trailing data.
const maxLine = 1 << 16

// maxPerLine is the most records that one line of text stands for.
const maxPerLine = 2

// A line is one line being parsed, and the records it stands for.
type line struct {
	text []byte
	cut  bool // longer than maxLine
	at   int  // next byte to look at
	out  [maxPerLine]Record
	n    int
	// what is wrong; msg "" for nothing
	msg  string
	col  int
	want []string
}

// fail records an error at byte from.
func (l *line) fail(from int, want []string, format string, args ...any) {
	if l.msg == "" {
		l.msg, l.col, l.want = fmt.Sprintf(format, args...), from+1, want
	}
}

// token returns the next word and where it begins; nil at the end.
func (l *line) token() (w []byte, from int) {
	from = l.skip()
	to, text := from, l.text
	for to < len(text) && !blank(text[to]) {
		to++
	}
	l.at = to
	if to == from {
		return nil, from
	}
	return text[from:to], from
}

// skip goes to the next word, or the end.
func (l *line) skip() int {
	at, text := l.at, l.text
	for at < len(text) && blank(text[at]) {
		at++
	}
	l.at = at
	return at
}

func blank(c byte) bool { return c <= ' ' && (c == ' ' || c == '\t' || c == '\r') }

// end complains about anything that is left.
func (l *line) end() {
	if w, from := l.token(); w != nil {
		l.fail(from, nil, "%q is one field too many", short(w))
	} else if l.cut {
		l.fail(maxLine, nil, "the line is longer than %d bytes", maxLine)
	}
}

// number reads the next word: hexadecimal after 0x, else in the given base.
func (l *line) number(what string, base int) uint64 {
	w, from := l.token()
	return l.numberOf(w, from, what, base)
}

func (l *line) numberOf(w []byte, from int, what string, base int) uint64 {
	if w == nil {
		l.fail(from, nil, "the %s is missing", what)
		return 0
	}
	v, ok := parseUint(w, base)
	if !ok {
		l.fail(from, nil, "%q is no %s (want a whole number below 2^64)", short(w), what)
	}
	return v
}

// small is a number that has to fit into 32 bits.
func (l *line) small(v uint64, from int, what string) uint32 {
	if v > 1<<32-1 {
		l.fail(from, nil, "the %s %d is too large (want below 2^32)", what, v)
		return 0
	}
	return uint32(v)
}

// short cuts a word for a message.
func short(w []byte) []byte {
	if len(w) > 40 {
		return append(bytes.Clone(w[:40]), "..."...)
	}
	return w
}

// parseUint reads a number of base 10 or 16; 0x in front makes it 16.
func parseUint(w []byte, base int) (v uint64, ok bool) {
	if len(w) > 2 && w[0] == '0' && (w[1] == 'x' || w[1] == 'X') {
		w, base = w[2:], 16
	}
	if len(w) == 0 {
		return 0, false
	}
	if base == 16 {
		for _, c := range w {
			d := hexDigit[c]
			if d > 15 || v>>60 != 0 {
				return 0, false
			}
			v = v<<4 | uint64(d)
		}
		return v, true
	}
	for _, c := range w {
		d := c - '0'
		if d > 9 || v > (1<<64-1)/10 {
			return 0, false
		}
		n := v*10 + uint64(d)
		if n < v*10 {
			return 0, false
		}
		v = n
	}
	return v, true
}

// hexDigit is the value of a hexadecimal digit, 255 of other bytes.
var hexDigit = func() (t [256]uint8) {
	for c := range t {
		switch {
		case '0' <= c && c <= '9':
			t[c] = uint8(c - '0')
		case 'a' <= c && c <= 'f':
			t[c] = uint8(c - 'a' + 10)
		case 'A' <= c && c <= 'F':
			t[c] = uint8(c - 'A' + 10)
		default:
			t[c] = 255
		}
	}
	return t
}()

// A textReader reads a trace line by line. Empty lines and those that begin
// with # are skipped; parse makes records of the others.
type textReader struct {
	src    *Source
	header Header
	parse  func(l *line)
	done   func() bool // tells that no record follows; nil: at the end of the file
	// last checks the end of the file; nil: any end is good
	last func() *Error

	l    line
	next int // of l.out
	row  int
	err  error
}

func (t *textReader) Header() *Header { return &t.header }

func (t *textReader) Pos() Pos { return Pos{Line: t.row} }

func (t *textReader) Next(r *Record) error {
	for t.next >= t.l.n {
		if t.err != nil {
			return t.err
		}
		t.l.n, t.next = 0, 0
		if t.done != nil && t.done() {
			t.err = io.EOF
			continue
		}
		if !t.line() {
			continue
		}
		t.parse(&t.l)
		if t.l.msg != "" {
			t.l.n = 0
			t.err = &Error{File: t.src.Name, Pos: Pos{Line: t.row, Col: t.l.col}, Msg: t.l.msg, Want: t.l.want}
		}
	}
	*r = t.l.out[t.next]
	t.next++
	return nil
}

// line reads the next line that is not empty and no comment; false without one.
func (t *textReader) line() bool {
	for t.err == nil {
		text, cut, err := readLine(t.src.r)
		if err != nil && err != io.EOF {
			t.err = t.src.broken(err, Pos{Line: t.row + 1})
			return false
		}
		if len(text) == 0 && err == io.EOF {
			t.err = err
			if t.last != nil {
				if e := t.last(); e != nil {
					t.err = e
				}
			}
			return false
		}
		t.row++
		if err == io.EOF && t.done == nil {
			t.src.unended = t.row
		}
		t.l.text, t.l.cut, t.l.at = text, cut, 0
		if from := t.l.skip(); from < len(text) && text[from] != '#' {
			return true
		}
	}
	return false
}

// readLine returns a line without its end, valid until the next call.
func readLine(r *bufio.Reader) (text []byte, cut bool, err error) {
	text, err = r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		cut = true
		kept := bytes.Clone(text[:maxLine]) // one copy per overlong line
		for err == bufio.ErrBufferFull {
			_, err = r.ReadSlice('\n')
		}
		return kept, cut, err
	}
	if n := len(text); n > 0 && text[n-1] == '\n' {
		text, err = text[:n-1], nil
	}
	if len(text) > maxLine {
		text, cut = text[:maxLine], true
	}
	return text, cut, err
}

// sniffText is how sure a text format is by its parser: the more so if it takes
// the first 100 lines and not only the first ones, so that a fault near the start
// of a file is found by the reader, with its place.
func sniffText(head []byte, whole bool, parse func(l *line)) int {
	lines := 0
	for len(head) > 0 && lines < 100 {
		text, rest, ended := bytes.Cut(head, []byte{'\n'})
		if !ended && !whole {
			break // a piece of a line
		}
		head = rest
		l := line{text: text}
		if len(text) > maxLine {
			l.text, l.cut = text[:maxLine], true
		}
		w, from := l.token()
		if w == nil || w[0] == '#' {
			continue
		}
		l.at = from
		parse(&l)
		if l.msg != "" {
			return min(lines, 1) * 40
		}
		lines++
	}
	return min(lines, 1) * 80
}

// op reads a direction.
func (l *line) op(w []byte, from int, read, write string) (isWrite bool) {
	switch string(w) {
	case read:
		return false
	case write:
		return true
	}
	if w == nil {
		l.fail(from, []string{read, write}, "read or write is missing")
	} else {
		l.fail(from, []string{read, write}, "%q is neither read nor write", short(w))
	}
	return false
}

// add adds a record to the line's.
func (l *line) add(r Record) {
	l.out[l.n] = r
	l.n++
}
