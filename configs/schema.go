package configs

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// SchemaOf returns the JSON Schema of the mapping that decodes into a Spec. The values of spec are
// the defaults. Bounds come from the fields' jsonschema tags (minimum=1, maximum=64, enum=os,
// enum=ws, required, minItems=1, ...), descriptions from their doc tags.
func SchemaOf(spec any) Schema {
	v := reflect.ValueOf(spec)
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	s := reflectSchema(v.Type())
	addDefaults(s, v)
	return s
}

// reflectSchema is the schema of a type without defaults.
func reflectSchema(t reflect.Type) Schema {
	checkSpec(t, nil)
	s := generate(t)
	bound(s, t)
	return s
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("configs: " + err.Error()) // only plain trees come here
	}
	return b
}

// bound adds what the generator leaves out: that unsigned numbers are not
// negative, and the range of narrow ones.
func bound(s Schema, t reflect.Type) {
	t = elem(t)
	if opaque(t) || s == nil {
		return
	}
	least := func(key string, x float64) {
		if _, ok := s[key]; !ok {
			s[key] = x
		}
	}
	switch k := t.Kind(); k {
	case reflect.Struct:
		props, _ := s["properties"].(Schema)
		for _, f := range fields(t) {
			p, _ := props[f.key].(Schema)
			bound(p, f.field.Type)
		}
	case reflect.Slice, reflect.Array:
		p, _ := s["items"].(Schema)
		bound(p, t.Elem())
	case reflect.Map:
		p, _ := s["additionalProperties"].(Schema)
		bound(p, t.Elem())
	case reflect.Uint, reflect.Uint64:
		least("minimum", 0)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		least("minimum", 0)
		least("maximum", math.Ldexp(1, t.Bits())-1)
	case reflect.Int8, reflect.Int16, reflect.Int32:
		least("minimum", -math.Ldexp(1, t.Bits()-1))
		least("maximum", math.Ldexp(1, t.Bits()-1)-1)
	}
}

// addDefaults writes the values that a Spec starts with into its schema.
func addDefaults(s Schema, v reflect.Value) {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	if s == nil || !v.IsValid() || v.IsZero() {
		return
	}
	if m, ok := v.Interface().(encoding.TextMarshaler); ok {
		if b, err := m.MarshalText(); err == nil && len(b) > 0 {
			s["default"] = string(b)
		}
		return
	}
	if opaque(v.Type()) {
		if str, ok := v.Interface().(fmt.Stringer); ok {
			s["default"] = str.String()
		} else if v.Kind() == reflect.String {
			s["default"] = v.String()
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		props, _ := s["properties"].(Schema)
		for _, f := range fields(v.Type()) {
			p, _ := props[f.key].(Schema)
			addDefaults(p, v.FieldByIndex(f.index))
		}
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		s["default"] = v.Interface()
	case reflect.Slice:
		list := []any{}
		for i := range v.Len() {
			item := Schema{}
			addDefaults(item, v.Index(i))
			d, ok := item["default"]
			if !ok {
				return // a list of mappings is no default that fits on a line
			}
			list = append(list, d)
		}
		s["default"] = list
	}
}

// A Key describes one key of a Spec, for people.
type Key struct {
	Path     string // sram.ifmap
	Type     string // "whole number", "an amount of data", "list of text"
	Default  string // "" if there is none
	Doc      string
	Values   []string // allowed words, if only some are
	Range    string   // "at least 1", "1 to 64", or ""
	Required bool
}

// Keys lists the keys of a Spec in the order of its fields, those of a nested mapping after its
// key.
func Keys(spec any) []Key {
	v := reflect.ValueOf(spec)
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return listKeys(SchemaOf(spec), v.Type(), "")
}

func listKeys(s Schema, t reflect.Type, prefix string) []Key {
	var out []Key
	props, _ := s["properties"].(Schema)
	required, _ := s["required"].([]any)
	for _, f := range fields(t) {
		p, _ := props[f.key].(Schema)
		k := Key{Path: prefix + f.key, Type: describe(p), Range: rangeText(p)}
		k.Doc, _ = p["description"].(string)
		if d, ok := p["default"]; ok {
			k.Default = strings.Trim(string(mustJSON(d)), `"`)
		}
		for _, r := range required {
			k.Required = k.Required || r == f.key
		}
		enum, _ := p["enum"].([]any)
		for _, w := range enum {
			k.Values = append(k.Values, fmt.Sprint(w))
		}
		out = append(out, k)
		if in := elem(f.field.Type); in.Kind() == reflect.Struct && !opaque(in) {
			out = append(out, listKeys(p, in, k.Path+".")...)
		} else if keys := keysOf(in); keys != nil {
			if _, ok := p["properties"]; !ok { // a word or a mapping
				p = SchemaOf(keys)
			}
			out = append(out, listKeys(p, reflect.TypeOf(keys), k.Path+".")...)
		}
	}
	return out
}

func describe(s Schema) string {
	if title, ok := s["title"].(string); ok {
		return title
	}
	switch s["type"] {
	case "integer":
		return "a whole number"
	case "number":
		return "a number"
	case "boolean":
		return "true or false"
	case "string":
		return "text"
	case "array":
		in, _ := s["items"].(Schema)
		return "a list: " + describe(in)
	case "object":
		if in, ok := s["additionalProperties"].(Schema); ok {
			return "a mapping: " + describe(in)
		}
		return "a mapping"
	}
	return "any"
}

func rangeText(s Schema) string {
	lo, hasLo := s["minimum"]
	hi, hasHi := s["maximum"]
	switch {
	case hasLo && hasHi:
		return plain(lo) + " to " + plain(hi)
	case hasLo:
		return "at least " + plain(lo)
	case hasHi:
		return "at most " + plain(hi)
	}
	if x, ok := s["exclusiveMinimum"]; ok {
		return "more than " + plain(x)
	}
	return ""
}

// plain prints a bound of a schema without an exponent: 1048576, not 1.048576e+06.
func plain(bound any) string {
	if f, ok := bound.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return fmt.Sprint(bound)
}
