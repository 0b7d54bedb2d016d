package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// nativeMagic is the first line of the own format.
const nativeMagic = "#causeway-trace/1"

// maxTensors bounds a table of tensors.
const maxTensors = 1 << 20

// See the package's doc for the format.
func init() {
	all := Times | Writes | Sizes | PCs | Cores | Tensors | Reuses | Nexts
	All.Add(registry.Entry[Format]{
		Name:   "causeway",
		Doc:    "The own format: tensors in a heading, then lines of the columns it names.",
		Source: "none: an own format",
		New: Format{
			Holds: all, Objects: true, Takes: func(Tick) bool { return true },
			Sniff: func(_ string, head []byte, _ bool) int {
				if bytes.HasPrefix(head, []byte(nativeMagic)) {
					return 100
				}
				return 0
			},
			Open:   openNative,
			Create: createNative,
		},
	})
}

func openNative(s *Source, o Options) (Reader, error) {
	h, cols, row, err := readHeading(s)
	if err != nil {
		return nil, err
	}
	if cols == nil {
		return nil, &Error{File: s.Name, Pos: Pos{Line: row}, Msg: "the heading has no line #columns"}
	}
	h.setObjects(cols, o)
	inner := parseColumns(cols, 0)
	t := &textReader{src: s, header: h, row: row}
	t.parse = func(l *line) {
		inner(l)
		if l.msg == "" && int(l.out[0].Tensor) > len(t.header.Tensors) {
			l.fail(0, nil, "tensor %d of %d", l.out[0].Tensor, len(t.header.Tensors))
		}
	}
	return t, nil
}

// ReadTensors reads the table of tensors of a file in format causeway, which needs no columns and
// no records.
func ReadTensors(path string) ([]Tensor, error) {
	s, err := openSource(path)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	h, _, _, err := readHeading(s)
	return h.Tensors, err
}

// readHeading reads the lines that begin with #, up to #columns.
func readHeading(s *Source) (h Header, cols []column, row int, err error) {
	for {
		c, err := s.r.Peek(1)
		if err == io.EOF || err == nil && c[0] != '#' {
			if row == 0 {
				return h, nil, row, &Error{File: s.Name, Pos: Pos{Line: 1}, Msg: "the first line is not " + nativeMagic}
			}
			return h, nil, row, nil
		}
		if err != nil {
			return h, nil, row, s.broken(err, Pos{Line: row + 1})
		}
		text, cut, err := readLine(s.r)
		if err != nil && err != io.EOF {
			return h, nil, row, s.broken(err, Pos{Line: row + 1})
		}
		row++
		fail := func(format string, args ...any) error {
			return &Error{File: s.Name, Pos: Pos{Line: row}, Msg: fmt.Sprintf(format, args...)}
		}
		words := strings.Fields(string(text))
		switch {
		case cut:
			return h, nil, row, fail("the line is longer than %d bytes", maxLine)
		case row == 1 && (len(words) != 1 || words[0] != nativeMagic):
			return h, nil, row, fail("the first line is not %s", nativeMagic)
		case row == 1, len(words) == 0:
		case words[0] == "#tick":
			if err := h.setTick(words[1:]); err != nil {
				return h, nil, row, fail("%v", err)
			}
		case words[0] == "#tensor":
			if err := h.addTensor(words[1:]); err != nil {
				return h, nil, row, fail("%v", err)
			}
		case words[0] == "#columns":
			cols, err := h.setColumns(words[1:])
			if err != nil {
				return h, nil, row, badHeading(s.Name, row, err)
			}
			return h, cols, row, nil
		}
	}
}

func (h *Header) setTick(words []string) error {
	t, ok := Tick{}, false
	if len(words) == 1 {
		t, ok = parseTick(words[0])
	}
	if !ok {
		return errors.New("the tick is not none, cycle, instruction or NUM/DENs (seconds)")
	}
	h.Tick = t
	return nil
}

func (h *Header) addTensor(words []string) error {
	t, err := parseTensor(words)
	if err != nil {
		return err
	}
	if len(h.Tensors) == maxTensors {
		return fmt.Errorf("more than %d tensors", maxTensors)
	}
	h.Tensors = append(h.Tensors, t)
	return nil
}

