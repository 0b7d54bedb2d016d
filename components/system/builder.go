package system

import (
	"fmt"
	"reflect"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/units"
)

// A Builder builds a node of Spec S in the style of Akita's components:
//
//	llc := cache.MakeBuilder().WithEngine(e).WithFreq(2 * sim.GHz).Build("LLC")
//
// The constructor New of the same package returns an error where Build panics.
type Builder[S, N any] struct {
	env  Env
	spec S
	make func(env *Env, name string, s S) (N, error)
}

// NewBuilder returns a builder that starts from a Spec with its defaults.
func NewBuilder[S, N any](defaults S, make func(env *Env, name string, s S) (N, error)) Builder[S, N] {
	return Builder[S, N]{spec: defaults, make: make}
}

// WithEngine sets the engine, Akita's or ours.
func (b Builder[S, N]) WithEngine(e sim.Engine) Builder[S, N] { b.env.Engine = e; return b }

// WithSeed sets the seed of random choices; the default is 0.
func (b Builder[S, N]) WithSeed(seed uint64) Builder[S, N] { b.env.Seed = seed; return b }

// WithSpec replaces the Spec.
func (b Builder[S, N]) WithSpec(s S) Builder[S, N] { b.spec = s; return b }

// With applies change to the Spec.
func (b Builder[S, N]) With(change func(*S)) Builder[S, N] { change(&b.spec); return b }

// WithFreq sets the clock, rounded to whole hertz. It panics for a node without a key clock, such
// as a DRAM, whose clock follows from its grade.
func (b Builder[S, N]) WithFreq(f sim.Freq) Builder[S, N] {
	c := reflect.ValueOf(&b.spec).Elem().FieldByName("Clock")
	if !c.IsValid() || c.Type() != reflect.TypeFor[units.Frequency]() {
		panic(fmt.Sprintf("system: %T has no clock", b.spec))
	}
	c.Set(reflect.ValueOf(units.Hertz(float64(f))))
	return b
}

// Build makes the node. It panics without an engine and for an invalid Spec.
func (b Builder[S, N]) Build(name string) N {
	if b.env.Engine == nil {
		panic("system: " + name + " has no engine")
	}
	env := b.env
	n, err := b.make(&env, name, b.spec)
	if err != nil {
		panic(fmt.Sprintf("system: %s: %v", name, err))
	}
	return n
}
