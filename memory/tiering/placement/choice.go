package placement

import (
	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// A Choice is the value of the key policy: a name of All with the keys of that policy.
type Choice struct {
	Name string
	spec any // of the policy; nil: its defaults
}

// Choose returns the Choice of a policy and its spec, for nodes made in Go; a nil spec is the
// defaults.
func Choose(name string, spec any) Choice { return Choice{name, spec} }

// New makes the policy, or returns the error of New.
func (c Choice) New() (Policy, error) { return New(c.Name, c.spec) }

// UnmarshalConfig implements configs.Unmarshaler.
func (c *Choice) UnmarshalConfig(v configs.Value) error {
	n, err := named.Read(v, "placement policy", All)
	if err != nil {
		return err
	}
	*c = Choice{n.Name, n.Spec}
	if _, err := c.New(); err != nil {
		return v.Errorf(nil, "%s", err)
	}
	return nil
}

// MarshalText implements encoding.TextMarshaler: the name.
func (c Choice) MarshalText() ([]byte, error) { return []byte(c.Name), nil }

func init() {
	schema.RegisterFunc[Choice](func() schema.Schema {
		return named.Schema("a placement policy", All)
	})
}
