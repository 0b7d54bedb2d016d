package systolic

import (
	"fmt"
	"maps"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/tensorcore"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// KernelTiming takes each operator as one kernel that a compiler has made of it: see
// accelerators/tensorcore.
const KernelTiming = "kernel"

// A KernelSpec is the keys of timing kernel. All are of no effect with another timing,
// which is an error.
type KernelSpec struct {
	// Arrays of Rows x Cols in all cores of the node.
	Arrays int `yaml:"arrays" jsonschema:"minimum=1,maximum=65536,description=Arrays of the node (timing kernel)"`
	// Cores that share an operator; each has its part of the arrays.
	Cores int `yaml:"cores" jsonschema:"minimum=1,maximum=65536,description=Cores that share an operator and its arrays (timing kernel)"`
	// Sustained is the share of its peak that an array keeps up.
	Sustained float64 `yaml:"sustained" jsonschema:"description=Share of its peak that an array keeps up; over 0 to 1 (timing kernel)"`
	// VMEM is the memory on the chip that operands and results of a kernel lie in.
	VMEM units.Bytes `yaml:"vmem" jsonschema:"description=Memory on the chip for operands and results; the unified buffer of a weight FIFO (timing kernel)"`
	// Accumulators is the rows of results that the array adds up; 0: as many as there are.
	Accumulators int `yaml:"accumulators" jsonschema:"minimum=0,maximum=16777216,description=Rows of results that the array adds up at a time; 0 is no limit (timing kernel)"`
	// WeightFIFO is the tiles of weights in a queue in front of the array; 0: there is none.
	WeightFIFO int `yaml:"weight_fifo" jsonschema:"minimum=0,maximum=65536,description=Tiles of weights in the queue in front of the array; 0 is none (timing kernel)"`
	// Copies says whether operands lie on the chip, or come beside the work (overlapped),
	// or are copied in before it (added).
	Copies string `yaml:"copies" jsonschema:"enum=overlapped,enum=added,description=Whether operands are copied in before the work (added) or beside it (timing kernel)"`
	// Converted lists types that the array does not take.
	Converted []graph.DType `yaml:"converted" jsonschema:"description=Data types that are converted before the array takes them: their operands are copied in first (timing kernel)"`
	// Hosted lists operators that a host calls one at a time.
	Hosted []string `yaml:"hosted" jsonschema:"description=Operators that a host calls one at a time: operands lie in memory (timing kernel)"`
	// Launch is added to every operator of a name.
	Launch map[string]units.Latency `yaml:"launch" jsonschema:"description=Added to every operator by type or function; all is the rest; convert comes on top where types are converted (timing kernel)"`
	// MemoryEfficiency is the share of the memory's bandwidth that operators reach.
	MemoryEfficiency map[string]float64 `yaml:"memory_efficiency" jsonschema:"description=Share of the memory's bandwidth by type or function of the operator; over 0 to 1; default 1 (timing kernel)"`
	// Tile is what a core has for one tile.
	Tile units.Bytes `yaml:"tile" jsonschema:"description=Bytes that a core has for one tile of operands and results; residents that need more have launch.tiled on top (timing kernel)"`
	// Small operators have the launch of that name.
	Small units.Bytes `yaml:"small" jsonschema:"description=Bytes of operands and results below which an operator has the launch named small (timing kernel)"`
	// Ragged is the share of it for weights whose columns do not fill the last stripe.
	Ragged float64 `yaml:"ragged" jsonschema:"description=Share of the memory's bandwidth for weights whose columns do not fill the last stripe of the array; over 0 to 1 (timing kernel)"`
	// Block is the side of the blocks of fused attention.
	Block int `yaml:"block" jsonschema:"minimum=1,maximum=65536,description=Queries and keys in a block of fused attention (timing kernel)"`
}

// defaultKernel is one core with one array that reaches its peaks.
func defaultKernel() KernelSpec {
	return KernelSpec{Arrays: 1, Cores: 1, Sustained: 1, VMEM: 16 << 20, Copies: "overlapped", Ragged: 1, Block: 512}
}

// kernelKeys are those of KernelSpec and of Vector that need timing kernel.
var kernelKeys = []string{"arrays", "cores", "sustained", "vmem", "accumulators", "weight_fifo", "copies", "converted",
	"hosted", "launch", "memory_efficiency", "tile", "small", "ragged", "block"}

// otherKeys have no effect with timing kernel.
var otherKeys = []string{"nvdla", "eyeriss", "dataflow", "sram", "dma", "accumulator", "energy", "scalesim_dram", "stages", "gemv", "on_chip"}

// fraction reports whether a value is over 0 to 1.
func fraction(x float64) bool { return x > 0 && x <= 1 }

// check reports values that no core can have.
func (s *KernelSpec) check(v configs.Value) error {
	var errs configs.Errors
	s.checkValues(func(key, format string, args ...any) {
		errs = append(errs, v.Place(key).Errorf(nil, format, args...))
	})
	known := operatorNames()
	named := func(key string, names []string, more ...string) {
		want := append(slices.Clone(known), more...)
		for _, n := range names {
			if !slices.Contains(want, n) {
				errs = append(errs, v.Place(key).UnknownKey(n, want))
			}
		}
	}
	named("launch", slices.Sorted(maps.Keys(s.Launch)), tensorcore.Convert, tensorcore.Small, tensorcore.Tiled)
	named("memory_efficiency", slices.Sorted(maps.Keys(s.MemoryEfficiency)))
	named("hosted", s.Hosted)
	for _, n := range slices.Sorted(maps.Keys(s.MemoryEfficiency)) {
		if !fraction(s.MemoryEfficiency[n]) {
			errs = append(errs, v.Place("memory_efficiency").Place(n).Errorf(nil, "is %g (want over 0 to 1)", s.MemoryEfficiency[n]))
		}
	}
	return errs.Err()
}

// checkValues reports values out of range, and keys that need each other.
func (s *KernelSpec) checkValues(add func(key, format string, args ...any)) {
	if s.Arrays < 1 || s.Cores < 1 || s.Arrays%s.Cores != 0 {
		add("arrays", "%d arrays in %d cores (want as many in each, at least one)", s.Arrays, s.Cores)
	}
	if !fraction(s.Sustained) {
		add("sustained", "is %g (want over 0 to 1)", s.Sustained)
	}
	if !fraction(s.Ragged) {
		add("ragged", "is %g (want over 0 to 1)", s.Ragged)
	}
	if s.VMEM < 1 || s.VMEM > 1<<40 {
		add("vmem", "is %s (want 1B to 1TiB)", s.VMEM)
	}
	if s.Copies != "overlapped" && s.Copies != "added" {
		add("copies", "is %q (want one of: overlapped, added)", s.Copies)
	}
	if s.Accumulators < 0 || s.WeightFIFO < 0 || s.Block < 1 {
		add("block", "accumulators %d, weight_fifo %d, block %d (want at least 0, 0, 1)", s.Accumulators, s.WeightFIFO, s.Block)
	}
	if s.WeightFIFO > 0 && s.Accumulators < 2 {
		add("weight_fifo", "needs accumulators, which are %d (want at least 2: one half drains while the other adds up)", s.Accumulators)
	}
	if s.WeightFIFO > 0 && s.Arrays > 1 {
		add("weight_fifo", "has one array behind it, not %d", s.Arrays)
	}
	if _, ok := s.Launch[tensorcore.Small]; ok != (s.Small > 0) {
		add("small", "small and launch.small need each other")
	}
	if _, ok := s.Launch[tensorcore.Tiled]; ok != (s.Tile > 0) {
		add("tile", "tile and launch.tiled need each other")
	}
}

// operatorNames lists what launch, memory_efficiency, hosted and vector.rates may name.
func operatorNames() []string {
	names := []string{tensorcore.All, tensorcore.Decode}
	names = append(names, graph.ComputeTypes()...)
	names = append(names, graph.FuncNames()...)
	names = append(names, "layer", "rms", "group", "batch", "sum", "mean", "copy", "concat", "transpose", "slice", "triad")
	slices.Sort(names)
	return slices.Compact(names)
}

// checkVector reports rates that no vector unit can have.
func (s *Spec) checkVector(v configs.Value) error {
	var errs configs.Errors
	known := operatorNames()
	for _, n := range slices.Sorted(maps.Keys(s.Vector.Rates)) {
		at := v.Place("vector").Place("rates")
		switch r := s.Vector.Rates[n]; {
		case !slices.Contains(known, n):
			errs = append(errs, at.UnknownKey(n, known))
		case !(r > 0 && r <= 1<<20):
			errs = append(errs, at.Place(n).Errorf(nil, "is %g (want over 0 to 2^20 elements per cycle)", r))
		}
	}
	if x := v.Get("vector").Get("norms"); x.Exists() && s.Timing == KernelTiming {
		errs = append(errs, x.Errorf(nil, "has no effect with timing %s (used by: %s)", KernelTiming, Physical))
	}
	if s.Vector.Units < 0 || s.Vector.Grain < 0 {
		errs = append(errs, v.Place("vector").Errorf(nil, "units %d, grain %d (want at least 0)", s.Vector.Units, s.Vector.Grain))
	}
	return errs.Err()
}

// machine is the core as accelerators/tensorcore sees it, in front of a memory of so
// many bytes per second.
func (s *Spec) machine(bytes float64) tensorcore.Machine {
	m := tensorcore.Machine{
		Rows: s.Rows, Cols: s.Cols, Arrays: s.Arrays, Cores: s.Cores,
		Clock: hertz(s.Clock.Clock), Sustained: s.Sustained,
		Preload: s.Overlap.Preload, Accumulators: int64(s.Accumulators),
		VMEM: int64(s.VMEM), Memory: bytes, Ragged: s.Ragged, Added: s.Copies == "added",
		Small: int64(s.Small), Tile: int64(s.Tile), Converted: s.Converted, Hosted: s.Hosted, Block: s.Block,
		Vector: tensorcore.Vector{Lanes: float64(s.Vector.Lanes), Rates: s.Vector.Rates, Units: s.Vector.Units, Grain: int64(s.Vector.Grain)},
		Launch: map[string]float64{}, Efficiency: s.MemoryEfficiency,
	}
	if p := s.Sparsity; p.On() {
		m.Sparse = float64(p.N) / float64(p.M)
	}
	for d := range graph.DTypeCount {
		if r, ok := s.PE.Of(graph.DType(d)); ok {
			m.Passes[d] = float64(r.Den) / float64(r.Num)
		}
	}
	for n, l := range s.Launch {
		m.Launch[n] = float64(l.In(s.Clock.Clock)) / m.Clock
	}
	return m
}

// hertz is the frequency of a clock.
func hertz(c clock.Clock) float64 { return float64(c.Den()) / float64(c.Num()) }

// kernelFaults are keys given that have no effect with the timing.
func kernelFaults(s *Spec, v configs.Value) (errs configs.Errors) {
	keys := kernelKeys
	if s.Timing == KernelTiming {
		keys = otherKeys
		for _, key := range []string{"drain", "first"} {
			if x := v.Get("overlap").Get(key); x.Exists() {
				errs = append(errs, x.Errorf(nil, "has no effect with timing %s (used by: %s)", KernelTiming, Physical))
			}
		}
		if s.WeightFIFO > 0 {
			for _, key := range []string{"sustained", "pe", "sparsity", "tile", "ragged", "converted", "overlap"} {
				if x := v.Get(key); x.Exists() {
					errs = append(errs, x.Errorf(nil, "has no effect with weight_fifo: tiles are fetched and shifted in one by one"))
				}
			}
		}
	} else {
		for _, key := range []string{"rates", "units", "grain"} {
			if x := v.Get("vector").Get(key); x.Exists() {
				errs = append(errs, x.Errorf(nil, "has no effect with timing %s (used by: %s)", s.Timing, KernelTiming))
			}
		}
	}
	for _, key := range keys {
		if x := v.Get(key); x.Exists() {
			used := KernelTiming
			if s.Timing == KernelTiming {
				used = fmt.Sprintf("%s, %s", Physical, ScaleSim)
				if key == NVDLA || key == RowStationary {
					used = key
				}
			}
			errs = append(errs, x.Errorf(nil, "has no effect with timing %s (used by: %s)", s.Timing, used))
		}
	}
	return errs
}
