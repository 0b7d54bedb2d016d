package profile

import (
	"fmt"
	"os"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/accelerators/work/inorder"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

var _ work.Executor = (*Comp)(nil)

// Spec is the configuration of kind profile.
type Spec struct {
	// File is the path of the table.
	File string `yaml:"file" jsonschema:"required,description=CSV table with columns machine and workload and layer and cycles and energy_nj"`
	// Machine selects the rows of this node.
	Machine string `yaml:"machine" jsonschema:"required,description=Rows of the table that are this node's"`
	// Clock is the clock of the table's cycles.
	Clock units.Frequency `yaml:"clock" jsonschema:"description=Clock that the cycles are of"`
}

// DefaultSpec has a clock of 1 GHz, and no file and machine, which are required.
func DefaultSpec() Spec { return Spec{Clock: units.Frequency{Clock: clock.GHz}} }

// Comp is the node of kind profile.
type Comp struct {
	*inorder.Executor[layer]
	spec   Spec
	table  map[key]cost
	busy   uint64
	macs   uint64
	energy float64
	group  *stats.Group
}

// A layer is one operator done.
type layer struct {
	workload, name string
	start, cycles  uint64
	macs           uint64
	pj             float64
}

// Cycles implements inorder.Layer.
func (l layer) Cycles() uint64 { return l.cycles }

// Bytes implements inorder.Layer: a table has no bytes.
func (layer) Bytes() uint64 { return 0 }

// Energy implements inorder.Priced.
func (l layer) Energy() float64 { return l.pj }

// New makes an executor and reads its table. The error is that of the file, with line and column.
func New(name string, e sim.Engine, s Spec) (*Comp, error) {
	f, err := os.Open(s.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c := &Comp{spec: s}
	if c.table, err = read(f, s.File, s.Machine); err != nil {
		return nil, err
	}
	c.Executor = inorder.New(c, name, e, s.Clock.Clock, inorder.Model[layer]{Cost: c.cost, Count: c.count, Start: func(l *layer) *uint64 { return &l.start }})
	c.group = c.newStats()
	return c, nil
}

// Hold implements work.Holder: it returns an error if a layer has no row.
func (c *Comp) Hold(w work.Share) error { return c.known(w) }

// Listed implements work.Listed.
func (c *Comp) Listed() {}

// Prepare implements work.Executor.
func (c *Comp) Prepare(w work.Share) error {
	if err := c.known(w); err != nil {
		return err
	}
	return c.Executor.Prepare(w)
}

// known returns an error for a layer without a row, and for a batch of several requests.
func (c *Comp) known(w work.Share) error {
	if w.Batch > 1 {
		return fmt.Errorf("%s: %s says nothing of several requests at once (batching of a schedule)", c.Name(), c.spec.File)
	}
	for i := range w.Graph.Ops {
		op := &w.Graph.Ops[i]
		if m, ok := op.Kind.(graph.Move); ok && m.Elements == 0 {
			continue // a view
		}
		if _, ok := c.table[key{w.Name, op.Name}]; !ok {
			return fmt.Errorf("%s: %s has no row of machine %s for layer %s of %s", c.Name(), c.spec.File, c.spec.Machine, op.Name, w.Name)
		}
	}
	return nil
}

// cost implements inorder.Model.
func (c *Comp) cost(w *work.Share, i int, start uint64) layer {
	op := &w.Graph.Ops[i]
	x := c.table[key{w.Name, op.Name}]
	return layer{workload: w.Name, name: op.Name, start: start, cycles: x.cycles, macs: uint64(op.MACs()), pj: x.pj}
}

// count implements inorder.Model.
func (c *Comp) count(l *layer) {
	c.busy += l.cycles
	c.macs += l.macs
	c.energy += l.pj
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.group }

func init() {
	system.Register(system.Kind[Spec]{
		Name:    "profile",
		Works:   true,
		Doc:     "An executor whose operators take what a table says, one after the other.",
		Source:  "none: the table has its own",
		Subject: system.OfWork, Headlines: headlines, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			var errs configs.Errors
			for k, text := range map[string]string{"file": s.File, "machine": s.Machine} {
				if text == "" {
					errs = append(errs, v.Place(k).Errorf(nil, "%s is missing", k))
				}
			}
			if s.Clock.IsZero() {
				errs = append(errs, v.Place("clock").Errorf(nil, "clock is missing"))
			}
			if err := errs.Err(); err != nil {
				return nil, err
			}
			path, err := env.File(v.Get("file"))
			if err != nil {
				return nil, err
			}
			s.File = path
			c, err := New(name, env.Engine, s)
			if err != nil {
				return nil, v.Place("file").Errorf(nil, "%v", err)
			}
			return c, nil
		},
	})
}

// MakeBuilder returns a builder with the values of DefaultSpec. Build panics without an engine and
// if New returns an error.
func MakeBuilder() system.Builder[Spec, *Comp] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Comp, error) {
		return New(name, env.Engine, s)
	})
}
