package cache

import (
	"fmt"
	"reflect"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/policy"
)

// A Choice is what the key policy says: a name of policy.All, and the keys of
// that policy beside it.
type Choice struct {
	Name string
	spec any // of the policy; nil: its defaults
}

// UnmarshalConfig implements configs.Unmarshaler.
func (c *Choice) UnmarshalConfig(v configs.Value) error {
	if v.Kind() != configs.Map {
		return v.Errorf(nil, "is %s (want a mapping with a name: {name: lru})", v.Text())
	}
	name := v.Get("name")
	if !name.Exists() {
		return v.Errorf(policy.All.Names(), "has no name")
	}
	text, err := name.String()
	if err != nil {
		return err
	}
	e, ok := policy.All.Entry(text)
	if !ok {
		x := name.Errorf(policy.All.Names(), "unknown replacement policy %q", text)
		x.Nearest = configs.Nearest(text, policy.All.Names())
		return x
	}
	c.Name, c.spec = text, nil
	if e.Spec == nil {
		for _, k := range v.Keys() {
			if k != "name" {
				return v.UnknownKey(k, []string{"name"})
			}
		}
		return nil
	}
	spec := reflect.New(reflect.TypeOf(e.Spec))
	spec.Elem().Set(reflect.ValueOf(e.Spec))
	if err := v.Decode(spec.Interface(), configs.Beside("name")); err != nil {
		return err
	}
	c.spec = spec.Elem().Interface()
	return nil
}

// MarshalText prints the name.
func (c Choice) MarshalText() ([]byte, error) { return []byte(c.Name), nil }

func init() {
	names := make([]any, 0, len(policy.All.Names()))
	for _, n := range policy.All.Names() {
		names = append(names, n)
	}
	configs.RegisterSchema[Choice](configs.Schema{
		"type": "object", "title": "a replacement policy with its keys", "required": []any{"name"},
		"properties": configs.Schema{"name": configs.Schema{"type": "string", "enum": names}},
		"examples":   []any{map[string]any{"name": "srrip"}},
	})
}

// make is the policy for a cache of that geometry.
func (c Choice) make(g policy.Geometry) (policy.Policy, error) {
	p, err := policy.New(c.Name, g, c.spec)
	if err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	return p, nil
}
