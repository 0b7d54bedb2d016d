package system

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/units"
)

// An Env is what a node may use while it is built.
type Env struct {
	Engine sim.Engine
	Seed   uint64 // of the whole simulation
	// Quantum is the time after which parts of a system that run separately synchronise: networks
	// and their neighbours, and groups within a network. 0: all parts run together, and no message
	// is late.
	Quantum units.Time
	// Whole is why nothing that is equal may be skipped; "": it may.
	Whole string
	// File opens the path of a value in the configuration: relative to the file
	// that names it. Build sets it.
	File func(v Value) (path string, err error)
	// Inside makes a node inside the one being made, from the mapping v, which has a kind. Build
	// sets it; the caller wires the inner node.
	Inside func(name string, v Value) (Node, error)
}

// Rand returns the random source of the component called name. It depends on the seed and the name
// only.
func (e *Env) Rand(name string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails, see hash.Hash
	return rand.New(rand.NewPCG(e.Seed, h.Sum64()))
}
