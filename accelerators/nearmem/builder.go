package nearmem

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/nearmem/offload"
)

// A Builder builds a Comp in the manner of Akita's builders.
type Builder struct {
	engine  sim.Engine
	spec    Spec
	program offload.Program
}

// MakeBuilder returns a builder with the values of DefaultSpec.
func MakeBuilder() Builder { return Builder{spec: DefaultSpec()} }

// WithEngine sets the engine.
func (b Builder) WithEngine(e sim.Engine) Builder { b.engine = e; return b }

// WithSpec sets all keys, the protocol among them.
func (b Builder) WithSpec(s Spec) Builder { b.spec = s; return b }

// WithProtocol sets the protocol.
func (b Builder) WithProtocol(p Protocol) Builder { b.spec.Protocol = p; return b }

// WithProgram sets the offloaded program.
func (b Builder) WithProgram(p offload.Program) Builder { b.program = p; return b }

// Build makes the component; call Start before the engine's Run. It panics without an engine and
// on an error of New.
func (b Builder) Build(name string) *Comp {
	if b.engine == nil {
		panic("nearmem: " + name + " has no engine")
	}
	c, err := New(name, b.engine, b.spec, b.program)
	if err != nil {
		panic("nearmem: " + name + ": " + err.Error())
	}
	return c
}
