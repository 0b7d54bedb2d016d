package systolic

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/units"
)

// A Builder builds a core of fidelity tile the way Akita's own components are
// built.
type Builder struct {
	engine sim.Engine
	spec   Spec
}

// MakeBuilder returns a builder with the values of DefaultSpec.
func MakeBuilder() Builder { return Builder{spec: DefaultSpec()} }

// WithEngine sets the engine.
func (b Builder) WithEngine(e sim.Engine) Builder { b.engine = e; return b }

// WithFreq sets the clock, which is a whole number of hertz here. It panics for
// a frequency below 1 Hz.
func (b Builder) WithFreq(f sim.Freq) Builder {
	b.spec.Clock = units.Hertz(float64(f))
	return b
}

// WithArray sets rows and columns.
func (b Builder) WithArray(rows, cols int) Builder { b.spec.Rows, b.spec.Cols = rows, cols; return b }

// WithSpec sets everything but the engine.
func (b Builder) WithSpec(s Spec) Builder { b.spec = s; return b }

// Build makes the core. Its ports are called Mem and Sync. It panics for values
// that no core can have.
func (b Builder) Build(name string) *Tile {
	if b.engine == nil {
		panic("systolic: " + name + " has no engine")
	}
	if err := b.spec.Check(); err != nil {
		panic("systolic: " + name + ": " + err.Error())
	}
	return New(name, b.engine, b.spec)
}
