package player

import (
	"fmt"
	"math"
	"strings"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/synthetic"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// A Generate is what the key generate says: a name of synthetic.Layers and the
// keys of that layer beside it. The driver asks for what the core of its own
// number does.
type Generate struct {
	Name  string
	layer synthetic.Layer // nil: nothing is generated
}

// Generated is a layer under its name, for drivers made in Go.
func Generated(name string, l synthetic.Layer) Generate { return Generate{name, l} }

// Layer is the layer; nil if there is none.
func (g Generate) Layer() synthetic.Layer { return g.layer }

// UnmarshalConfig implements configs.Unmarshaler.
func (g *Generate) UnmarshalConfig(v configs.Value) error {
	if v.Kind() != configs.Map {
		return v.Errorf(nil, "is %s (want a mapping with a name: {name: attention})", v.Text())
	}
	name, err := v.Choice("generated layer", synthetic.Layers.Names())
	if err != nil {
		return err
	}
	e, _ := synthetic.Layers.Entry(name)
	spec, err := v.Parameters(e.Spec)
	if err != nil {
		return err
	}
	g.Name, g.layer = name, e.New(spec)
	var errs configs.Errors
	if err := g.layer.Check(); err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			key, _, _ := strings.Cut(line, " ")
			errs.Add(v.Place(key).Errorf(nil, "%s", line))
		}
	}
	return errs.Err()
}

// MarshalText prints the name.
func (g Generate) MarshalText() ([]byte, error) { return []byte(g.Name), nil }

func init() {
	configs.RegisterSchemaFunc[Generate](func() configs.Schema {
		return configs.ChoiceSchema("a generated layer with its keys", synthetic.Layers.Names(), "attention")
	})
}

// open opens the requests of one core.
func (g Generate) open(core int, burst uint64) (*trace.File, error) {
	r, err := synthetic.NewReader(g.layer, core, burst)
	if err != nil {
		return nil, fmt.Errorf("generate %s: %w", g.Name, err)
	}
	return &trace.File{Reader: r, Source: &trace.Source{Name: "generated " + g.Name}, Format: "generated"}, nil
}

// coreOf is the index in a name such as Core[3], 0 without one.
func coreOf(name string) int {
	at := strings.LastIndexByte(name, '[')
	core := 0
	if at >= 0 {
		_, _ = fmt.Sscanf(name[at:], "[%d]", &core) // leaves 0 where there is no number
	}
	return core
}

// Demand is the layer whose requests the driver plays, and how many bytes of it
// the core uses up per second; without a layer ok is false. Only an open loop has
// a rate, others are as fast as memory.
func (c *Comp) Demand() (l synthetic.Layer, rate float64, ok bool) {
	s := &c.spec
	if s.Generate.layer == nil || s.Limit > 0 || s.Repeat > 1 || !s.Until.IsZero() || s.Mode.Kind == Timed {
		return nil, 0, false
	}
	if s.Mode.Kind == Closed {
		return s.Generate.layer, math.Inf(1), true
	}
	pace := c.pace.Clock()
	return s.Generate.layer, float64(s.Bytes) / float64(s.Mode.N) * float64(pace.Den()) / float64(pace.Num()), true
}
