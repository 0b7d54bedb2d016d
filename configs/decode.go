package configs

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/causeway-sim/causeway/configs/schema"
)

// An Unmarshaler decodes itself from a value. Its errors should come from Value.Errorf, so that
// they have the right place.
type Unmarshaler interface{ UnmarshalConfig(v Value) error }

// A DecodeOption changes how Decode treats one mapping.
type DecodeOption func(*decoding)

type decoding struct{ otherKeys []string }

// Beside lists keys of the mapping that other code reads: Decode accepts them, and lists them
// among the allowed keys.
func Beside(keys ...string) DecodeOption {
	return func(d *decoding) { d.otherKeys = append(d.otherKeys, keys...) }
}

// Decode fills the struct that into points to, which holds the defaults. It is strict: an unknown
// key, a wrong type, a fraction for a whole number, a number out of range and a missing required
// key are errors, all in one Errors, each with its place. The yaml tag of a field is its key. A
// list replaces the default, a mapping is merged into it. A field may have a type with
// UnmarshalText or UnmarshalConfig, or be a Value.
//
// The jsonschema tag of a field adds bounds (minimum=1, enum=os, required): see schema.Of. Decode
// panics if into is not a pointer to a valid Spec.
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
	v = v.withoutKeys(d.otherKeys)
	isolate(to.Elem())
	// First the decoder: its messages know the type, those of the schema add
	// what the type does not say. Unknown keys are left to the schema, which
	// finds the ones inside lists as well.
	var errs Errors
	v.fill(to.Elem(), &errs)
	said := map[string]bool{}
	for _, x := range errs {
		if e, ok := x.(*Error); ok {
			said[e.Path] = true
		}
	}
	if t := to.Elem().Type(); t.Kind() == reflect.Struct && !schema.Opaque(t) {
		v.check(schema.RuleFor(t), d.otherKeys, func(e *Error) {
			if !said[e.Path] {
				errs.Add(e)
			}
		})
	}
	return errs.Err()
}

var valueType = reflect.TypeFor[Value]()

func init() { schema.SelfDecoding[Unmarshaler]() }

// UnmarshalConfig keeps from as it is: a field of type Value has the value undecoded.
func (v *Value) UnmarshalConfig(from Value) error {
	*v = from
	return nil
}

// fill decodes v into a variable, and adds what is wrong to errs; what a wrong value
// would fill keeps its default.
func (v Value) fill(to reflect.Value, errs *Errors) {
	switch {
	case to.Type() == valueType:
		to.Set(reflect.ValueOf(v))
	case to.Kind() == reflect.Pointer:
		x, before := to, len(*errs)
		if to.IsNil() {
			x = reflect.New(to.Type().Elem())
		}
		if v.fill(x.Elem(), errs); len(*errs) == before {
			to.Set(x)
		}
	case v.n == nil || v.n.bad: // complained about already
	case schema.Opaque(to.Type()):
		if err := v.fillOpaque(to.Addr().Interface()); err != nil {
			errs.Add(located(v.Locate(err)))
		}
	default:
		if err := v.fillPlain(to, errs); err != nil {
			errs.Add(err)
		}
	}
}

// located takes a located error out of what wraps it.
func located(err error) error {
	for {
		switch x := err.(type) {
		case *Error:
			return err
		case interface{ Unwrap() error }:
			if in := x.Unwrap(); in != nil {
				err = in
				continue
			}
		}
		return err
	}
}

// fillOpaque fills a variable of a type that reads itself.
func (v Value) fillOpaque(to any) error {
	if own, ok := to.(Unmarshaler); ok {
		return own.UnmarshalConfig(v)
	}
	if k := v.Kind(); k == Null || k == List || k == Map {
		return v.wrongKind(String)
	}
	return to.(encoding.TextUnmarshaler).UnmarshalText([]byte(v.Text()))
}

