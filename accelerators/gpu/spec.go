package gpu

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/launch"
	"github.com/causeway-sim/causeway/accelerators/gpu/power"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Spec says what a GPU is like.
type Spec struct {
	Architecture string `yaml:"architecture" jsonschema:"description=Generation of the SMs such as sm90; a library has kernels for some of them (kernels)"`

	SMs   int             `yaml:"sms" jsonschema:"minimum=1,maximum=4096,description=Streaming multiprocessors or compute units"`
	Clock units.Frequency `yaml:"clock" jsonschema:"description=Clock of the SMs that is sustained"`
	// Tensor is multiply-accumulates per SM and clock on the matrix units, by element
	// type. Elements of types left out are widened to one that is there, see Rate.
	Tensor map[string]float64 `yaml:"tensor" jsonschema:"description=Multiply-accumulates of one SM's matrix units per clock; by element type; those left out are widened to one that is there or take the vector units"`
	// Sparsity is the pattern of weights at which the matrix units are faster, M/N times.
	Sparsity graph.Pattern `yaml:"sparsity" jsonschema:"description=Structured sparsity of weights that the matrix units skip such as 2:4; left out: none"`
	Vector   float64       `yaml:"vector" jsonschema:"minimum=0.001,maximum=1e6,description=Operations of one SM's vector units per clock"`
	// Exponentials are those of the special function units.
	Exponentials float64    `yaml:"exponentials" jsonschema:"minimum=0.001,maximum=1e6,description=Exponentials of one SM's special function units per clock (attention)"`
	Shared       SharedSpec `yaml:"shared" doc:"Shared memory of an SM"`
	Threads      int        `yaml:"threads" jsonschema:"minimum=32,maximum=65536,description=Threads that an SM holds at a time; a kernel with a thread block per row goes in rounds"`

	L2          string          `yaml:"l2" jsonschema:"enum=internal,enum=none,description=internal: the node has an L2; none: it has not"`
	L2Size      units.Bytes     `yaml:"l2_size" jsonschema:"description=Size of the L2"`
	L2Bandwidth units.Bandwidth `yaml:"l2_bandwidth" jsonschema:"description=Bandwidth of the whole L2"`
	Memory      units.Bandwidth `yaml:"memory" jsonschema:"description=Bandwidth of the node's own memory by its data sheet"`
	Capacity    units.Bytes     `yaml:"capacity" jsonschema:"description=Size of the node's own memory; weights and key/value entries of a model must fit and in training gradients and states of the optimiser; 0B: without limit"`
	Latency     units.Latency   `yaml:"memory_latency" jsonschema:"description=From a load to its data from memory"`
	Link        units.Bandwidth `yaml:"link" jsonschema:"description=Bandwidth of the chip's links to the other chips of its machine over one switch; in each direction; operators of lists such as all_reduce and dispatch need it; 0: none"`
	Near        units.Latency   `yaml:"l2_latency" jsonschema:"description=From a load to its data from the L2"`
	// Efficiency is the share of Memory that kernels reach, by operator type.
	Efficiency map[string]float64 `yaml:"memory_efficiency" jsonschema:"description=Share of the memory's bandwidth that kernels reach; by operator type or elementwise function (other: those not named); over 0 to 1"`

	// L2Efficiency is the share of L2Bandwidth that kernels reach, by operator type.
	L2Efficiency map[string]float64 `yaml:"l2_efficiency" jsonschema:"description=Share of the L2's bandwidth that kernels reach; as of memory_efficiency; default 1"`
	// TensorEfficiency is the share of Tensor that kernels reach, by operator type: libraries
	// have kernels of several generations.
	TensorEfficiency map[string]float64 `yaml:"tensor_efficiency" jsonschema:"description=Share of the matrix units' rate that kernels reach; as of memory_efficiency; default 1"`
	// VectorEfficiency is the share of Vector that kernels reach, by operator type: an
	// operation of the graph is several instructions of a library's kernel.
	VectorEfficiency map[string]float64 `yaml:"vector_efficiency" jsonschema:"description=Share of the vector units' operations that kernels reach; as of memory_efficiency; default 1"`

	Caches   string  `yaml:"caches" jsonschema:"enum=auto,enum=cold,enum=warm,enum=hot,enum=loop,description=cold: operands come from memory; warm: what the operator before has left may be in the L2; hot: weights too where all of an operator fits; loop: each operator runs again and again as benchmarks time it with up to five weights in turn; auto: loop for lists of operators on the kernels of a library that was measured so and cold otherwise"`
	Resident float64 `yaml:"resident" jsonschema:"minimum=0,maximum=1,description=Share of the L2 that holds operands which the operator before has left; 0 is none (caches: warm)"`
	Absorbed float64 `yaml:"absorbed" jsonschema:"minimum=0,maximum=1,description=Share of the L2 that takes results of elementwise operators and the like before they go to memory; 0 is none"`

	Rereads string `yaml:"rereads" jsonschema:"enum=none,enum=lru,description=Operands of products come from memory once; or again where rounds of tiles bring more than the L2 holds which gives up what was not used for longest"`
	Results string `yaml:"results" jsonschema:"enum=cached,enum=bypass,description=Results of products take room in the L2 while they are written; or pass it by (rereads: lru)"`

	// Load says whether kernels run long enough for the power limit to set the clock.
	Load string `yaml:"load" jsonschema:"enum=auto,enum=burst,enum=continuous,enum=steady,description=auto: kernels are bursts until the mean of power over 25 ms is at power_limit and then held there; burst: kernels run for milliseconds with the rate that sustained says; continuous: each for minutes and its clock is the one at which the chip keeps power_limit; steady: the workload repeats for minutes and has one clock at which the mean power keeps it"`
	// LoopTime is how long a benchmark repeated a row, see power.Chip.FreeIn.
	LoopTime units.Latency `yaml:"loop_time" jsonschema:"description=How long each row of a list was repeated when it was measured (load: auto); 0s: rows run once and one after the other"`
	// PowerLimit is that of the data sheet, with which times and energies of bursts agree; see checkLoad.
	PowerLimit units.Power `yaml:"power_limit" jsonschema:"description=Power that the chip may take; 0W: without limit; one in place of that of the chip's description needs power.process"`
	Power      PowerSpec   `yaml:"power" doc:"Energy per event and power at rest; figures of a process; each can be replaced"`

	Sustained float64 `yaml:"sustained" jsonschema:"description=Share of the matrix units' peak that power lets all SMs together sustain; over 0 to 1"`
	// SustainedLimit makes Sustained a matter of power, see power.Chip.Rate.
	SustainedLimit units.Power `yaml:"sustained_limit" jsonschema:"description=Limit of the chip on which sustained was measured: at another power_limit products reach another share; 0W: sustained holds at any limit"`
	Issue          float64     `yaml:"issue" jsonschema:"description=Share of its own peak that one SM reaches in the main loop of a tile; over 0 to 1"`

	Launch launch.Spec   `yaml:"launch" jsonschema:"description=How kernels are launched: graph (all at once) or eager (one by one by the host); or a mapping of mode and the times before a kernel's work begins as a node of a graph; by operator type or elementwise function (other: those not named)"`
	Host   launch.Cost   `yaml:"host" doc:"What launches of kernels cost"`
	Least  units.Latency `yaml:"least" jsonschema:"description=Time that a kernel takes at the least"`

	Burst       units.Bytes `yaml:"burst" jsonschema:"description=Bytes of a request to the memory (fidelity tile)"`
	Outstanding int         `yaml:"outstanding" jsonschema:"minimum=0,maximum=65536,description=Requests in flight at most; 0: 256 or as many as two times memory_latency ask at the bandwidth of the key memory (fidelity tile)"`
	Ahead       FetchAhead  `yaml:"fetch_ahead" doc:"auto: a kernel goes by its rule, with the memory's time as it is. N: steps of a product's main loop (32 elements of its sums) whose operands are fetched ahead of the one worked on, and none begins without its operands; 0: as fast as the memory answers and none waits (fidelity tile)"`

	// Stream is what the memory below the port makes of its bandwidth.
	Stream float64 `yaml:"stream_share" jsonschema:"description=Share of its bandwidth that the memory below the port reaches for operands in the order of their addresses; the shares of kernels hold it already since they were measured on DRAM; over 0 to 1; 1: a memory without banks (fidelity tile)"`

	Profile ProfileSpec `yaml:"profile" doc:"Measured kernels whose times stand in place of the model's (fidelity analytic)"`

	Tuning TuningSpec `yaml:"tuning" doc:"What no data sheet says and many chips have alike"`

	share float64 // of the clock, of a chip at its limit; 0 is 1

	Kernels KernelsSpec `yaml:"kernels" doc:"The library whose kernels carry out products; attention and mixtures of experts"`
}

