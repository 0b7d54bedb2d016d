package configs

import (
	"reflect"
	"slices"
)

// Choice is the name of one of several things, which may have keys of their own:
//
//	topology: mesh
//	topology: {name: mesh, dims: [8, 8]}
//
// what is what messages call such a thing.
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

// Parameters reads the keys next to the name of a Choice into a copy of a struct, its
// defaults. nil takes no keys and stays nil.
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

// ChoiceSchema is the schema of a key that takes a mapping with one of the names.
func ChoiceSchema(title string, names []string, example string) Schema {
	return Schema{
		"type": "object", "title": title, "required": []any{"name"},
		"properties": Schema{"name": Schema{"type": "string", "enum": anys(names)}},
		"examples":   []any{map[string]any{"name": example}},
	}
}

func anys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// Place is what a message about a key of v points at: its value, or v itself where it
// is not there.
func (v Value) Place(key string) Value {
	if x := v.Get(key); x.Exists() {
		return x
	}
	return v
}