// setColumns finds the columns by their names, which end the heading.
func (h *Header) setColumns(words []string) ([]column, error) {
	var names [][]byte
	for _, w := range words {
		names = append(names, []byte(w))
	}
	cols, fields, tick, err := findColumns(names)
	if err != nil {
		return nil, err
	}
	h.Fields = fields
	if tick.Unit != NoTime {
		h.Tick = tick
	}
	if fields&Times != 0 && h.Tick.Unit == NoTime {
		return nil, errors.New("a column time, and no #tick before it")
	}
	return cols, nil
}

// setObjects notes that a column numbers objects, each of o.Line bytes of addresses.
func (h *Header) setObjects(cols []column, o Options) {
	if h.Objects = hasObjects(cols, o.line()); h.Objects {
		h.Line = o.line()
	}
}

func parseTensor(words []string) (Tensor, error) {
	t := Tensor{}
	for _, w := range words {
		key, text, ok := strings.Cut(w, "=")
		if !ok {
			return t, fmt.Errorf("%q is no key=value", short([]byte(w)))
		}
		number := func(most uint64) (v uint64, err error) {
			v, ok := parseUint([]byte(text), 10)
			if !ok || v > most {
				return 0, fmt.Errorf("%s is %q (want a whole number up to %d)", key, short([]byte(text)), most)
			}
			return v, nil
		}
		var v uint64
		var err error
		switch key {
		case "name":
			t.Name = text
		case "kind":
			t.Kind, err = parseKind(text)
		case "base":
			t.Base, err = number(1<<64 - 1)
		case "bytes":
			t.Bytes, err = number(1<<64 - 1)
		case "tile":
			t.Tile, err = number(1<<64 - 1)
		case "accesses":
			v, err = number(1<<32 - 1)
			t.Accesses = uint32(v)
		case "sharers":
			v, err = number(1<<32 - 1)
			t.Sharers = uint32(v)
		case "write_once":
			if text != "true" && text != "false" {
				return t, fmt.Errorf("write_once is %q (want true or false)", short([]byte(text)))
			}
			t.WriteOnce = text == "true"
		default:
			return t, fmt.Errorf("unknown key %q (want one of: name, kind, base, bytes, tile, accesses, sharers, write_once)", short([]byte(key)))
		}
		if err != nil {
			return t, err
		}
	}
	if t.Name == "" || t.Bytes == 0 {
		return t, fmt.Errorf("a tensor needs name= and bytes=")
	}
	if t.Base+(t.Bytes-1) < t.Base {
		return t, fmt.Errorf("tensor %s ends beyond 2^64", t.Name)
	}
	return t, nil
}

// parseKind is the role that a tensor's kind names.
func parseKind(text string) (graph.Role, error) {
	var names []string
	for _, r := range graph.Roles {
		if r.String() == text {
			return r, nil
		}
		names = append(names, r.String())
	}
	return 0, fmt.Errorf("kind is %q (want one of: %s)", short([]byte(text)), strings.Join(names, ", "))
}

func createNative(w io.Writer, h Header) (Writer, error) {
	cols := columnsFor(&h)
	out := newLineWriter(w, func(b []byte, r *Record) ([]byte, error) {
		if int(r.Tensor) > len(h.Tensors) {
			return nil, fmt.Errorf("tensor %d of %d", r.Tensor, len(h.Tensors))
		}
		return printColumns(b, cols, ' ', r), nil
	})
	fmt.Fprintf(out.w, "%s\n#tick %s\n", nativeMagic, h.Tick)
	for _, t := range h.Tensors {
		if strings.ContainsAny(t.Name, " \t\r\n") || t.Name == "" {
			return nil, fmt.Errorf("tensor %q: a name has no blanks", t.Name)
		}
		fmt.Fprintf(out.w, "#tensor name=%s kind=%s base=%#x bytes=%d tile=%d accesses=%d sharers=%d write_once=%t\n",
			t.Name, t.Kind, t.Base, t.Bytes, t.Tile, t.Accesses, t.Sharers, t.WriteOnce)
	}
	names := []string{"#columns"}
	for _, c := range cols {
		names = append(names, c.name)
	}
	_, err := fmt.Fprintln(out.w, strings.Join(names, " "))
	return out, err
}
