package nearmem

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/nearmem/offload"
)

// A Builder builds host and device the way Akita's own components are built.
type Builder struct {
	engine  sim.Engine
	spec    Spec
	program offload.Program
}

// MakeBuilder returns a builder with the values of DefaultSpec.
func MakeBuilder() Builder { return Builder{spec: DefaultSpec()} }

// WithEngine sets the engine.
func (b Builder) WithEngine(e sim.Engine) Builder { b.engine = e; return b }

// WithSpec sets everything but engine and program.
func (b Builder) WithSpec(s Spec) Builder { b.spec = s; return b }

// WithProtocol sets the protocol.
func (b Builder) WithProtocol(p Protocol) Builder { b.spec.Protocol = p; return b }

// WithProgram sets what is offloaded.
func (b Builder) WithProgram(p offload.Program) Builder { b.program = p; return b }

// Build makes the component; Start begins its work. It panics for values that are
// impossible.
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
