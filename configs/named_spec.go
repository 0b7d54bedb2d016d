package configs

import (
	"reflect"
	"slices"
)

// Choice returns the name of one of several implementations, which may have their own keys:
//
//	topology: mesh
//	topology: {name: mesh, dims: [8, 8]}
//
// The text what names the kind of implementation in errors. A name that is not in names is an
// error.
func (v Value) Choice(what string, names []string) (string, error) {
	n := v
	if v.Kind() == Map {
		if n = v.Get("name"); !n.Exists() {
			return "", v.Errorf(names, "has no name")
		}
	}
	name, err := n.String()
	if err != nil {
		return "", err
	}
	if !slices.Contains(names, name) {
		return "", n.Errorf(names, "unknown %s %q", what, name)
	}
	return name, nil
}

// Parameters decodes the keys next to the name of a Choice into a copy of the struct defaults.
// With nil defaults any further key is an error and the result is nil.
func (v Value) Parameters(defaults any) (any, error) {
	if v.Kind() != Map {
		return defaults, nil
	}
	if defaults == nil {
		var none struct{}
		return nil, v.Decode(&none, Beside("name"))
	}
	p := reflect.New(reflect.TypeOf(defaults))
	p.Elem().Set(reflect.ValueOf(defaults))
	err := v.Decode(p.Interface(), Beside("name"))
	return p.Elem().Interface(), err
}

// Place returns the value for an error about a key of v: the value of the key, or v if it is
// absent.
func (v Value) Place(key string) Value {
	if x := v.Get(key); x.Exists() {
		return x
	}
	return v
}
