package stablehlo

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
)

// An attr is an attribute: of an operation, of an argument, or a part of one.
type attr struct {
	at   int
	text string // a word, a symbol, a string, or all of a bracketed text
	num  *float64
	list []attr
	dict map[string]attr
	data *elements
	set  bool // there is one
}

// elements are those of a dense array, as far as they are read.
type elements struct {
	typ      typ
	nums     []float64 // nil: not read
	splat    bool
	resource string
}

// maxLiteral bounds the text of an array whose elements are read. Larger ones are weights, whose
// elements do not matter.
const maxLiteral = 1 << 16

// ints is a list of whole numbers: [1, 2], array<i64: 1, 2>, or dense<[1, 2]>.
func (a attr) ints() ([]int, bool) {
	var nums []float64
	switch {
	case a.data != nil:
		if nums = a.data.nums; a.data.splat && len(nums) == 1 {
			for int64(len(nums)) < min(a.data.typ.Elements(), 64) {
				nums = append(nums, nums[0])
			}
		}
	case a.num != nil:
		nums = []float64{*a.num}
	default:
		for _, x := range a.list {
			if len(x.list) > 0 {
				more, ok := x.ints()
				if !ok {
					return nil, false
				}
				for _, n := range more {
					nums = append(nums, float64(n))
				}
				continue
			}
			if x.num == nil {
				return nil, false
			}
			nums = append(nums, *x.num)
		}
	}
	out := make([]int, len(nums))
	for i, x := range nums {
		if x != math.Trunc(x) || math.Abs(x) > math.MaxInt32 {
			return nil, false
		}
		out[i] = int(x)
	}
	return out, a.set
}

// attribute reads the value of an attribute.
func (m *module) attribute() (attr, error) {
	if err := m.enter(); err != nil {
		return attr{}, err
	}
	defer func() { m.deep-- }()
	c := m.peek()
	a := attr{at: m.at, set: true}
	var err error
	if c == '-' || digit(c) {
		return m.number()
	}
	if bare := m.bare; bare {
		m.bare = false
		defer func() { m.bare = bare }()
	}
	switch c {
	case '[':
		m.at++
		a.list, err = m.attributes(']')
	case '{':
		m.at++
		a.dict, err = m.dictionary()
	case '"':
		if a.text, err = m.quoted(); err == nil && m.take(":") {
			_, err = m.typ()
		}
	case '@':
		a.text, err = m.symbol()
	case '#':
		return m.dialect()
	case '<', '(':
		a.text, err = m.balanced()
	case '!':
		_, err = m.typ()
	default:
		if letter(c) {
			return m.word()
		}
		return a, m.fail(m.at, "%s (want an attribute)", m.found())
	}
	return a, err
}

// attributes reads a list up to its closing bracket.
func (m *module) attributes(end byte) (list []attr, err error) {
	for {
		switch m.peek() {
		case end:
			m.at++
			return list, nil
		case ',':
			m.at++
		case 0:
			return nil, m.fail(m.at, "the file ends inside a list")
		default:
			a, err := m.attribute()
			if err != nil {
				return nil, err
			}
			list = append(list, a)
		}
	}
}

// dictionary reads key = value pairs up to the closing brace; a key alone is a unit.
func (m *module) dictionary() (map[string]attr, error) {
	d := map[string]attr{}
	for {
		switch m.peek() {
		case '}':
			m.at++
			return d, nil
		case ',':
			m.at++
			continue
		case 0:
			return nil, m.fail(m.at, "the file ends inside the attributes")
		}
		at := m.at
		var key string
		var err error
		if m.b[m.at] == '"' {
			key, err = m.quoted()
		} else if key = m.ident(); key == "" {
			return nil, m.fail(m.at, "%s (want the name of an attribute)", m.found())
		}
		if err != nil {
			return nil, err
		}
		if !m.take("=") {
			d[key] = attr{at: at, set: true, text: "unit"}
			continue
		}
		if d[key], err = m.attribute(); err != nil {
			return nil, err
		}
	}
}

