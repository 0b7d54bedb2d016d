package ideal

import (
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/inorder"
)

// Spec is the configuration of an ideal memory. Units are in the values.
type Spec struct {
	// Clock is the clock to whose cycles latencies are rounded up.
	Clock units.Frequency `yaml:"clock" doc:"Clock of the memory; latencies are rounded up to its cycles"`
	// Latency is from the last byte of a request to its answer (80ns or 10cycle).
	Latency units.Latency `yaml:"latency" doc:"Time from the last byte of a request to the answer (80ns or 10cycle)"`
	// Bandwidth is that of reads and writes together (25.6GB/s); 0B/s is unlimited.
	Bandwidth units.Bandwidth `yaml:"bandwidth" doc:"Bandwidth of reads and writes together; 0B/s is unlimited"`
	// Size is the capacity (16GiB); 0B sets no limit.
	Size units.Bytes `yaml:"size" doc:"Capacity; 0B: any address is accepted"`
	// Functional memories hold bytes: see memory.Data.
	Functional bool `yaml:"functional" doc:"Hold the bytes of requests, for programs that need them"`
	// Energy is per byte; without it the memory has no energy model.
	Energy energy.Memory `yaml:"energy" doc:"Energy per byte read or written; without it the memory has no energy model"`
}

// DefaultSpec has no latency and no limits, at 1 GHz.
func DefaultSpec() Spec { return Spec{Clock: units.Frequency{Clock: clock.GHz}} }

// Comp is the node of fidelity ideal.
type Comp struct{ *inorder.Comp }

// New makes an ideal memory. The name must be valid for Akita. It panics for a kind of DRAM that
// components/energy does not know.
func New(name string, e sim.Engine, s Spec) *Comp {
	m := &Comp{inorder.New(name, e, s.Clock.Clock, uint64(s.Size), &timing{
		latency:   s.Latency.In(s.Clock.Clock),
		bandwidth: s.Bandwidth,
		channel:   memory.NewSerializer(s.Bandwidth, s.Clock.Clock),
	})}
	m.Spend(s.Energy)
	if s.Functional {
		m.Keep()
	}
	return m
}

// Assumptions implements system.Assumer.
func (c *Comp) Assumptions() []string {
	out := c.Comp.Assumptions()
	if _, b := c.Nominal(); b == 0 {
		out = append(slices.Clone(out), c.Name()+" has unlimited bandwidth (bandwidth: 0B/s).")
	}
	return out
}

// timing is the rule of the package's doc.
type timing struct {
	latency   uint64 // cycles
	bandwidth units.Bandwidth
	channel   memory.Serializer
}

func (t *timing) Due(at, bytes uint64, _ bool) uint64 {
	return t.channel.Transfer(at, bytes) + t.latency
}

// Constant implements inorder.Constant.
func (t *timing) Constant() (uint64, bool) { return t.latency, t.bandwidth == 0 }

func (t *timing) Nominal() (uint64, units.Bandwidth) { return t.latency, t.bandwidth }

func (t *timing) Peak() units.Bandwidth { return t.bandwidth }

func init() {
	system.Register(system.Kind[Spec]{
		Name: "memory", Fidelity: "ideal",
		Doc:     "A memory of fixed latency and unlimited or fixed bandwidth.",
		Source:  "none: arithmetic, see the package's doc",
		Subject: system.OfMemories, Headlines: headlines, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, _ configs.Value) (system.Node, error) {
			return New(name, env.Engine, s), nil
		},
	})
}
