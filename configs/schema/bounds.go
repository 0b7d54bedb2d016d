package schema

import (
	"math"
	"reflect"
)

// boundWhole adds the bounds of whole numbers that follow from their type: unsigned ones are not
// negative, and narrow ones have a range.
func boundWhole(s Schema, t reflect.Type) {
	eachScalar(s, t, "", func(s Schema, t reflect.Type) {
		switch t.Kind() {
		case reflect.Uint, reflect.Uint64:
			setBound(s, "minimum", 0)
		case reflect.Uint8, reflect.Uint16, reflect.Uint32:
			setBound(s, "minimum", 0)
			setBound(s, "maximum", math.Ldexp(1, t.Bits())-1)
		case reflect.Int8, reflect.Int16, reflect.Int32:
			setBound(s, "minimum", -math.Ldexp(1, t.Bits()-1))
			setBound(s, "maximum", math.Ldexp(1, t.Bits()-1)-1)
		}
	})
}

// The largest numbers of a key without its own maximum: far beyond realistic values, so that a
// typing error is reported and does not cause an endless run.
const (
	maxCount  = 1 << 48
	maxNumber = 1e15
)

// refuseAbsurd bounds the numbers of a schema that have no bound of their own. Seeds may have
// any bits. It serves validation only: the schema that is printed has only the bounds of the
// model.
func refuseAbsurd(s Schema, t reflect.Type) {
	eachScalar(s, t, "seed", func(s Schema, t reflect.Type) {
		switch t.Kind() {
		case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64:
			setBound(s, "maximum", maxCount)
		case reflect.Float32, reflect.Float64:
			setBound(s, "maximum", maxNumber)
		}
	})
}

// setBound sets a bound that the schema does not have yet.
func setBound(s Schema, key string, x float64) {
	if _, ok := s[key]; !ok {
		s[key] = x
	}
}

// eachScalar calls f for the scalars of a type and their schemas, at any depth. It leaves out the
// fields of the key skip.
func eachScalar(s Schema, t reflect.Type, skip string, f func(s Schema, t reflect.Type)) {
	t = elem(t)
	if Opaque(t) || s == nil {
		return
	}
	inside := func(s Schema, key string) Schema {
		in, _ := s[key].(Schema)
		return in
	}
	switch t.Kind() {
	case reflect.Struct:
		for _, field := range Fields(t) {
			if field.Key != skip {
				eachScalar(inside(inside(s, "properties"), field.Key), field.Type, skip, f)
			}
		}
	case reflect.Slice, reflect.Array:
		eachScalar(inside(s, "items"), t.Elem(), skip, f)
	case reflect.Map:
		eachScalar(inside(s, "additionalProperties"), t.Elem(), skip, f)
	default:
		f(s, t)
	}
}
