package configs

import "reflect"

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
	t = elem(t)
	if opaque(t) || s == nil {
		return
	}
	most := func(x float64) {
		if _, ok := s["maximum"]; !ok {
			s["maximum"] = x
		}
	}
	switch t.Kind() {
	case reflect.Struct:
		props, _ := s["properties"].(Schema)
		for _, f := range fields(t) {
			if p, _ := props[f.key].(Schema); f.key != "seed" {
				refuseAbsurd(p, f.field.Type)
			}
		}
	case reflect.Slice, reflect.Array:
		p, _ := s["items"].(Schema)
		refuseAbsurd(p, t.Elem())
	case reflect.Map:
		p, _ := s["additionalProperties"].(Schema)
		refuseAbsurd(p, t.Elem())
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64:
		most(maxCount)
	case reflect.Float32, reflect.Float64:
		most(maxNumber)
	}
}
