package schema

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

// Register sets the JSON Schema of an opaque type T. Without it, the schema of a type with
// UnmarshalText accepts any scalar, and that of another opaque type any value. Call it in an init
// function.
func Register[T any](s Schema) {
	RegisterFunc[T](func() Schema { return maps.Clone(s) })
}

// RegisterFunc is like Register, for a schema that lists registered names. f is called
// when the schema is needed, after all init functions.
func RegisterFunc[T any](f func() Schema) {
	typeMu.Lock()
	defer typeMu.Unlock()
	typeSchemas[reflect.TypeFor[T]()] = f
}

// Enumerator is implemented by types with UnmarshalText that accept only certain words. The schema
// and error messages list them.
type Enumerator interface{ ConfigValues() []string }

// Keyed is implemented by other opaque types whose keys are the fields of a struct.
// ConfigKeys returns that struct with the defaults.
type Keyed interface{ ConfigKeys() any }

// keysOf returns the keys of a type that decodes itself; nil if it is not Keyed.
func keysOf(t reflect.Type) any {
	if k, ok := reflect.New(elem(t)).Interface().(Keyed); ok && Opaque(elem(t)) {
		return k.ConfigKeys()
	}
	return nil
}

// typeSchema is the schema of an opaque type; nil for other types.
func typeSchema(t reflect.Type) Schema {
	if !Opaque(t) {
		return nil
	}
	typeMu.RLock()
	s, ok := typeSchemas[t]
	typeMu.RUnlock()
	if ok {
		return s()
	}
	if k := keysOf(t); k != nil {
		return Of(k)
	}
	if e, ok := reflect.New(t).Interface().(Enumerator); ok {
		words := []any{}
		for _, w := range e.ConfigValues() {
			words = append(words, w)
		}
		return Schema{"type": "string", "enum": words}
	}
	if onlyFromText(t) {
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
	Register[units.Bytes](quantity("an amount of data", "64KiB", bytes))
	Register[units.Time](quantity("a time", "80ns", time))
	Register[units.Bandwidth](quantity("a data rate", "51.2GB/s", "[KMGT]?(B|bit)/s"))
	Register[units.Frequency](quantity("a clock, as frequency or period", "940MHz", "[KkMG]?Hz|"+time))
	Register[units.Latency](quantity("a latency, in cycles or time", "10cycle", "cycle|"+time))
	Register[units.FLOPS](quantity("a compute rate", "90TFLOP/s", "[MGTP]?FLOP/s"))
	Register[units.Energy](quantity("an energy", "0.2pJ", "[fpnum]?J"))
	Register[units.Power](quantity("a power", "1.5W", "[umk]?W"))
	Register[units.Area](quantity("an area", "814mm2", "[umc]m2"))
	Register[units.Length](quantity("a length", "20um", "[numc]?m"))
}
