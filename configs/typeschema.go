package configs

import (
	"maps"
	"reflect"
	"sync"

	"github.com/causeway-sim/causeway/components/units"
)

// A Schema is a JSON Schema as a plain tree.
type Schema = map[string]any

var (
	typeMu      sync.RWMutex
	typeSchemas = map[reflect.Type]func() Schema{}
)

// RegisterSchema sets the JSON Schema of a type T with UnmarshalText or UnmarshalConfig. Without
// it, the schema accepts any scalar for the former and any value for the latter. Call it in an
// init function.
func RegisterSchema[T any](s Schema) {
	RegisterSchemaFunc[T](func() Schema { return maps.Clone(s) })
}

// RegisterSchemaFunc is like RegisterSchema, for a schema that lists registered names. f is called
// when the schema is needed, after all init functions.
func RegisterSchemaFunc[T any](f func() Schema) {
	typeMu.Lock()
	defer typeMu.Unlock()
	typeSchemas[reflect.TypeFor[T]()] = f
}

// Enumerator is implemented by types with UnmarshalText that accept only certain words. The schema
// and error messages list them.
type Enumerator interface{ ConfigValues() []string }

// Keyed is implemented by types with UnmarshalConfig whose keys are the fields of a struct.
// ConfigKeys returns that struct with the defaults.
type Keyed interface{ ConfigKeys() any }

// keysOf returns the keys of a type that decodes itself; nil if it is not Keyed.
func keysOf(t reflect.Type) any {
	if k, ok := reflect.New(elem(t)).Interface().(Keyed); ok && opaque(elem(t)) {
		return k.ConfigKeys()
	}
	return nil
}

// typeSchema is the schema of a type that reads itself, nil for other types.
func typeSchema(t reflect.Type) Schema {
	if !opaque(t) {
		return nil
	}
	typeMu.RLock()
	s, ok := typeSchemas[t]
	typeMu.RUnlock()
	if ok {
		return s()
	}
	if k := keysOf(t); k != nil {
		return SchemaOf(k)
	}
	if e, ok := reflect.New(t).Interface().(Enumerator); ok {
		words := []any{}
		for _, w := range e.ConfigValues() {
			words = append(words, w)
		}
		return Schema{"type": "string", "enum": words}
	}
	if p := reflect.PointerTo(t); p.Implements(textType) && !p.Implements(ownType) {
		return Schema{"anyOf": []any{Schema{"type": "string"}, Schema{"type": "number"}, Schema{"type": "boolean"}}}
	}
	return Schema{}
}

// quantity is the schema of a number with one of the units.
func quantity(what, example, units string) Schema {
	return Schema{"type": "string", "title": what, "examples": []any{example}, "pattern": `^[0-9]+(\.[0-9]+)? *(` + units + `)$`}
}

func init() {
	const (
		bytes = "[KMGT]i?B|B"
		time  = "ps|ns|us|ms|s"
	)
	RegisterSchema[units.Bytes](quantity("an amount of data", "64KiB", bytes))
	RegisterSchema[units.Time](quantity("a time", "80ns", time))
	RegisterSchema[units.Bandwidth](quantity("a data rate", "51.2GB/s", "[KMGT]?(B|bit)/s"))
	RegisterSchema[units.Frequency](quantity("a clock, as frequency or period", "940MHz", "[KkMG]?Hz|"+time))
	RegisterSchema[units.Latency](quantity("a latency, in cycles or time", "10cycle", "cycle|"+time))
	RegisterSchema[units.FLOPS](quantity("a compute rate", "90TFLOP/s", "[MGTP]?FLOP/s"))
	RegisterSchema[units.Energy](quantity("an energy", "0.2pJ", "[fpnum]?J"))
	RegisterSchema[units.Power](quantity("a power", "1.5W", "[umk]?W"))
	RegisterSchema[units.Area](quantity("an area", "814mm2", "[umc]m2"))
	RegisterSchema[units.Length](quantity("a length", "20um", "[numc]?m"))
}
