package schema

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A Field is one key of a Spec. Its Index is the one for reflect.Value.FieldByIndex on the Spec.
type Field struct {
	Key string
	reflect.StructField
}

// Fields lists the keys of a Spec in the order of its fields. The keys of inlined and embedded
// structs are in the place of the struct. It panics if t is not a valid Spec.
func Fields(t reflect.Type) []Field {
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("schema: Spec %s is no struct", t))
	}
	var out []Field
	for f := range t.Fields() {
		tag, opts, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case tag == "-":
		case strings.Contains(opts, "inline"), f.Anonymous && tag == "" && f.Type.Kind() == reflect.Struct:
			for _, in := range Fields(f.Type) {
				in.Index = append([]int{f.Index[0]}, in.Index...)
				out = append(out, in)
			}
		case !f.IsExported():
		case tag == "":
			panic(fmt.Sprintf("schema: Spec %s: field %s has no yaml tag", t, f.Name))
		default:
			out = append(out, Field{tag, f})
		}
	}
	return out
}

var (
	textDecoder = reflect.TypeFor[encoding.TextUnmarshaler]()

	// selfDecoding are the other interfaces of types that decode themselves.
	selfDecoding []reflect.Type
)

// SelfDecoding declares that types with the methods of the interface I decode themselves, as types
// with UnmarshalText do. Call it in an init function, before Specs are read.
func SelfDecoding[I any]() { selfDecoding = append(selfDecoding, reflect.TypeFor[I]()) }

// Opaque reports whether a type decodes itself, so that its fields are no keys.
func Opaque(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(textDecoder) || slices.ContainsFunc(selfDecoding, p.Implements)
}

// onlyFromText reports whether t decodes itself from a scalar alone.
func onlyFromText(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(textDecoder) && !slices.ContainsFunc(selfDecoding, p.Implements)
}

// elem is the type that pointers of type t point to.
func elem(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// checkSpec panics on fields that no YAML can fill, and on types that contain
// themselves, whose schema has no end.
func checkSpec(t reflect.Type, inside []reflect.Type) {
	t = elem(t)
	if Opaque(t) {
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		if slices.Contains(inside, t) {
			panic(fmt.Sprintf("schema: Spec %s holds itself", t))
		}
		for _, f := range Fields(t) {
			checkSpec(f.Type, append(inside, t))
		}
	case reflect.Slice, reflect.Array:
		checkSpec(t.Elem(), inside)
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			panic(fmt.Sprintf("schema: a Spec has a map with keys of type %s", t.Key()))
		}
		checkSpec(t.Elem(), inside)
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer, reflect.Uintptr:
		panic(fmt.Sprintf("schema: a Spec has a field of type %s", t))
	}
}
