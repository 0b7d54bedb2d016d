package scratchpad

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/inorder"
)

// Spec is the configuration of a scratchpad. Units are in the values.
type Spec struct {
	Capacity units.Bytes     `yaml:"capacity" doc:"Bytes that it holds"`
	Banks    int             `yaml:"banks" jsonschema:"minimum=1,maximum=65536" doc:"Banks; consecutive words lie in consecutive ones, each serves a word per cycle"`
	Ports    int             `yaml:"ports" jsonschema:"minimum=1,maximum=65536" doc:"Requests that are served at a time, a word per cycle each; at most as many as banks"`
	Width    units.Bytes     `yaml:"width" doc:"Bytes of a word"`
	Latency  units.Latency   `yaml:"latency" doc:"Time from the last word of a request to the answer (2cycle)"`
	Clock    units.Frequency `yaml:"clock" doc:"Clock of the scratchpad"`
	Energy   Energy          `yaml:"energy" doc:"Energy per byte; without it the scratchpad has no energy model"`
}

// Energy selects the energy of the SRAM.
type Energy struct {
	Process string        `yaml:"process" jsonschema:"enum=45nm,enum=7nm,enum=none" doc:"Process whose published energy of SRAM is taken, for a bank; none: no energy model"`
	Byte    *units.Energy `yaml:"byte,omitempty" doc:"Energy per byte read or written, in place of the figure of a process"`
}

// DefaultSpec is 4 MiB in 32 banks of words of 64 B, with 4 ports, at 1 GHz.
//
// assumption: round numbers; there is no typical one.
func DefaultSpec() Spec {
	return Spec{Capacity: 4 << 20, Banks: 32, Ports: 4, Width: 64, Latency: units.InCycles(2), Clock: units.Frequency{Clock: clock.GHz}, Energy: Energy{Process: energy.None}}
}

// check reports what no scratchpad can be; v is its mapping.
func (s *Spec) check(v configs.Value) error {
	var errs configs.Errors
	if s.Capacity < 1 || s.Capacity > 1<<40 {
		errs.Add(v.Place("capacity").Errorf(nil, "is %s (want 1B to 1TiB)", s.Capacity))
	}
	if s.Banks < 1 || s.Banks > 1<<16 {
		errs.Add(v.Place("banks").Errorf(nil, "is %d (want 1 to 65536)", s.Banks))
	}
	if s.Ports < 1 || s.Ports > s.Banks {
		errs.Add(v.Place("ports").Errorf(nil, "is %d (want 1 to %d, as many as banks)", s.Ports, s.Banks))
	}
	if s.Width < 1 || s.Width > memory.MaxBurst {
		errs.Add(v.Place("width").Errorf(nil, "is %s (want 1B to %s)", s.Width, units.Bytes(memory.MaxBurst)))
	}
	if s.Clock.IsZero() {
		errs.Add(v.Place("clock").Errorf(nil, "is missing"))
	}
	return errs.Err()
}

// Comp is the node of kind scratchpad.
type Comp struct {
	*inorder.Comp
	spec   Spec
	timing *timing
	plan   Plan
}

// A Plan is the use of a scratchpad as planned before the run, in bytes.
type Plan struct {
	Peak    int64 // most bytes in use at a time
	Kept    int64 // results between groups that stay
	Spilled int64 // results that do not fit
}

// New makes a scratchpad of a Spec that it does not check; a configuration is checked when it is
// read. It panics for an unknown energy.process.
func New(name string, e sim.Engine, s Spec) *Comp {
	c := &Comp{spec: s, plan: Plan{Peak: -1}}
	c.timing = &timing{width: uint64(s.Width), banks: uint64(s.Banks), latency: s.Latency.In(s.Clock.Clock), ports: make([]stream, s.Ports)}
	c.timing.peak = units.Bandwidth(float64(8*int64(s.Width)*int64(s.Ports)) / s.Clock.Nanoseconds(1) * 1e9)
	c.Comp = inorder.New(name, e, s.Clock.Clock, uint64(s.Capacity), c.timing)
	if m, ok := s.Energy.memory(s.Capacity / units.Bytes(s.Banks)); ok {
		c.Spend(m)
	}
	c.declare()
	return c
}

func (e Energy) memory(bank units.Bytes) (m energy.Memory, ok bool) {
	switch {
	case e.Byte != nil:
		return energy.Memory{Byte: e.Byte}, true
	case e.Process == "" || e.Process == energy.None:
		return m, false
	}
	pj, err := energy.SRAMByte(e.Process, bank)
	if err != nil {
		panic("scratchpad: " + err.Error())
	}
	j := units.Energy(pj * 1e-12)
	return energy.Memory{Byte: &j}, true
}

// Capacity implements work.Scratchpad.
func (c *Comp) Capacity() int64 { return int64(c.spec.Capacity) }

// Planned implements work.Scratchpad.
func (c *Comp) Planned(peak, kept, spilled int64) { c.plan = Plan{peak, kept, spilled} }

// A stream is a request in flight at a port.
type stream struct {
	phase uint64 // bank that it would have been at in cycle 0
	end   uint64 // cycle after its last word
}

// timing is the rule of the package's doc.
type timing struct {
	width, banks, latency uint64
	ports                 []stream
	peak                  units.Bandwidth
	last                  uint64
	conflicts             uint64
}

// Due implements inorder.Timing for a request whose address is not known.
func (t *timing) Due(at, bytes uint64, write bool) uint64 { return t.DueAt(at, 0, bytes, write) }

// DueAt implements inorder.Addressed.
func (t *timing) DueAt(at, addr, bytes uint64, _ bool) uint64 {
	p := &t.ports[0]
	for i := range t.ports {
		if t.ports[i].end < p.end {
			p = &t.ports[i]
		}
	}
	begin := max(at, p.end)
	bank := addr / t.width % t.banks
	words := max((addr%t.width+bytes+t.width-1)/t.width, 1)
	phase := func(c uint64) uint64 { return (bank + t.banks - c%t.banks) % t.banks }
	for free := begin; t.meets(phase(begin), begin, p); begin++ {
		if begin-free > t.banks {
			panic("scratchpad: more streams than banks")
		}
	}
	t.conflicts += begin - max(at, p.end)
	p.phase, p.end = phase(begin), begin+words
	t.last = max(t.last, p.end+t.latency)
	return t.last
}

// meets reports whether a request that begins in a cycle would be at the banks of another.
func (t *timing) meets(phase, begin uint64, own *stream) bool {
	for i := range t.ports {
		if x := &t.ports[i]; x != own && x.end > begin && x.phase == phase {
			return true
		}
	}
	return false
}

// Nominal implements inorder.Timing.
func (t *timing) Nominal() (uint64, units.Bandwidth) { return t.latency, t.peak }

// Peak implements inorder.Timing.
func (t *timing) Peak() units.Bandwidth { return t.peak }

func init() {
	system.Register(system.Kind[Spec]{
		Name:    "scratchpad",
		Doc:     "A memory on the chip between cores, with banks and ports; software says what lies in it.",
		Source:  "none: a mechanism; Banakar et al., Scratchpad memory, CODES 2002",
		Subject: system.OfMemories, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if err := s.check(v); err != nil {
				return nil, err
			}
			return New(name, env.Engine, s), nil
		},
	})
}

// MakeBuilder returns a builder with the values of DefaultSpec. Build panics without an engine.
func MakeBuilder() system.Builder[Spec, *Comp] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Comp, error) {
		return New(name, env.Engine, s), nil
	})
}
