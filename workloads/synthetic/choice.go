package synthetic

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// A Choice is the value of the key generate: a name in Layers with the keys of that layer. The
// zero value is none.
type Choice struct {
	Name  string
	layer Layer // nil: nothing is generated
}

// Layer returns the layer; nil for the zero value.
func (c Choice) Layer() Layer { return c.layer }

// UnmarshalConfig implements configs.Unmarshaler.
func (c *Choice) UnmarshalConfig(v configs.Value) error {
	n, err := named.Read(v, "generated layer", Layers)
	if err != nil {
		return err
	}
	e, _ := Layers.Entry(n.Name)
	c.Name, c.layer = n.Name, e.New(n.Spec)
	var errs configs.Errors
	if err := c.layer.Check(); err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			key, _, _ := strings.Cut(line, " ")
			errs.Add(v.Place(key).Errorf(nil, "%s", line))
		}
	}
	if l, ok := c.layer.(idler); ok {
		keys, why := l.idle()
		for _, key := range keys {
			if x := v.Get(key); x.Exists() {
				errs.Add(x.Errorf(nil, "has no effect %s", why))
			}
		}
	}
	return errs.Err()
}

// An idler is a layer that some of its keys have no effect on, as others stand.
type idler interface {
	idle() (keys []string, why string)
}

// MarshalText prints the name.
func (c Choice) MarshalText() ([]byte, error) { return []byte(c.Name), nil }

func init() {
	schema.RegisterFunc[Choice](func() schema.Schema {
		return named.Schema("a generated layer", Layers)
	})
}

// Open opens the requests of one core, of at most burst bytes each.
func (c Choice) Open(core int, burst uint64) (*trace.File, error) {
	r, err := NewReader(c.layer, core, burst)
	if err != nil {
		return nil, fmt.Errorf("generate %s: %w", c.Name, err)
	}
	return &trace.File{Reader: r, Source: &trace.Source{Name: "generated " + c.Name}, Format: "generated"}, nil
}
