package configs

import (
	"fmt"
	"reflect"
	"strings"
)

// field is one key of a Spec.
type field struct {
	key   string
	index []int // as reflect.Value.FieldByIndex takes it
	field reflect.StructField
}

// fields lists the keys of a Spec in the order of its fields, those of inlined
// and embedded structs in the place of the struct. It panics where a Spec is
// no Spec: a program that cannot be repaired by a configuration.
func fields(t reflect.Type) []field {
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("configs: Spec %s is no struct", t))
	}
	var out []field
	for f := range t.Fields() {
		tag, opts, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case tag == "-":
		case strings.Contains(opts, "inline"), f.Anonymous && tag == "" && f.Type.Kind() == reflect.Struct:
			for _, in := range fields(f.Type) {
				in.index = append([]int{f.Index[0]}, in.index...)
				out = append(out, in)
			}
		case !f.IsExported():
		case tag == "":
			panic(fmt.Sprintf("configs: Spec %s: field %s has no yaml tag", t, f.Name))
		default:
			out = append(out, field{tag, f.Index, f})
		}
	}
	return out
}

// opaque reports whether a type reads itself, so that its fields are no keys.
func opaque(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return t == valueType || p.Implements(ownType) || p.Implements(textType)
}

// elem is the type that pointers of type t point to.
func elem(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// checkSpec panics on fields that no YAML can fill, and on types that hold
// themselves, whose schema has no end.
func checkSpec(t reflect.Type, inside []reflect.Type) {
	t = elem(t)
	if opaque(t) {
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		for _, in := range inside {
			if in == t {
				panic(fmt.Sprintf("configs: Spec %s holds itself", t))
			}
		}
		for _, f := range fields(t) {
			checkSpec(f.field.Type, append(inside, t))
		}
	case reflect.Slice, reflect.Array:
		checkSpec(t.Elem(), inside)
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			panic(fmt.Sprintf("configs: a Spec has a map with keys of type %s", t.Key()))
		}
		checkSpec(t.Elem(), inside)
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer, reflect.Uintptr:
		panic(fmt.Sprintf("configs: a Spec has a field of type %s", t))
	}
}
