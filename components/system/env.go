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
	// Quantum is the time after which the parts of a system that run apart meet: networks
	// and what is linked to them, and groups within a network. 0: nothing is late.
	Quantum units.Time
	// File opens the path of a value in the configuration: relative to the file
	// that names it. Build sets it.
	File func(v Value) (path string, err error)
	// Inside makes a node that is a part of the one being made, of the mapping v,
	// which has a kind. Build sets it; the node that calls it also wires the part.
	Inside func(name string, v Value) (Node, error)
}

// Rand returns the random source of the component called name: equal for equal
// seed and name, whatever else the system holds.
func (e *Env) Rand(name string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails, see hash.Hash
	return rand.New(rand.NewPCG(e.Seed, h.Sum64()))
}
