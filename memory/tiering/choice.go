package tiering

import (
	"reflect"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
)

// A Choice is what the key policy says: a name of placement.All, and the keys of
// that policy beside it.
type Choice struct {
	Name string
	spec any // of the policy; nil: its defaults
}

// Choose is a policy with a spec, for nodes made in Go; nil takes its defaults.
func Choose(name string, spec any) Choice { return Choice{name, spec} }

// UnmarshalConfig implements configs.Unmarshaler.
func (c *Choice) UnmarshalConfig(v configs.Value) error {
	if v.Kind() != configs.Map {
		return v.Errorf(nil, "is %s (want a mapping with a name: {name: colloid})", v.Text())
	}
	name := v.Get("name")
	if !name.Exists() {
		return v.Errorf(placement.All.Names(), "has no name")
	}
	text, err := name.String()
	if err != nil {
		return err
	}
	e, ok := placement.All.Entry(text)
	if !ok {
		x := name.Errorf(placement.All.Names(), "unknown placement policy %q", text)
		x.Nearest = configs.Nearest(text, placement.All.Names())
		return x
	}
	spec := reflect.New(reflect.TypeOf(e.Spec))
	spec.Elem().Set(reflect.ValueOf(e.Spec))
	if err := v.Decode(spec.Interface(), configs.Beside("name")); err != nil {
		return err
	}
	c.Name, c.spec = text, spec.Elem().Interface()
	if _, err := e.New(c.spec); err != nil {
		return v.Errorf(nil, "%s", err)
	}
	return nil
}

// MarshalText prints the name.
func (c Choice) MarshalText() ([]byte, error) { return []byte(c.Name), nil }

func init() {
	names := make([]any, 0, len(placement.All.Names()))
	for _, n := range placement.All.Names() {
		names = append(names, n)
	}
	configs.RegisterSchema[Choice](configs.Schema{
		"type": "object", "title": "a placement policy with its keys", "required": []any{"name"},
		"properties": configs.Schema{"name": configs.Schema{"type": "string", "enum": names}},
		"examples":   []any{map[string]any{"name": "colloid"}},
	})
}
