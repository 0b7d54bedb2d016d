package stablehlo

import (
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/format/program"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A typ is a type of the text: an array, a tuple of types, or another one.
type typ struct {
	program.Type
	at      int
	elem    string // its name, of arrays
	tuple   []typ
	array   bool
	no      string // why an array of it has no rule
	in, out []typ  // of a function
}

// elems maps element types to those of graphs. Wide integers are indices and counters; they count
// as 32 bits, as in ONNX.
var elems = map[string]graph.DType{
	"f64": graph.FP32, "f32": graph.FP32, "tf32": graph.FP32, "f16": graph.FP16, "bf16": graph.BF16,
	"i64": graph.Int32, "ui64": graph.Int32, "i32": graph.Int32, "ui32": graph.Int32, "i16": graph.FP16, "ui16": graph.FP16,
	"i8": graph.Int8, "ui8": graph.Int8, "i1": graph.Int8, "i4": graph.Int4, "ui4": graph.Int4, "i2": graph.Int4, "ui2": graph.Int4,
	"index": graph.Int32, "f4E2M1FN": graph.Int4,
}

// element fills in the element type called name.
func (t *typ) element(name string) {
	t.elem = name
	d, ok := elems[name]
	switch {
	case ok:
		t.Elem = d
	case strings.HasPrefix(name, "f8E"):
		t.Elem = graph.FP8
	case strings.HasPrefix(name, "!quant.uniform<"):
		stored, _, _ := strings.Cut(strings.TrimPrefix(name, "!quant.uniform<"), ":")
		stored, _, _ = strings.Cut(stored, "<")
		if t.Elem, ok = elems[strings.Replace(stored, "u8", "i8", 1)]; !ok {
			t.no = "the element type " + name + " has no rule"
		}
	case strings.HasPrefix(name, "complex"):
		t.no = "complex numbers have no rule"
	default:
		t.no = "the element type " + name + " is not known"
	}
	t.Bool = name == "i1"
	t.Int = !t.Bool && (strings.HasPrefix(name, "i") || strings.HasPrefix(name, "ui")) && d == graph.Int32
}

// typ reads a type.
func (m *module) typ() (typ, error) {
	if err := m.enter(); err != nil {
		return typ{}, err
	}
	defer func() { m.deep-- }()
	c := m.peek()
	t := typ{at: m.at}
	if c == '(' {
		var err error
		if t.in, t.out, err = m.signature(); err != nil {
			return t, err
		}
		return t, nil
	}
	if c == '!' {
		m.at++
	}
	name := m.ident()
	if name == "" {
		return t, m.fail(m.at, "%s (want a type)", m.found())
	}
	switch {
	case !m.has("<"):
		t.elem = name
		return t, nil
	case name == "tensor":
		return m.tensor(t)
	case name == "tuple":
		m.at++
		for !m.take(">") {
			if m.take(",") {
				continue
			}
			x, err := m.typ()
			if err != nil {
				return t, err
			}
			t.tuple = append(t.tuple, x)
		}
		return t, nil
	}
	text, err := m.balanced()
	t.elem = name + text
	return t, err
}

// tensor reads <4x8xf32>.
func (m *module) tensor(t typ) (typ, error) {
	t.array = true
	m.at++
	if err := m.dimensions(&t); err != nil {
		return t, err
	}
	start := m.at
	if m.has("!") {
		m.at++
	}
	if m.ident() == "" {
		return t, m.fail(m.at, "%s (want an element type)", m.found())
	}
	if m.has("<") {
		if _, err := m.balanced(); err != nil {
			return t, err
		}
	}
	t.element(string(m.b[start:m.at]))
	if strings.HasPrefix(t.elem, "x") || t.no != "" && slices.ContainsFunc([]byte(t.elem), func(c byte) bool { return c == '-' }) {
		return t, m.fail(start, "%q (want an element type)", t.elem)
	}
	if m.take(",") { // an encoding: bounds of dynamic dimensions, or how it lies
		if _, err := m.attribute(); err != nil {
			return t, err
		}
	}
	if err := m.want(">"); err != nil {
		return t, err
	}
	if err := t.Check(); err != nil {
		return t, m.fail(t.at, "%v", err)
	}
	return t, nil
}

// dimensions reads 4x8x before an element type.
func (m *module) dimensions(t *typ) error {
	for {
		m.blank()
		switch {
		case m.has("?"):
			return m.fail(m.at, "a dimension that is not known before the run (want numbers); export the program for one shape")
		case m.has("*"):
			return m.fail(m.at, "an array of unknown rank (want numbers); export the program for one shape")
		}
		n := m.at
		for n < len(m.b) && digit(m.b[n]) {
			n++
		}
		if n == m.at || n >= len(m.b) || m.b[n] != 'x' {
			return nil
		}
		d, err := strconv.Atoi(string(m.b[m.at:n]))
		if err != nil || d > format.MaxDim {
			return m.fail(m.at, "the dimension %s (want 0 to %d)", m.b[m.at:n], format.MaxDim)
		}
		t.Shape = append(t.Shape, d)
		m.at = n + 1
	}
}

// signature reads (types) -> types.
func (m *module) signature() (in, out []typ, err error) {
	if in, err = m.types(); err != nil {
		return nil, nil, err
	}
	if err = m.want("->"); err != nil {
		return nil, nil, err
	}
	if m.peek() == '(' {
		out, err = m.types()
		return in, out, err
	}
	t, err := m.typ()
	return in, []typ{t}, err
}

// types reads (type, type) with attributes and places after each.
func (m *module) types() (list []typ, err error) {
	if err := m.want("("); err != nil {
		return nil, err
	}
	for !m.take(")") {
		if m.take(",") {
			continue
		}
		t, err := m.typ()
		if err != nil {
			return nil, err
		}
		if m.peek() == '{' {
			m.at++
			if _, err := m.dictionary(); err != nil {
				return nil, err
			}
		}
		if err := m.loc(); err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// loc skips loc(...) if it is there.
func (m *module) loc() error {
	_, err := m.place()
	return err
}

// place is the text of loc(...), "" if there is none.
func (m *module) place() (string, error) {
	m.blank()
	if !m.has("loc(") {
		return "", nil
	}
	m.at += 3
	return m.balanced()
}
