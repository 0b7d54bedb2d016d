package ranks

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// A Builder builds a player the way Akita's own components are built.
type Builder struct {
	engine  sim.Engine
	program *comm.Program
	spec    Spec
}

// MakeBuilder returns a builder with the values of DefaultSpec.
func MakeBuilder() Builder { return Builder{spec: DefaultSpec()} }

// WithEngine sets the engine.
func (b Builder) WithEngine(e sim.Engine) Builder { b.engine = e; return b }

// WithFreq sets the clock, which is a whole number of hertz here. It panics
// for a frequency below 1 Hz.
func (b Builder) WithFreq(f sim.Freq) Builder {
	b.spec.Clock = units.Hertz(float64(f))
	return b
}

// WithProgram sets what is played.
func (b Builder) WithProgram(p *comm.Program) Builder { b.program = p; return b }

// WithSpec sets all else; trace, pattern and placement have no effect.
func (b Builder) WithSpec(s Spec) Builder { b.spec = s; return b }

// Build makes the player. It has a port for each rank, Nic[0], Nic[1] and so on,
// and begins when Start is called.
func (b Builder) Build(name string) *Comp {
	if b.engine == nil || b.program == nil {
		panic("ranks: " + name + " has no engine or no program")
	}
	c, err := New(name, b.engine, b.spec, b.program)
	if err != nil {
		panic("ranks: " + name + ": " + err.Error())
	}
	c.Grow("nic", len(b.program.Ranks))
	return c
}
