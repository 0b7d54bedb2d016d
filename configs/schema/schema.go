package schema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
)

// Of returns the JSON Schema of the mapping that decodes into a Spec. The values of spec are
// the defaults. Bounds come from the fields' jsonschema tags (minimum=1, maximum=64, enum=os,
// enum=ws, required, minItems=1, ...), descriptions from their doc tags.
func Of(spec any) Schema {
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
	boundWhole(s, t)
	return s
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("schema: " + err.Error()) // only plain trees come here
	}
	return b
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
	if Opaque(v.Type()) {
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
		for _, f := range Fields(v.Type()) {
			p, _ := props[f.Key].(Schema)
			addDefaults(p, v.FieldByIndex(f.Index))
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