// SharedSpec is the shared memory of an SM.
type SharedSpec struct {
	Size      units.Bytes `yaml:"size" jsonschema:"description=Size; it bounds the thread blocks on an SM"`
	Bandwidth float64     `yaml:"bandwidth" jsonschema:"minimum=0.001,maximum=1e6,description=Bytes per clock"`
	Operands  string      `yaml:"operands" jsonschema:"enum=warp,enum=group,description=Who reads the operands of the matrix units: each warp its own; or four warps together and clusters of blocks their panels (Hopper)"`
}

// TuningSpec is kernel.Tuning as a configuration writes it.
type TuningSpec struct {
	Overlap float64       `yaml:"overlap" jsonschema:"minimum=1,maximum=64,description=Exponent of the norm that joins loops and bytes: 1 adds them up and more overlaps better"`
	Hide    float64       `yaml:"hide" jsonschema:"minimum=0,maximum=64,description=Warps on an SM that keep its matrix units half busy; 0: one is enough"`
	Fill    float64       `yaml:"fill" jsonschema:"minimum=0,maximum=100,description=Time around the main loop of a tile in memory latencies; 0 is none"`
	Wait    float64       `yaml:"wait" jsonschema:"minimum=0,maximum=100,description=Share of the memory latency that steps of a main loop wait for their operands; 0 is none"`
	Split   units.Latency `yaml:"split" jsonschema:"description=Time to join partial sums of a product beside their bytes"`
	Choice  float64       `yaml:"choice" jsonschema:"minimum=0.0001,maximum=1,description=How much worse than the best a tile may be to be chosen nearly as often"`
}

