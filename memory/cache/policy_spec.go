package cache

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/memory/policy"
	_ "github.com/causeway-sim/causeway/memory/policy/dco" // one of policy.All
)

// A Choice is what the key policy says: a name of policy.All, and the keys of
// that policy beside it.
type Choice struct {
	Name string
	spec any // of the policy; nil: its defaults
}

// UnmarshalConfig implements configs.Unmarshaler.
func (c *Choice) UnmarshalConfig(v configs.Value) error {
	n, err := named.Read(v, "replacement policy", policy.All)
	c.Name, c.spec = n.Name, n.Spec
	return err
}

// MarshalText prints the name.
func (c Choice) MarshalText() ([]byte, error) { return []byte(c.Name), nil }

func init() {
	schema.RegisterFunc[Choice](func() schema.Schema {
		return named.Schema("a replacement policy", policy.All)
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
