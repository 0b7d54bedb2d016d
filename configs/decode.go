package configs

import (
	"encoding"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/go-viper/mapstructure/v2"
)

// An Unmarshaler reads itself from a value. Its errors should be made by
// Value.Errorf, so that they point at the right place.
type Unmarshaler interface{ UnmarshalConfig(v Value) error }

// A DecodeOption changes how Decode treats one mapping.
type DecodeOption func(*decoding)

type decoding struct{ beside []string }

// Beside names keys of the mapping that somebody else reads: they are no
// error, and a message lists them among the allowed ones.
func Beside(keys ...string) DecodeOption {
	return func(d *decoding) { d.beside = append(d.beside, keys...) }
}

// Decode fills the struct that into points to, which holds the defaults. It is
// strict: an unknown key, a value of another type, a fraction where a whole
// number is wanted, a number out of the field's range and a missing required
// key are errors, all reported in one Errors, each at its place. Fields go by
// their yaml tag. Lists replace the default, mappings are merged into it. A
// field may be of a type with UnmarshalText or UnmarshalConfig, or be a Value.
//
// The jsonschema tag of a field bounds it further (minimum=1, enum=os,
// required): see SchemaOf.
func (v Value) Decode(into any, opts ...DecodeOption) error {
	to := reflect.ValueOf(into)
	if to.Kind() != reflect.Pointer || to.IsNil() {
		panic(fmt.Sprintf("configs: Decode into %T, which is no pointer", into))
	}
	var d decoding
	for _, o := range opts {
		o(&d)
	}
	if !v.Exists() {
		v.n = &node{kind: Map, pos: v.Pos()}
	}
	v = v.beside(d.beside)
	isolate(to.Elem())
	dec, err := mapstructure.NewDecoder(&mapstructure.DecoderConfig{
		DecodeHook:      mapstructure.DecodeHookFuncValue(open),
		Result:          into,
		TagName:         "yaml",
		SquashTagOption: "inline",
		Squash:          true,
		MatchName:       func(key, field string) bool { return key == field },
	})
	if err != nil {
		panic("configs: " + err.Error()) // only a wrong DecoderConfig
	}
	// First the decoder: its messages know the type, those of the schema add
	// what the type does not say. Unknown keys are left to the schema, which
	// unlike the decoder's ErrorUnused finds the ones inside lists, with a
	// place.
	var errs Errors
	said := map[string]bool{}
	for _, x := range located(dec.Decode(v)) {
		if e, ok := x.(*Error); ok {
			said[e.Path] = true
		}
		errs.Add(x)
	}
	if t := to.Elem().Type(); t.Kind() == reflect.Struct && !opaque(t) {
		compiledFor(t).validate(v, d.beside, &errs, said)
	}
	return errs.Err()
}

// located finds our own errors inside those of the decoder.
func located(err error) []error {
	switch x := err.(type) {
	case nil:
		return nil
	case *Error:
		return []error{x}
	case interface{ Unwrap() []error }:
		var out []error
		for _, e := range x.Unwrap() {
			out = append(out, located(e)...)
		}
		return out
	case interface{ Unwrap() error }:
		if e := x.Unwrap(); e != nil {
			return located(e)
		}
	}
	return []error{err}
}

var (
	valueType = reflect.TypeFor[Value]()
	ownType   = reflect.TypeFor[Unmarshaler]()
	textType  = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// open is the decode hook. The input stays a Value down to the scalars: each
// call opens one level, so every level knows its place, which the plain tree
// that mapstructure usually walks does not.
func open(from, to reflect.Value) (any, error) {
	v, ok := from.Interface().(Value)
	if !ok || to.Type() == valueType || to.Kind() == reflect.Pointer {
		return from.Interface(), nil
	}
	if v.n == nil || v.n.bad {
		return to.Interface(), nil // complained about already: the default stays
	}
	if p := to.Addr(); p.Type().Implements(ownType) {
		if err := p.Interface().(Unmarshaler).UnmarshalConfig(v); err != nil {
			return nil, v.locate(err)
		}
		return to.Interface(), nil
	} else if p.Type().Implements(textType) {
		if k := v.Kind(); k == Null || k == List || k == Map {
			return nil, v.wrongKind(String)
		}
		if err := p.Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(v.Text())); err != nil {
			return nil, v.locate(err)
		}
		return to.Interface(), nil
	}
	return v.openPlain(to)
}

func (v Value) openPlain(to reflect.Value) (any, error) {
	switch to.Kind() {
	case reflect.Interface:
		return v.Any(), nil
	case reflect.Struct, reflect.Map:
		if v.Kind() != Map {
			return nil, v.wrongKind(Map)
		}
		out := make(map[string]any, len(v.n.entries))
		for _, e := range v.n.entries {
			out[e.key] = Value{n: e.val, t: &trail{up: v.t, in: v.n, label: e.key}}
		}
		return out, nil
	case reflect.Slice, reflect.Array:
		if v.Kind() != List {
			return nil, v.wrongKind(List)
		}
		to.SetZero() // or mapstructure would write over the array of the default
		items := v.Items()
		if to.Kind() == reflect.Array && len(items) != to.Len() {
			return nil, v.Errorf(nil, "has %d items, not %d", len(items), to.Len())
		}
		out := make([]any, len(items))
		for i, x := range items {
			out[i] = x
		}
		return out, nil
	case reflect.Bool:
		return v.Bool()
	case reflect.String:
		return v.String()
	case reflect.Float32, reflect.Float64:
		return v.Float()
	}
	return v.openInt(to)
}

// openInt reads a whole number and its range, which mapstructure would let
// wrap around.
func (v Value) openInt(to reflect.Value) (any, error) {
	switch to.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i, err := v.Int()
		if err == nil && to.OverflowInt(i) {
			least := int64(-1) << (to.Type().Bits() - 1)
			err = v.Errorf(nil, "%d is out of range (want %d to %d)", i, least, -(least + 1))
		}
		return i, err
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		u, err := v.uint(math.MaxUint64 >> (64 - to.Type().Bits()))
		return u, err
	}
	panic(fmt.Sprintf("configs: a Spec has a field of type %s", to.Type()))
}

// locate gives an error a place if it has none.
func (v Value) locate(err error) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Pos != (Pos{}) {
		return err
	}
	return v.Errorf(nil, "%s", err.Error())
}

// isolate replaces what the defaults share with others (maps, pointed-to
// structs) by copies, so that decoding into a copy of a Spec never changes the
// original.
func isolate(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				isolate(v.Field(i))
			}
		}
	case reflect.Map:
		if !v.IsNil() && v.CanSet() {
			c := reflect.MakeMapWithSize(v.Type(), v.Len())
			for it := v.MapRange(); it.Next(); {
				c.SetMapIndex(it.Key(), it.Value())
			}
			v.Set(c)
		}
	case reflect.Pointer:
		if !v.IsNil() && v.CanSet() {
			c := reflect.New(v.Type().Elem())
			c.Elem().Set(v.Elem())
			v.Set(c)
			isolate(c.Elem())
		}
	}
}

// sortedKeys lists the keys of a map in order.
func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