// products is what kernels of products and attention of cutlass take before their tiles begin.
var products = units.InTime(3 * units.Microsecond)

// DefaultSpec is a GPU of 100 SMs of 1024 fp16 multiply-accumulates at 1 GHz with 1 TB/s.
//
// assumption: round numbers, so that a forgotten key shows in the result.
// Those of tuning were fitted to half of the A100 and A40 rows of the study hardware
// and are declared there.
func DefaultSpec() Spec {
	return Spec{
		SMs: 100, Clock: units.Frequency{Clock: clock.GHz},
		Tensor: map[string]float64{"fp16": 1024, "bf16": 1024, "int8": 2048}, Vector: 128, Exponentials: 16,
		Shared: SharedSpec{Size: 128 << 10, Bandwidth: 128, Operands: perWarp}, Threads: 2048,
		L2: internal, L2Size: 32 << 20, L2Bandwidth: 8 * 4e12, Memory: 8 * 1e12, Latency: units.InTime(700 * units.Nanosecond), Near: units.InTime(150 * units.Nanosecond),
		Efficiency: map[string]float64{"other": 0.85}, Caches: autoCaches, Resident: 0.1, Absorbed: 0.3, Rereads: none, Results: cached,
		Load: auto, Power: PowerSpec{Process: power.None, DRAM: energy.None, PHY: energy.None},
		Sustained: 0.8, Issue: 0.95,
		// Vidur's products on an A100 gave 3.08 us (study hardware).
		Launch: launch.Spec{Mode: launch.Graph, Times: map[string]units.Latency{"attention": products, "conv": products, "gemm": products}}, Host: launch.DefaultCost(), Least: units.InTime(1500 * units.Nanosecond),
		Burst: 16 << 10, Ahead: ruled, Stream: 1, Kernels: KernelsSpec{Library: auto, Fuse: true, Join: true, TrainingAttention: auto, Tiles: auto},
		Tuning: TuningSpec{Overlap: 4, Hide: 0.6, Fill: 1.5, Wait: 0.4, Split: units.InTime(2 * units.Microsecond), Choice: 0.02},
	}
}

