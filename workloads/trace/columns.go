package trace

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/causeway-sim/causeway/configs"
)

// A column is one field of a table of records.
type column struct {
	name  string
	field Fields // 0: the address
	tick  Tick   // of columns with a time
	read  func(l *line, r *Record, w []byte, at int)
	print func(b []byte, r *Record) []byte
}

// columns are those that csv and causeway may have.
var columns = []column{
	timeColumn("time", Tick{}), timeColumn("cycle", Tick{Unit: Cycles}), timeColumn("instruction", Tick{Unit: Instructions}),
	timeColumn("time_ns", Nanosecond), timeColumn("time_ps", picosecond),
	{name: "op", field: Writes, read: readOp, print: func(b []byte, r *Record) []byte { return append(b, letter(r.Write)) }},
	{name: "addr",
		read:  func(l *line, r *Record, w []byte, at int) { r.Addr = l.numberOf(w, at, "address", 10) },
		print: func(b []byte, r *Record) []byte { return hex(b, r.Addr) }},
	objectColumn(1),
	number32("size", Sizes, func(r *Record) *uint32 { return &r.Size }),
	number32("core", Cores, func(r *Record) *uint32 { return &r.Core }),
	number32("tensor", Tensors, func(r *Record) *uint32 { return &r.Tensor }),
	number32("reuse", Reuses, func(r *Record) *uint32 { return &r.Reuse }),
	{name: "pc", field: PCs,
		read:  func(l *line, r *Record, w []byte, at int) { r.PC = l.numberOf(w, at, "program counter", 10) },
		print: func(b []byte, r *Record) []byte { return hex(b, r.PC) }},
	{name: "next", field: Nexts, read: readNext, print: func(b []byte, r *Record) []byte { return strconv.AppendInt(b, r.Next, 10) }},
}

// objectColumn is a column with numbers of stored objects in place of addr, with a number of
// address bytes each; sizes are then those of objects.
func objectColumn(bytes uint64) column {
	return column{name: "object",
		read: func(l *line, r *Record, w []byte, at int) {
			r.Addr = l.numberOf(w, at, "object", 10) * bytes /* mod 2^64 */
		},
		print: func(b []byte, r *Record) []byte { return strconv.AppendUint(b, r.Addr/bytes, 10) }}
}

// aliases are names of columns in the files of other tools.
var aliases = map[string]string{"obj_id": "object", "obj_size": "size"}

// hasObjects reports whether a column object is among them, which it then makes one of
// objects of so many bytes of addresses.
func hasObjects(cols []column, bytes uint64) bool {
	i := slices.IndexFunc(cols, func(c column) bool { return c.name == "object" })
	if i >= 0 {
		cols[i] = objectColumn(bytes)
	}
	return i >= 0
}

func timeColumn(name string, tick Tick) column {
	return column{name: name, field: Times, tick: tick,
		read:  func(l *line, r *Record, w []byte, at int) { r.Time = l.numberOf(w, at, "time", 10) },
		print: func(b []byte, r *Record) []byte { return strconv.AppendUint(b, r.Time, 10) }}
}

func number32(name string, f Fields, of func(r *Record) *uint32) column {
	return column{name: name, field: f,
		read:  func(l *line, r *Record, w []byte, at int) { *of(r) = l.small(l.numberOf(w, at, name, 10), at, name) },
		print: func(b []byte, r *Record) []byte { return strconv.AppendUint(b, uint64(*of(r)), 10) }}
}

func readOp(l *line, r *Record, w []byte, at int) {
	switch string(w) {
	case "R", "r", "read", "READ", "Read":
	case "W", "w", "write", "WRITE", "Write":
		r.Write = true
	default:
		l.fail(at, []string{"R", "W", "read", "write"}, "%q is neither read nor write", short(w))
	}
}

func readNext(l *line, r *Record, w []byte, at int) {
	if string(w) == "-1" {
		r.Next = -1
		return
	}
	v := l.numberOf(w, at, "index of the next access", 10)
	if v > 1<<62 {
		l.fail(at, nil, "the next access %d is too far away", v)
	}
	r.Next = int64(v)
}