// dialect reads #name, #name<...> or an alias.
func (m *module) dialect() (attr, error) {
	a := attr{at: m.at, set: true}
	m.at++
	name := m.ident()
	if !m.has("<") {
		if known, ok := m.aliases[name]; ok {
			return known, nil
		}
		a.text = "#" + name
		return a, nil
	}
	start := m.at
	body, err := m.balanced()
	if err != nil {
		return a, err
	}
	a.text = "#" + name + body
	if name == "stablehlo.conv" || name == "mhlo.conv" || name == "mhlo" || name == "stablehlo" || !strings.Contains(body, "=") {
		return a, nil
	}
	// Of key = value pairs the values are read, if all of it has that form.
	inner := module{scanner: scanner{file: m.file, b: m.b[:m.at-1], at: start + 1, deep: m.deep}, aliases: m.aliases}
	d := map[string]attr{}
	for inner.peek() != 0 {
		if inner.take(",") {
			continue
		}
		key := inner.ident()
		if key == "" || !inner.take("=") {
			return a, nil
		}
		v, err := inner.attribute()
		if err != nil {
			return a, nil
		}
		d[key] = v
	}
	a.dict = d
	return a, nil
}

func (m *module) number() (attr, error) {
	a := attr{at: m.at, set: true}
	n := m.at + 1
	for n < len(m.b) && m.inNumber(n) {
		n++
	}
	a.text = string(m.b[m.at:n])
	x, ok := parseNumber(a.text)
	if !ok {
		return a, m.fail(m.at, "%s (want a number)", m.found())
	}
	a.num = &x
	m.at = n
	if m.bare {
		return a, nil
	}
	if m.take(":") {
		if c := m.peek(); digit(c) { // a range, 0:8:2
			next, err := m.number()
			if a.list = append([]attr{{num: &x, set: true}}, next.list...); next.num != nil {
				a.list = append(a.list, next)
			}
			a.num = nil
			return a, err
		}
		if _, err := m.typ(); err != nil {
			return a, err
		}
	}
	return a, nil
}

// inNumber reports whether the byte at n belongs to the number that begins here.
func (m *module) inNumber(n int) bool {
	switch c := m.b[n]; c {
	case 'x': // of 0x, and not between dimensions
		return n == m.at+1 && m.b[m.at] == '0'
	case '-', '+':
		return m.b[n-1] == 'e' || m.b[n-1] == 'E'
	default:
		return digit(c) || letter(c) || c == '.'
	}
}