// unbounded is more bytes per second than anything takes.
const unbounded = 1e30

const (
	internal, none = "internal", "none"
	cold, warm     = "cold", "warm"
	hot, loop      = "hot", "loop"
	autoCaches     = "auto"
	lru            = "lru"

	burst, continuous, steady = "burst", "continuous", "steady"

	cached, bypass = "cached", "bypass"
	other          = "other"

	perWarp, perGroup = "warp", "group"
)

// types are the operator types and elementwise functions that maps may name.
var types = func() (names []string) {
	names = append(graph.ComputeTypes(), graph.FuncNames()...)
	slices.Sort(names)
	return append(names, other)
}()

// byType is the value of an operator in a map: of its function, its type, or of other.
func byType[V any](m map[string]V, k graph.Kind, absent V) V {
	names := []string{k.Type(), other}
	if e, ok := k.(graph.Elementwise); ok {
		names = append([]string{e.Func}, names...)
	}
	for _, name := range names {
		if v, ok := m[name]; ok {
			return v
		}
	}
	return absent
}

// check reports every value that no node can have; v is the node's mapping.
func (s *Spec) check(v configs.Value) error {
	var errs configs.Errors
	share := func(at configs.Value, f float64) {
		if !(f > 0 && f <= 1) {
			errs = append(errs, at.Errorf(nil, "is %g (want over 0 to 1)", f))
		}
	}
	share(v.Place("sustained"), s.Sustained)
	share(v.Place("issue"), s.Issue)
	share(v.Place("stream_share"), s.Stream)
	if x := v.Get("stream_share"); x.Exists() && s.Ahead != ruled {
		errs.Add(x.Errorf(nil, "has no effect with fetch_ahead: %d (used by: auto)", s.Ahead))
	}
	s.checkMemory(v, &errs)
	for _, key := range []string{"l2_size", "l2_bandwidth", "l2_latency", "l2_efficiency", "absorbed"} {
		if x := v.Get(key); s.L2 == none && (inSameFile(x, v.Get("l2")) || overridden(x)) {
			errs = append(errs, x.Errorf(nil, "has no effect with l2: none (used by: internal)"))
		}
	}
	if x := v.Get("resident"); s.Caches != warm && s.Caches != hot && (inSameFile(x, v.Get("caches")) || x.Exists() && !v.Get("caches").Exists() || overridden(x)) {
		errs = append(errs, x.Errorf(nil, "has no effect with caches: %s (used by: warm)", s.Caches))
	}
	s.checkRereads(v, &errs)
	s.checkRates(v, share, &errs)
	s.Kernels.check(s.Architecture, v, &errs)
	s.Power.check(v.Get("power"), &errs)
	s.checkLoad(v, &errs)
	return errs.Err()
}

