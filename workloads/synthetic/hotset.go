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

// A HotSet reads objects at random, most of them in a part of the memory (GUPS with a hot set).
// All cores use the same memory.
type HotSet struct {
	Size   units.Bytes `yaml:"size" doc:"Bytes of the memory that objects are drawn from"`
	Hot    units.Bytes `yaml:"hot" doc:"Bytes of the hot set, at its beginning"`
	Share  float64     `yaml:"share" jsonschema:"minimum=0,maximum=1" doc:"Share of the accesses that go to the hot set"`
	Object units.Bytes `yaml:"object" doc:"Bytes of an object, which are accessed together"`
	Update bool        `yaml:"update" doc:"Each object is written, lag objects after its read"`
	Lag    uint64      `yaml:"lag" doc:"Objects that are read before one is written, as many as a cache holds back"`
	Turn   uint64      `yaml:"turn" doc:"Objects of a core after which the hot set moves on by its own size; 0 is never"`
	Count  uint64      `yaml:"count" doc:"Objects of each core; 0 is without end, for drivers with limit or until"`
	Cores  int         `yaml:"cores" jsonschema:"minimum=1" doc:"Number of cores"`
	Seed   uint64      `yaml:"seed" doc:"Of the draws"`
}

// DefaultHotSet draws 90 % from a third, as the benchmark of HeMem and Colloid.
func DefaultHotSet() HotSet {
	return HotSet{Size: 72 << 20, Hot: 24 << 20, Share: 0.9, Object: 64, Update: true, Lag: 512, Cores: 1}
}

func init() {
	Layers.Add(registry.Entry[func(any) Layer]{
		Name:   "hot_set",
		Doc:    "Random accesses to objects, most of them to a hot set that may move: GUPS as used for tiered memory.",
		Source: "Raybuck et al., HeMem, SOSP 2021, section 5.1; Vuppalapati and Agarwal, SOSP 2024, section 2",
		Spec:   DefaultHotSet(),
		New:    func(spec any) Layer { h := spec.(HotSet); return &h },
	})
}

// Check implements Layer.
func (h *HotSet) Check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if h.Object < 1 || h.Object > 1<<20 {
		bad("object is %s (want 1B to 1MiB)", h.Object)
	} else {
		if h.Size < h.Object || h.Size%h.Object != 0 {
			bad("size is %s in objects of %s (want a multiple)", h.Size, h.Object)
		}
		if h.Hot < h.Object || h.Hot%h.Object != 0 || h.Hot > h.Size {
			bad("hot is %s in objects of %s (want a multiple, at most size)", h.Hot, h.Object)
		}
	}
	if !(h.Share >= 0 && h.Share <= 1) {
		bad("share is %g (want 0 to 1)", h.Share)
	}
	if h.Cores < 1 {
		bad("cores is %d (want 1 or more)", h.Cores)
	}
	return errors.Join(errs...)
}

// On implements Layer.
func (h *HotSet) On() int { return h.Cores }

// Tensors implements Layer: nothing is known of the accesses in advance.
func (h *HotSet) Tensors() []trace.Tensor {
	return []trace.Tensor{{Name: "objects", Kind: graph.Activation, Bytes: uint64(h.Size)}}
}

// At implements Layer. The block depends on seed, core and number only.
func (h *HotSet) At(core int, i uint64) (Block, bool) {
	i, write, ok := turns{h.Update, h.Lag, h.Count}.at(i)
	if !ok {
		return Block{}, false
	}
	x := mix(mix(h.Seed^uint64(core)<<48) + i)
	objects, hot := uint64(h.Size/h.Object), uint64(h.Hot/h.Object)
	first := uint64(0)
	if h.Turn > 0 {
		first = i / h.Turn % objects * hot % objects // objects^2 is below 2^64 for any memory
	}
	n, at := hot, first
	if h.Share < 1 && (hot < objects && float64(x>>11)/(1<<53) >= h.Share) {
		n, at = objects-hot, first+hot
	}
	at = (at + mix(x)%n) % objects
	return Block{Offset: at * uint64(h.Object), Bytes: uint64(h.Object), Write: write}, true
}

