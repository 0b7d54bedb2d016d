package ideal

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/units"
)

// A Builder builds an ideal memory in the manner of Akita's builders.
type Builder struct {
	engine sim.Engine
	spec   Spec
}

// MakeBuilder returns a builder with the values of DefaultSpec.
func MakeBuilder() Builder { return Builder{spec: DefaultSpec()} }

// WithEngine sets the engine.
func (b Builder) WithEngine(e sim.Engine) Builder { b.engine = e; return b }

// WithFreq sets the clock, in whole hertz. It panics below 1 Hz.
func (b Builder) WithFreq(f sim.Freq) Builder {
	b.spec.Clock = units.Hertz(float64(f))
	return b
}

// WithLatency sets the latency in cycles.
func (b Builder) WithLatency(cycles uint64) Builder {
	b.spec.Latency = units.InCycles(cycles)
	return b
}

// WithBandwidth sets the bandwidth of reads and writes together; 0 is
// unlimited.
func (b Builder) WithBandwidth(w units.Bandwidth) Builder { b.spec.Bandwidth = w; return b }

// WithSize sets the capacity.
func (b Builder) WithSize(s units.Bytes) Builder { b.spec.Size = s; return b }

// WithData makes the memory hold bytes; Comp.Keep returns them.
func (b Builder) WithData() Builder { b.spec.Functional = true; return b }

// Build makes the memory, with port Top. It panics without an engine.
func (b Builder) Build(name string) *Comp {
	if b.engine == nil {
		panic("ideal: " + name + " has no engine")
	}
	return New(name, b.engine, b.spec)
}