// checkRereads reports rereads without an L2, and results without rereads: lru: they have no
// effect.
func (s *Spec) checkRereads(v configs.Value, errs *configs.Errors) {
	if x := v.Get("rereads"); s.L2 == none && s.Rereads == lru && x.Exists() {
		errs.Add(x.Errorf(nil, "has no effect with l2: none: every tile reads its own panels (used by: internal)"))
	}
	if x := v.Get("rereads"); s.Rereads == lru && s.Kernels.Library != cutlass && s.Kernels.Library != auto && x.Exists() {
		errs.Add(x.Errorf(nil, "has no effect with kernels.library: %s, which was measured with what its tiles read again (used by: %s)", s.Kernels.Library, cutlass))
	}
	if x := v.Get("results"); s.Rereads != lru && s.Results == bypass && x.Exists() {
		errs.Add(x.Errorf(nil, "has no effect with rereads: none (used by: lru)"))
	}
}

// checkMemory reports sizes and rates that no memory, L2 or shared memory can have.
func (s *Spec) checkMemory(v configs.Value, errs *configs.Errors) {
	if s.Burst == 0 || s.Burst > memory.MaxBurst {
		errs.Add(v.Place("burst").Errorf(nil, "burst is %s (want more than 0B and at most %s)", s.Burst, units.Bytes(memory.MaxBurst)))
	}
	if s.Memory == 0 {
		errs.Add(v.Place("memory").Errorf(nil, "memory is %s (want more)", s.Memory))
	}
	if s.L2 == internal && (s.L2Size == 0 || s.L2Size > 1<<40) {
		errs.Add(v.Place("l2_size").Errorf(nil, "l2_size is %s (want more than 0B and at most 1TiB, or l2: none)", s.L2Size))
	}
	if s.Shared.Size == 0 || s.Shared.Size > 1<<30 {
		errs.Add(v.Place("shared").Place("size").Errorf(nil, "shared.size is %s (want more than 0B and at most 1GiB)", s.Shared.Size))
	}
	if s.L2 == internal && s.L2Bandwidth == 0 {
		errs.Add(v.Place("l2_bandwidth").Errorf(nil, "l2_bandwidth is %s (want more)", s.L2Bandwidth))
	}
	if s.Capacity > 1<<50 {
		errs.Add(v.Place("capacity").Errorf(nil, "capacity is %s (want at most 1PiB)", s.Capacity))
	}
	if s.Latency.IsZero() {
		errs.Add(v.Place("memory_latency").Errorf(nil, "memory_latency is %s (want more)", s.Latency))
	}
}