// Endless implements Endless.
func (h *HotSet) Endless() bool { return h.Count == 0 }

// Endless implements Endless.
func (s *Stream) Endless() bool { return s.Count == 0 }

// turns is the order of reads and writes of a core's objects: the first lag are
// read, then one is read and one written in turn, then the last are written.
type turns struct {
	update     bool
	lag, count uint64
}

// at is the object of access i, and whether it is written.
func (t turns) at(i uint64) (object uint64, write, ok bool) {
	count := t.count
	if count == 0 {
		count = math.MaxUint64 / 4
	}
	lag := min(t.lag, count)
	switch {
	case !t.update:
		return i, false, i < count
	case i < lag:
		return i, false, true
	case i-lag < 2*(count-lag):
		i -= lag
		if i%2 == 1 {
			return i / 2, true, true
		}
		return i/2 + lag, false, true
	}
	i -= lag + 2*(count-lag)
	return count - lag + i, true, i < lag
}

// mix is the finaliser of splitmix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// A Stream reads memory sequentially, repeatedly; each core has its own part.
type Stream struct {
	Size   units.Bytes `yaml:"size" doc:"Bytes of each core"`
	Object units.Bytes `yaml:"object" doc:"Bytes that are accessed together"`
	Update bool        `yaml:"update" doc:"Each object is written, lag objects after its read"`
	Lag    uint64      `yaml:"lag" doc:"Objects that are read before one is written, as many as a cache holds back"`
	Count  uint64      `yaml:"count" doc:"Objects of each core; 0 is without end, for drivers with limit or until"`
	Cores  int         `yaml:"cores" jsonschema:"minimum=1" doc:"Number of cores"`
}

// DefaultStream reads and writes 64 B each.
func DefaultStream() Stream {
	return Stream{Size: 16 << 20, Object: 64, Update: true, Lag: 512, Cores: 1}
}

func init() {
	Layers.Add(registry.Entry[func(any) Layer]{
		Name:   "stream",
		Doc:    "Sequential accesses, read and written in turn: load on a memory that others are to feel.",
		Source: "Vuppalapati and Agarwal, SOSP 2024, section 2 (the antagonist: sequential, one read per write)",
		Spec:   DefaultStream(),
		New:    func(spec any) Layer { s := spec.(Stream); return &s },
	})
}

// Check implements Layer.
func (s *Stream) Check() error {
	var errs []error
	if s.Object < 1 || s.Object > 1<<20 || s.Size < s.Object || s.Size%max(s.Object, 1) != 0 {
		errs = append(errs, fmt.Errorf("size is %s in objects of %s (want a multiple, of 1B to 1MiB)", s.Size, s.Object))
	}
	if s.Cores < 1 || uint64(s.Size) > math.MaxUint64/2/uint64(max(s.Cores, 1)) {
		errs = append(errs, fmt.Errorf("cores is %d with %s each (want 1 or more, within 2^63 B)", s.Cores, s.Size))
	}
	return errors.Join(errs...)
}

// On implements Layer.
func (s *Stream) On() int { return s.Cores }

// Tensors implements Layer.
func (s *Stream) Tensors() []trace.Tensor {
	return []trace.Tensor{{Name: "stream", Kind: graph.Activation, Bytes: uint64(s.Size) * uint64(s.Cores)}}
}

// At implements Layer.
func (s *Stream) At(core int, i uint64) (Block, bool) {
	i, write, ok := turns{s.Update, s.Lag, s.Count}.at(i)
	if !ok {
		return Block{}, false
	}
	objects := uint64(s.Size / s.Object)
	return Block{Offset: uint64(core)*uint64(s.Size) + i%objects*uint64(s.Object), Bytes: uint64(s.Object), Write: write}, true
}
