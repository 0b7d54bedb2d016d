package synthetic

import (
	"errors"
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// A Random reads and writes objects at random addresses, in random order: the load of
// bandwidth-latency curves.
type Random struct {
	Size   units.Bytes `yaml:"size" doc:"Bytes of the memory that objects are drawn from"`
	Object units.Bytes `yaml:"object" doc:"Bytes of an object, which are accessed together"`
	Reads  float64     `yaml:"reads" jsonschema:"minimum=0,maximum=1" doc:"Share of the accesses that are reads"`
	Count  uint64      `yaml:"count" doc:"Accesses of each core; 0 is without end, for drivers with limit or until"`
	Cores  int         `yaml:"cores" jsonschema:"minimum=1" doc:"Number of cores"`
	Seed   uint64      `yaml:"seed" doc:"Of the draws"`
}

// DefaultRandom reads lines of 4 GiB.
func DefaultRandom() Random { return Random{Size: 4 << 30, Object: 64, Reads: 1, Cores: 1} }

func init() {
	Layers.Add(registry.Entry[func(any) Layer]{
		Name:   "random",
		Doc:    "Reads and writes in random order at random places.",
		Source: "none: uniform draws",
		Spec:   DefaultRandom(),
		New:    func(spec any) Layer { r := spec.(Random); return &r },
	})
}

// Check implements Layer.
func (r *Random) Check() error {
	var errs []error
	if r.Object < 1 || r.Object > 1<<20 || r.Size < r.Object || r.Size%max(r.Object, 1) != 0 || r.Size > math.MaxInt64 {
		errs = append(errs, fmt.Errorf("size is %s in objects of %s (want a multiple, of 1B to 1MiB)", r.Size, r.Object))
	}
	if !(r.Reads >= 0 && r.Reads <= 1) {
		errs = append(errs, fmt.Errorf("reads is %g (want 0 to 1)", r.Reads))
	}
	if r.Cores < 1 {
		errs = append(errs, fmt.Errorf("cores is %d (want 1 or more)", r.Cores))
	}
	return errors.Join(errs...)
}

// On implements Layer.
func (r *Random) On() int { return r.Cores }

// Tensors implements Layer: nothing is known of the accesses in advance.
func (r *Random) Tensors() []trace.Tensor {
	return []trace.Tensor{{Name: "objects", Kind: graph.Activation, Bytes: uint64(r.Size)}}
}

// Endless implements Endless.
func (r *Random) Endless() bool { return r.Count == 0 }

// At implements Layer. The block depends on seed, core and number only.
func (r *Random) At(core int, i uint64) (Block, bool) {
	if r.Count > 0 && i >= r.Count {
		return Block{}, false
	}
	x := mix(mix(r.Seed^uint64(core)<<48) + i)
	b := Block{Offset: mix(x) % uint64(r.Size/r.Object) * uint64(r.Object), Bytes: uint64(r.Object)}
	b.Write = float64(x>>11)/(1<<53) >= r.Reads
	return b, true
}