// columnCalled is the index of the column of a heading's word, or -1.
func columnCalled(word []byte) int {
	name := string(bytes.ToLower(bytes.TrimSpace(word)))
	if other, ok := aliases[name]; ok {
		name = other
	}
	return slices.IndexFunc(columns, func(c column) bool { return c.name == name })
}

// findColumns reads a heading. The fields and the unit of the time follow from it.
func findColumns(names [][]byte) (out []column, fields Fields, tick Tick, err error) {
	for _, n := range names {
		i := columnCalled(n)
		if i < 0 {
			return nil, 0, Tick{}, unknownColumn(n)
		}
		c := columns[i]
		if slices.ContainsFunc(out, func(x column) bool {
			return x.name == c.name || c.field == x.field && (c.field == Times || c.field == 0)
		}) {
			return nil, 0, Tick{}, &headingError{msg: fmt.Sprintf("column %q: there is one of its kind already", c.name)}
		}
		out = append(out, c)
		fields |= c.field
		if c.field == Times {
			tick = c.tick
		}
	}
	if !slices.ContainsFunc(out, func(c column) bool { return c.field == 0 }) {
		return nil, 0, Tick{}, &headingError{msg: "there is no column addr, or object"}
	}
	return out, fields, tick, nil
}

type headingError struct {
	msg  string
	want []string
	near string
}

// unknownColumn lists the columns there may be.
func unknownColumn(word []byte) *headingError {
	var want []string
	for _, c := range columns {
		want = append(want, c.name)
	}
	word = bytes.ToLower(bytes.TrimSpace(word))
	return &headingError{fmt.Sprintf("unknown column %q", short(word)), want, configs.Nearest(string(word), want)}
}

func (e *headingError) Error() string { return e.msg }

// badHeading is the error of a heading.
func badHeading(file string, row int, err error) *Error {
	e := &Error{File: file, Pos: Pos{Line: row}, Msg: err.Error()}
	if h, ok := errors.AsType[*headingError](err); ok {
		e.Want, e.Near = h.want, h.near
	}
	return e
}

// columnsFor are the columns that hold a trace's fields, times in its tick where there is
// a column for it, else in "time".
func columnsFor(h *Header) []column {
	f, tick := h.Fields, h.Tick
	var out []column
	for _, name := range []string{"time", "op", "addr", "size", "tensor", "reuse", "core", "pc", "next"} {
		i := slices.IndexFunc(columns, func(c column) bool { return c.name == name })
		c := columns[i]
		if c.field == Times && tick.Unit != NoTime {
			if j := slices.IndexFunc(columns, func(c column) bool { return c.field == Times && c.tick == tick }); j >= 0 {
				c = columns[j]
			}
		}
		if c.name == "addr" && h.Objects {
			c = objectColumn(max(h.Line, 1))
		}
		if c.field == 0 || f&c.field != 0 {
			out = append(out, c)
		}
	}
	return out
}

// parseColumns reads a line of fields between separators; 0 separates by blanks.
func parseColumns(cols []column, sep byte) func(l *line) {
	return func(l *line) {
		r := &l.out[0] // not a variable of its own, which would be made per line
		*r = Record{}
		if sep == 0 {
			for i := range cols {
				w, at := l.token()
				if w == nil {
					l.fail(at, nil, "the %s is missing", cols[i].name)
					return
				}
				cols[i].read(l, r, w, at)
			}
			l.end()
			l.n = 1
			return
		}
		rest, at := l.text, 0
		for i := range cols {
			w, tail, more := bytes.Cut(rest, []byte{sep})
			trimmed := bytes.TrimSpace(w)
			if len(trimmed) == 0 {
				l.fail(at, nil, "the %s is missing", cols[i].name)
				return
			}
			cols[i].read(l, r, trimmed, at)
			at += len(w) + 1
			rest = tail
			if last := i == len(cols)-1; more == last {
				if last {
					l.fail(at-1, nil, "the line has more than %d columns", len(cols))
				} else {
					l.fail(len(l.text), nil, "the %s is missing", cols[i+1].name)
				}
				return
			}
		}
		if l.cut {
			l.fail(maxLine, nil, "the line is longer than %d bytes", maxLine)
		}
		l.n = 1
	}
}