// fillPlain fills a variable by its type. The error is v's own; those of what v holds
// are added to errs.
func (v Value) fillPlain(to reflect.Value, errs *Errors) (err error) {
	switch to.Kind() {
	case reflect.Interface:
		if x := v.Any(); x != nil {
			to.Set(reflect.ValueOf(x))
		}
		return nil
	case reflect.Struct, reflect.Map:
		if v.Kind() != Map {
			return v.wrongKind(Map)
		}
		if to.Kind() == reflect.Map {
			v.fillMap(to, errs)
			return nil
		}
		for _, f := range schema.Fields(to.Type()) {
			x, in := v.Get(f.Key), to.FieldByIndex(f.Index)
			if x.saysNothing(in.Type()) {
				errs.Add(x.Errorf(keysIn(in.Type()), "is an empty mapping, which says nothing"))
			} else if x.Exists() {
				x.fill(in, errs)
			}
		}
		return nil
	case reflect.Slice, reflect.Array:
		if v.Kind() != List {
			return v.wrongKind(List)
		}
		return v.fillList(to, errs)
	case reflect.Bool:
		var x bool
		if x, err = v.Bool(); err == nil {
			to.SetBool(x)
		}
	case reflect.String:
		var x string
		if x, err = v.String(); err == nil {
			to.SetString(x)
		}
	case reflect.Float32, reflect.Float64:
		var x float64
		if x, err = v.Float(); err == nil {
			to.SetFloat(x)
		}
	default:
		return v.fillInt(to)
	}
	return err
}

// saysNothing reports whether v is an empty mapping that leaves a field at its defaults. A pointer
// is set by the key itself, and types that decode themselves decide. Missing required keys are
// reported by name.
func (v Value) saysNothing(t reflect.Type) bool {
	if schema.Opaque(t) || v.Kind() != Map || len(v.n.entries) > 0 {
		return false
	}
	return t.Kind() == reflect.Map || t.Kind() == reflect.Struct && schema.RuleFor(t).Required == nil
}

// keysIn lists the keys of a mapping; nil: they are any.
func keysIn(t reflect.Type) (keys []string) {
	if t.Kind() == reflect.Map {
		return nil
	}
	for _, f := range schema.Fields(t) {
		keys = append(keys, f.Key)
	}
	return keys
}

func (v Value) fillMap(to reflect.Value, errs *Errors) {
	t := to.Type()
	if to.IsNil() {
		to.Set(reflect.MakeMapWithSize(t, len(v.n.entries)))
	}
	for _, e := range v.n.entries {
		x := reflect.New(t.Elem()).Elem()
		before := len(*errs)
		v.Get(e.key).fill(x, errs)
		if len(*errs) == before {
			to.SetMapIndex(reflect.ValueOf(e.key).Convert(t.Key()), x)
		}
	}
}

func (v Value) fillList(to reflect.Value, errs *Errors) error {
	items := v.Items()
	if to.Kind() == reflect.Slice {
		to.Set(reflect.MakeSlice(to.Type(), len(items), len(items)))
	} else if to.SetZero(); len(items) != to.Len() {
		return v.Errorf(nil, "has %d items, not %d", len(items), to.Len())
	}
	for i, x := range items {
		x.fill(to.Index(i), errs)
	}
	return nil
}

// fillInt fills a whole number within the range of its type.
func (v Value) fillInt(to reflect.Value) error {
	switch {
	case to.CanInt():
		i, err := v.Int()
		if err == nil && to.OverflowInt(i) {
			least := int64(-1) << (to.Type().Bits() - 1)
			err = v.Errorf(nil, "%d is out of range (want %d to %d)", i, least, -(least + 1))
		}
		if err == nil {
			to.SetInt(i)
		}
		return err
	case to.CanUint():
		u, err := v.uint(math.MaxUint64 >> (64 - to.Type().Bits()))
		if err == nil {
			to.SetUint(u)
		}
		return err
	}
	panic(fmt.Sprintf("configs: a Spec has a field of type %s", to.Type()))
}

// Locate returns err with the place of v if err has none; nil for nil.
func (v Value) Locate(err error) error {
	if err == nil {
		return nil
	}
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