func parseNumber(s string) (float64, bool) {
	if strings.HasPrefix(s, "0x") {
		u, err := strconv.ParseUint(s[2:], 16, 64)
		return float64(u), err == nil
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil
}

// word reads true, false, dense<...>, array<...>, a type, and other words.
func (m *module) word() (attr, error) {
	a := attr{at: m.at, set: true}
	start := m.at
	word := m.ident()
	one, zero := 1.0, 0.0
	switch word {
	case "true":
		a.num = &one
	case "false":
		a.num = &zero
	case "dense":
		return m.dense(a)
	case "dense_resource", "sparse":
		text, err := m.balanced()
		if err != nil {
			return a, err
		}
		a.data = &elements{resource: strings.Trim(text, "<>")}
		if m.take(":") {
			a.data.typ, err = m.typ()
		}
		return a, err
	case "array":
		if err := m.want("<"); err != nil {
			return a, err
		}
		m.ident()
		m.take(":")
		list, err := m.attributes('>')
		a.list = list
		return a, err
	case "loc", "affine_map", "affine_set", "opaque", "distinct", "strided":
		m.blank()
		if m.has("(") || m.has("<") || m.has("[") {
			text, err := m.balanced()
			a.text = text
			return a, err
		}
	case "tensor", "tuple", "complex", "vector", "memref":
		m.at = start
		_, err := m.typ()
		return a, err
	}
	a.text = word
	if m.has("<") {
		more, err := m.balanced()
		a.text += more
		return a, err
	}
	return a, nil
}

// dense reads an array. A long one is skipped.
func (m *module) dense(a attr) (attr, error) {
	if err := m.want("<"); err != nil {
		return a, err
	}
	m.blank()
	start := m.at
	a.data = &elements{}
	quoted := m.has("\"")
	if quoted {
		end := m.endOfString()
		if end < 0 {
			return a, m.fail(start, "a string without an end")
		}
		m.at = end + 1
	} else {
		n := bytes.IndexByte(m.b[m.at:], '>')
		if n < 0 {
			return a, m.fail(start, "dense< without an end")
		}
		m.at += n
	}
	text := m.b[start:m.at]
	if err := m.want(">"); err != nil {
		return a, err
	}
	if m.take(":") {
		var err error
		if a.data.typ, err = m.typ(); err != nil {
			return a, err
		}
	}
	if len(text) > maxLiteral {
		return a, nil
	}
	if quoted {
		a.data.fromHex(string(text[1 : len(text)-1]))
		return a, nil
	}
	return a, m.literal(a.data, text, start)
}

// literal reads the numbers of an array.
func (m *module) literal(d *elements, text []byte, at int) error {
	d.splat = len(text) > 0 && text[0] != '['
	for n := 0; n < len(text); {
		if strings.IndexByte(" ,[]\n\t\r", text[n]) >= 0 {
			n++
			continue
		}
		if text[n] == '(' { // a complex number
			d.nums = nil
			return nil
		}
		k := n
		for k < len(text) && strings.IndexByte(",] \n", text[k]) < 0 {
			k++
		}
		x, ok := d.number(string(text[n:k]))
		if !ok {
			return m.fail(at+n, "%q is no number", text[n:k])
		}
		d.nums = append(d.nums, x)
		n = k
	}
	d.splat = d.splat && len(d.nums) == 1
	return nil
}

// number is a number of an array: decimal, hexadecimal by its bits, or a truth value.
func (d *elements) number(word string) (float64, bool) {
	switch {
	case word == "true":
		return 1, true
	case word == "false":
		return 0, true
	case strings.HasPrefix(word, "0x"):
		return d.bits(word[2:]), true
	}
	return parseNumber(word)
}

// bits is the number that hexadecimal digits are, most significant first, by the element type.
func (d *elements) bits(digits string) float64 {
	u, err := strconv.ParseUint(digits, 16, 64)
	if err != nil {
		return math.NaN()
	}
	return d.decode(u)
}

func (d *elements) decode(u uint64) float64 {
	switch d.typ.elem {
	case "f64":
		return math.Float64frombits(u)
	case "f32":
		return float64(math.Float32frombits(uint32(u)))
	case "bf16":
		return float64(math.Float32frombits(uint32(u) << 16))
	case "f16":
		switch sign := 1 - 2*float64(u>>15&1); u >> 10 & 31 {
		case 31:
			return math.Inf(int(sign))
		case 0:
			return sign * float64(u&1023) * math.Exp2(-24)
		default:
			return sign * (1 + float64(u&1023)/1024) * math.Exp2(float64(u>>10&31)-15)
		}
	case "i8":
		return float64(int8(u))
	case "i16":
		return float64(int16(u))
	case "i32":
		return float64(int32(u))
	case "i64":
		return float64(int64(u))
	}
	return float64(u)
}

// sizes is the bytes of the element types whose hexadecimal form is read.
var sizes = map[string]int{"f64": 8, "f32": 4, "bf16": 2, "f16": 2, "i64": 8, "ui64": 8, "i32": 4, "ui32": 4, "i16": 2, "ui16": 2, "i8": 1, "ui8": 1, "i1": 1}

// fromHex decodes a small array from little-endian bytes: as many as it has, or one for all.
func (d *elements) fromHex(s string) {
	raw, err := hex.DecodeString(strings.TrimPrefix(s, "0x"))
	size := sizes[d.typ.elem]
	if err != nil || size == 0 || len(raw) == 0 || len(raw)%size != 0 || d.typ.elem == "i1" {
		return
	}
	for n := 0; n < len(raw); n += size {
		var word [8]byte
		copy(word[:], raw[n:n+size])
		d.nums = append(d.nums, d.decode(binary.LittleEndian.Uint64(word[:])))
	}
	d.splat = len(d.nums) == 1
	if !d.splat && int64(len(d.nums)) != d.typ.Elements() {
		d.nums = nil
	}
}