// checkRates reports rates of element types, and shares and launches of operators, that cannot be.
func (s *Spec) checkRates(v configs.Value, share func(configs.Value, float64), errs *configs.Errors) {
	for _, name := range slices.Sorted(maps.Keys(s.Tensor)) {
		at := v.Place("tensor")
		if !slices.Contains(graph.DTypeNames(), name) {
			errs.Add(at.UnknownKey(name, graph.DTypeNames()))
		} else if f := s.Tensor[name]; !(f > 0 && f <= 1e6) {
			errs.Add(at.Get(name).Errorf(nil, "is %g (want over 0 to 10^6)", f))
		}
	}
	for _, x := range []struct {
		key    string
		shares map[string]float64
	}{{"memory_efficiency", s.Efficiency}, {"l2_efficiency", s.L2Efficiency}, {"tensor_efficiency", s.TensorEfficiency}, {"vector_efficiency", s.VectorEfficiency}} {
		for _, name := range slices.Sorted(maps.Keys(x.shares)) {
			if !slices.Contains(types, name) {
				errs.Add(v.Place(x.key).UnknownKey(name, types))
				continue
			}
			share(v.Place(x.key).Get(name), x.shares[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Launch.Times)) {
		if !slices.Contains(types, name) {
			errs.Add(v.Place("launch").UnknownKey(name, append([]string{"mode"}, types...)))
		}
	}
	launch.Check(s.Launch.Mode, v.Get("host"), func(x configs.Value) bool {
		return inSameFile(x, v.Get("launch")) || x.Exists() && !v.Get("launch").Exists() || overridden(x)
	}, errs)
}

// inSameFile reports whether a key is given in the file that gives the other one.
func inSameFile(x, y configs.Value) bool {
	return x.Exists() && y.Exists() && x.Pos().File == y.Pos().File
}

// overridden reports whether --set gave a key.
func overridden(x configs.Value) bool { return x.Exists() && x.Pos().File == configs.SetFile }

// seconds is a latency in whole cycles of the clock.
func (s *Spec) seconds(l units.Latency) float64 {
	c := s.Clock.Clock
	return c.Nanoseconds(l.In(c)) * 1e-9
}

// host is who launches kernels.
func (s *Spec) host() launch.Host {
	if s.Launch.Mode != launch.Eager {
		return launch.Host{}
	}
	return launch.Host{Each: s.Host.Launch.In(s.Clock.Clock)}
}

// machine is the GPU for operators of a kind over elements of a type.
func (s *Spec) machine(kind graph.Kind, d graph.DType) kernel.Machine {
	c, seconds := s.Clock.Clock, s.seconds
	m := kernel.Machine{
		SMs: s.SMs, Clock: 1e9 / c.Nanoseconds(1), Tensor: s.matrix(d) * byType(s.TensorEfficiency, kind, 1), Vector: s.Vector * byType(s.VectorEfficiency, kind, 1),
		Exponentials: s.Exponentials * byType(s.VectorEfficiency, kind, 1), Shared: s.Shared.Bandwidth, SharedSize: float64(s.Shared.Size), Threads: float64(s.Threads), Group: s.Shared.Operands == perGroup,
		L2: float64(s.L2Size), WriteBack: s.Absorbed, L2Bandwidth: float64(s.L2Bandwidth) / 8 * byType(s.L2Efficiency, kind, 1),
		Memory: float64(s.Memory) / 8 * byType(s.Efficiency, kind, 1), Latency: seconds(s.Latency), Near: seconds(s.Near),
		Sustained: s.Sustained, Issue: s.Issue,
		Launch: seconds(byType(s.Launch.Times, kind, launch.Measured)), Least: seconds(s.Least),
		Tuning: kernel.Tuning{Overlap: s.Tuning.Overlap, Hide: s.Tuning.Hide, Fill: s.Tuning.Fill, Wait: s.Tuning.Wait, Split: seconds(s.Tuning.Split), Choice: s.Tuning.Choice},
	}
	if m.Tensor == 0 {
		m.Tensor = s.Vector
	}
	if s.L2 == none {
		m.L2, m.L2Bandwidth, m.Near = 0, unbounded, m.Latency
	}
	if s.Caches == warm || s.Caches == hot {
		m.Resident = s.Resident
	}
	if s.share > 0 {
		m.Clock *= s.share
		m.L2Bandwidth *= s.share
		m.Sustained = min(1, s.Sustained/s.share)
	}
	m.Rereads, m.Bypass = s.Rereads == lru, s.Results == bypass
	return m
}

// thinner is how much faster products of a type are with sparse weights: those of the
// matrix units.
func (s *Spec) thinner(d graph.DType) float64 {
	if s.matrix(d) == 0 {
		return 1
	}
	return float64(s.Sparsity.M) / float64(s.Sparsity.N)
}

// Sparsity implements work.Sparse.
func (c *record) Sparsity() graph.Pattern { return c.spec.Sparsity }

// Skips implements work.Skipper: vector units carry out every multiply-accumulate.
func (c *record) Skips(g *graph.Graph, op *graph.Op) error {
	if d := typeOf(g, op); c.spec.matrix(d) == 0 {
		return fmt.Errorf("products of %s take the vector units, which skip no weights (want a type of the key tensor: %s)", d, strings.Join(slices.Sorted(maps.Keys(c.spec.Tensor)), ", "))
	}
	return nil
}
