package kernel

import (
	"maps"
	"math"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/tensorcore"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Spec is the keys of timing kernel: what the chip has, and the library of kernels that
// runs on it. All are of no effect with another timing, which is an error.
type Spec struct {
	// Arrays of Rows x Cols in all cores of the node.
	Arrays int `yaml:"arrays" jsonschema:"minimum=1,maximum=65536,description=Arrays of the node (timing kernel)"`
	// Cores that share an operator; each has its part of the arrays.
	Cores int `yaml:"cores" jsonschema:"minimum=1,maximum=65536,description=Cores that share an operator and its arrays (timing kernel)"`
	// VMEM is the memory on the chip that operands and results of a kernel lie in.
	VMEM units.Bytes `yaml:"vmem" jsonschema:"description=Memory on the chip for operands and results; the unified buffer of a weight FIFO (timing kernel)"`
	// Accumulators is the rows of results that the array adds up; 0: as many as there are.
	Accumulators int `yaml:"accumulators" jsonschema:"minimum=0,maximum=16777216,description=Rows of results that the array adds up at a time; 0 is no limit (timing kernel)"`
	// WeightFIFO is the tiles of weights in a queue in front of the array; 0: there is none.
	WeightFIFO int `yaml:"weight_fifo" jsonschema:"minimum=0,maximum=65536,description=Tiles of weights in the queue in front of the array; 0 is none (timing kernel)"`
	// Converted lists types that the array does not take.
	Converted []graph.DType `yaml:"converted" jsonschema:"description=Data types that are converted before the array takes them: their operands are copied in first (timing kernel)"`
	// Stream is what a memory with banks makes of its bandwidth.
	Stream float64 `yaml:"stream_share" jsonschema:"description=Share of its bandwidth that the memory reaches for operands in the order of their addresses; the shares of kernels hold it already; over 0 to 1; 1: a memory without banks (timing kernel at fidelity tile)"`
	// Kernels is the library that runs on the chip.
	Kernels Library `yaml:"kernels" jsonschema:"description=The library of kernels: how it uses the chip (timing kernel); a preset for kernels names one" sets:"program"`
}

// A Library is how kernels use a chip.
type Library struct {
	// Sustained is the share of its peak that an array keeps up.
	Sustained float64 `yaml:"sustained" jsonschema:"description=Share of its peak that an array keeps up; over 0 to 1"`
	// VectorEfficiency is the share of the vector unit's lanes.
	VectorEfficiency float64 `yaml:"vector_efficiency" jsonschema:"description=Share of the lanes of the vector unit that kernels keep busy; over 0 to 1"`
	// Copies says whether copies are hidden by the work (overlapped) or not (added).
	Copies string `yaml:"copies" jsonschema:"enum=overlapped,enum=added,description=Whether operands are copied in before the work (added) or beside it"`
	// Resident is the bytes up to which added copies are of whole tensors.
	Resident units.Bytes `yaml:"resident" jsonschema:"description=Bytes of operands and results up to which whole tensors are copied in before the work where copies are added or types converted; of larger products operands come beside the work"`
	// Operands says where an operator's tensors lie.
	Operands string `yaml:"operands" jsonschema:"enum=memory,enum=chip,description=Where operators of no neighbours find their operands and leave results: in memory; or on the chip where they fit as in a timed chain of calls"`
	// Heads says whether query heads that share keys and values read them together.
	Heads string `yaml:"heads" jsonschema:"enum=apart,enum=together,description=Whether the query heads of a decode that share keys and values read them apart or together"`
	// Launch is added to every operator of a name.
	Launch map[string]units.Latency `yaml:"launch" jsonschema:"description=Added to every kernel by type or function; all is the rest; convert comes on top where types are converted"`
	// MemoryEfficiency is the share of the memory's bandwidth that operators reach.
	MemoryEfficiency map[string]float64 `yaml:"memory_efficiency" jsonschema:"description=Share of the memory's bandwidth by type or function of the operator; over 0 to 1; default 1"`
	// Tile is what a core has for one tile.
	Tile units.Bytes `yaml:"tile" jsonschema:"description=Bytes that a core has for one tile of operands and results; residents that need more have launch.tiled on top"`
	// Ragged is the share of it for weights whose columns do not fill the last stripe.
	Ragged float64 `yaml:"ragged" jsonschema:"description=Share of the memory's bandwidth for weights whose columns do not fill the last stripe of the array; over 0 to 1"`
	// Stream is the rows that go through the array with one stationary tile.
	Stream int `yaml:"stream" jsonschema:"minimum=0,maximum=16777216,description=Rows that go through the array before a stationary tile is loaded again; 0 is no limit but accumulators"`
	// Block is the side of the blocks of fused attention.
	Block int `yaml:"block" jsonschema:"minimum=1,maximum=65536,description=Queries and keys in a block of fused attention"`
	// Rates are elements per cycle at most, of functions and types.
	Rates map[string]float64 `yaml:"rates" jsonschema:"description=Elements per cycle of the vector unit at most by type or function of the operator"`
	// Grain is the elements that a vector unit takes at least.
	Grain int `yaml:"grain" jsonschema:"minimum=0,description=Elements that one of vector.units takes at least: a smaller operator keeps one unit busy"`
}

// The values of Copies, Operands and Heads.
const (
	overlapped = "overlapped"
	added      = "added"
	inMemory   = "memory"
	onTheChip  = "chip"
	apart      = "apart"
	together   = "together"
)

// A Config is a core with its keys.
type Config struct {
	Rows, Cols  int
	Clock       clock.Clock
	Preload     bool // the next tile of weights is loaded while one streams
	PE          machine.Rates
	Sparsity    graph.Pattern
	Lanes       int // of the vector unit
	VectorUnits int // that they belong to
	Spec
	// Energy picks the figures, and Idle is the watts at rest.
	Energy energy.Spec
	Idle   float64
}

// DefaultSpec is one core with one array that reaches its peaks.
func DefaultSpec() Spec {
	return Spec{Arrays: 1, Cores: 1, VMEM: 16 << 20, Stream: 1,
		Kernels: Library{Sustained: 1, VectorEfficiency: 1, Copies: overlapped, Resident: 16 << 20, Operands: inMemory, Heads: together, Ragged: 1, Block: 512}}
}

// fraction reports whether a value is over 0 to 1.
func fraction(x float64) bool { return x > 0 && x <= 1 }

// Check reports values that no core can have; v is the node.
func (s *Spec) Check(v configs.Value) error {
	var errs configs.Errors
	if s.Arrays < 1 || s.Cores < 1 || s.Arrays%s.Cores != 0 {
		errs = append(errs, v.Place("arrays").Errorf(nil, "%d arrays in %d cores (want as many in each, at least one)", s.Arrays, s.Cores))
	}
	if s.VMEM < 1 || s.VMEM > 1<<40 {
		errs = append(errs, v.Place("vmem").Errorf(nil, "is %s (want 1B to 1TiB)", s.VMEM))
	}
	if s.WeightFIFO > 0 && s.Accumulators < 2 {
		errs = append(errs, v.Place("weight_fifo").Errorf(nil, "needs accumulators, which are %d (want at least 2: one half drains while the other adds up)", s.Accumulators))
	}
	if s.WeightFIFO > 0 && s.Arrays > 1 {
		errs = append(errs, v.Place("weight_fifo").Errorf(nil, "feeds one array, not %d", s.Arrays))
	}
	if s.Accumulators < 0 || s.WeightFIFO < 0 {
		errs = append(errs, v.Place("accumulators").Errorf(nil, "accumulators %d, weight_fifo %d (want at least 0)", s.Accumulators, s.WeightFIFO))
	}
	if !fraction(s.Stream) {
		errs = append(errs, v.Place("stream_share").Errorf(nil, "is %g (want over 0 to 1)", s.Stream))
	}
	errs.Add(s.Kernels.check(v.Place("kernels")))
	return errs.Err()
}

// check reports names that no operator has, and values that no library can have.
func (l *Library) check(v configs.Value) error {
	var errs configs.Errors
	l.checkValues(func(key, format string, args ...any) {
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
	named("launch", slices.Sorted(maps.Keys(l.Launch)), tensorcore.Convert, tensorcore.Tiled)
	named("memory_efficiency", slices.Sorted(maps.Keys(l.MemoryEfficiency)))
	named("rates", slices.Sorted(maps.Keys(l.Rates)))
	for _, n := range slices.Sorted(maps.Keys(l.MemoryEfficiency)) {
		if !fraction(l.MemoryEfficiency[n]) {
			errs = append(errs, v.Place("memory_efficiency").Place(n).Errorf(nil, "is %g (want over 0 to 1)", l.MemoryEfficiency[n]))
		}
	}
	for _, n := range slices.Sorted(maps.Keys(l.Rates)) {
		if r := l.Rates[n]; !(r > 0 && r <= 1<<20) {
			errs = append(errs, v.Place("rates").Place(n).Errorf(nil, "is %g (want over 0 to 2^20 elements per cycle)", r))
		}
	}
	return errs.Err()
}

// checkValues reports values out of range, and keys that need each other.
func (l *Library) checkValues(add func(key, format string, args ...any)) {
	for _, f := range []struct {
		key   string
		value float64
	}{{"sustained", l.Sustained}, {"ragged", l.Ragged}, {"vector_efficiency", l.VectorEfficiency}} {
		if !fraction(f.value) {
			add(f.key, "is %g (want over 0 to 1)", f.value)
		}
	}
	for _, c := range []struct{ key, value, one, two string }{
		{"copies", l.Copies, overlapped, added}, {"operands", l.Operands, inMemory, onTheChip}, {"heads", l.Heads, apart, together},
	} {
		if c.value != c.one && c.value != c.two {
			add(c.key, "is %q (want one of: %s, %s)", c.value, c.one, c.two)
		}
	}
	if l.Block < 1 || l.Stream < 0 || l.Grain < 0 {
		add("block", "block %d, stream %d, grain %d (want at least 1, 0, 0)", l.Block, l.Stream, l.Grain)
	}
	if _, ok := l.Launch[tensorcore.Tiled]; ok != (l.Tile > 0) {
		add("tile", "tile and launch.tiled need each other")
	}
}

// operatorNames lists what launch, memory_efficiency and rates may name.
func operatorNames() []string {
	names := []string{tensorcore.All, tensorcore.Decode}
	names = append(names, graph.ComputeTypes()...)
	names = append(names, graph.FuncNames()...)
	names = append(names, "layer", "rms", "group", "batch", "sum", "mean", "copy", "concat", "transpose", "slice", "triad")
	slices.Sort(names)
	return slices.Compact(names)
}

// machine is the core as accelerators/tensorcore sees it, in front of a memory of so
// many bytes per second.
func (s *Config) machine(bytes float64) tensorcore.Machine {
	l := &s.Kernels
	m := tensorcore.Machine{
		Rows: s.Rows, Cols: s.Cols, Arrays: s.Arrays, Cores: s.Cores,
		Clock: hertz(s.Clock), Sustained: l.Sustained,
		Preload: s.Preload, Accumulators: int64(s.Accumulators),
		VMEM: int64(s.VMEM), Memory: bytes, Ragged: l.Ragged, Added: l.Copies == added, Resident: int64(l.Resident),
		Hot: l.Operands == onTheChip, Apart: l.Heads == apart,
		Tile: int64(l.Tile), Converted: s.Converted, Block: l.Block,
		Vector: tensorcore.Vector{Lanes: float64(s.Lanes) * l.VectorEfficiency, Rates: l.Rates, Units: s.VectorUnits, Grain: int64(l.Grain)},
		Launch: map[string]float64{}, Efficiency: l.MemoryEfficiency,
	}
	if s.WeightFIFO > 0 { // activations come from a host and leave to it, not over the memory's port
		m.Hot, m.VMEM = true, math.MaxInt64
	}
	if n := int64(l.Stream); n > 0 && (m.Accumulators == 0 || n < m.Accumulators) {
		m.Accumulators = n
	}
	if p := s.Sparsity; p.On() {
		m.Sparse = float64(p.N) / float64(p.M)
	}
	for d := range graph.DTypeCount {
		if r, ok := s.PE.Of(graph.DType(d)); ok {
			m.Passes[d] = float64(r.Den) / float64(r.Num)
		}
	}
	for n, t := range l.Launch {
		m.Launch[n] = float64(t.In(s.Clock)) / m.Clock
	}
	return m
}

// hertz is the frequency of a clock.
func hertz(c clock.Clock) float64 { return float64(c.Den()) / float64(c.Num()) }
