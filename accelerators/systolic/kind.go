package systolic

import (
	"errors"
	"strings"

	_ "github.com/causeway-sim/causeway/accelerators/peers/onnxim" // rules that a mapping may name
	"github.com/causeway-sim/causeway/accelerators/peers/scalesim"
	"github.com/causeway-sim/causeway/accelerators/systolic/kernel"
	"github.com/causeway-sim/causeway/accelerators/systolic/peertiming"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

const source = "Jouppi et al., In-Datacenter Performance Analysis of a Tensor Processing Unit, ISCA 2017; Samajdar et al., SCALE-Sim, ISPASS 2020"

func init() {
	system.Register(system.Kind[Spec]{
		Name: "systolic", Fidelity: "tile", DefaultFidelity: true,
		Works:   true,
		Doc:     "A systolic array with double-buffered SRAMs whose DMA engine sends every burst to the memory.",
		Source:  source,
		Subject: system.OfWork, Headlines: headlines, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			return build(env, name, s, v, func() keyWarner { return New(name, env.Engine, s) })
		},
	})
	system.Register(system.Kind[Spec]{
		Name: "systolic", Fidelity: "analytic",
		Works:   true,
		Doc:     "The same array and schedule, computed from the nominal latency and bandwidth of the memory.",
		Source:  source,
		Subject: system.OfWork, Headlines: headlines, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			return build(env, name, s, v, func() keyWarner { return NewAnalytic(name, env.Engine, s) })
		},
	})
}

// build checks the keys and makes a core of the timing asked for; physical is
// how the fidelity makes its own.
func build(env *system.Env, name string, s Spec, v configs.Value, physical func() keyWarner) (system.Node, error) {
	var errs configs.Errors
	if err := s.Check(); err != nil {
		for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
			var k *KeyError
			errors.As(e, &k)
			at := v
			for _, part := range strings.Split(k.Key, ".") {
				if x := at.Get(part); x.Exists() {
					at = x
				}
			}
			errs = append(errs, at.Errorf(nil, "%s", k.Msg))
		}
	}
	warnings, unused := unusedKeys(&s, v)
	errs = append(errs, unused...)
	switch s.Timing { // unusedKeys and kernelFaults refuse the keys of the others
	case NVDLA:
		errs.Add(s.NVDLA.Check(v.Place("nvdla")))
	case RowStationary:
		errs.Add(s.Eyeriss.Check(v.Place("eyeriss")))
	case Gemmini:
		errs.Add(s.Gemmini.Check(peertiming.Core{Rows: s.Rows, Cols: s.Cols}, v.Place("gemmini")))
	}
	errs = append(errs, kernelFaults(&s, v)...)
	errs = append(errs, peFaults(&s, v)...)
	errs = append(errs, s.energyFaults(v)...)
	errs.Add(s.Kernel.Check(v))
	errs.Add(s.checkVector(v))
	if len(errs) > 0 {
		return nil, errs
	}
	if s.Timing == KernelTiming {
		if atTile(v) {
			return kernel.NewTile(name, env.Engine, s.kernel(), s.port()), nil
		}
		return kernel.New(name, env.Engine, s.kernel()), nil
	}
	var node keyWarner
	core := peertiming.Core{Timing: s.Timing, Rows: s.Rows, Cols: s.Cols, Clock: s.Clock.Clock}
	if s.Timing == ScaleSim {
		m, err := s.model(graph.Int8)
		if err != nil {
			return nil, v.Get("energy").Errorf(nil, "%s", err)
		}
		core.Energy, core.Idle = m, float64(s.Energy.Idle)
	}
	switch s.Timing {
	case ScaleSim:
		node = peertiming.NewScaleSim(name, env.Engine, core, s.scaleSim(), s.ScaleSimDRAM)
	case NVDLA:
		node = peertiming.NewNVDLA(name, env.Engine, core, s.NVDLA)
	case RowStationary:
		node = peertiming.NewEyeriss(name, env.Engine, core, s.Eyeriss)
	case Gemmini:
		node = peertiming.NewGemmini(name, env.Engine, core, s.Gemmini)
	default:
		node = physical()
	}
	node.Warn(warnings)
	if k, ok := node.(chooser); ok && v.Get("dataflow").Pos().File == configs.SetFile {
		k.choose()
	}
	return node, nil
}

// toolUnused are the keys that have no effect with the counts of another program.
var toolUnused = map[string][]string{
	ScaleSim:      {"dma", "overlap", "pe", "sparsity", "on_chip", "gemv", "stages", "vector", "accumulator"},
	NVDLA:         {"dma", "overlap", "pe", "sparsity", "on_chip", "gemv", "stages", "vector", "accumulator", "energy", "sram", "dataflow"},
	Gemmini:       {"dma", "overlap", "pe", "sparsity", "on_chip", "gemv", "stages", "vector", "accumulator", "energy", "sram", "dataflow"},
	RowStationary: {"dma", "overlap", "pe", "sparsity", "on_chip", "gemv", "stages", "vector", "accumulator", "energy", "sram", "dataflow"},
}

// scaleSim is the array as SCALE-Sim has it.
func (s *Spec) scaleSim() scalesim.Array {
	return scalesim.Array{
		Rows: s.Rows, Cols: s.Cols, Dataflow: scalesim.Dataflow(s.Dataflow),
		IfmapSRAM: int(s.SRAM.Ifmap), FilterSRAM: int(s.SRAM.Filter), OfmapSRAM: int(s.SRAM.Ofmap),
	}
}

// kernel is the core as timing kernel has it.
func (s *Spec) kernel() kernel.Config {
	return kernel.Config{Rows: s.Rows, Cols: s.Cols, Clock: s.Clock.Clock, Preload: s.Overlap.Preload, PE: s.PE, Sparsity: s.Sparsity,
		Lanes: s.Vector.Lanes, VectorUnits: s.Vector.Units, Spec: s.Kernel, Energy: s.figures(), Idle: float64(s.Energy.Idle)}
}

// atTile reports whether fidelity tile is asked for: cores of timing kernel are analytic without.
func atTile(v configs.Value) bool { return v.Get("fidelity").Text() == "tile" }

// port is how a core of timing kernel asks for bytes at fidelity tile.
func (s *Spec) port() kernel.Port {
	p := kernel.Port{Burst: uint64(s.DMA.Burst), Outstanding: int(s.DMA.Outstanding), Stream: s.Kernel.Stream}
	if p.Outstanding == 0 {
		p.Outstanding = kernelDepth
	}
	return p
}

// kernelDepth is the requests that kernels have in flight at the most: pieces fetched ahead are fewer.
const kernelDepth = 4096

// headlines are what a reader asks of a core besides the time of the run.
var headlines = []system.Headline{
	{Metric: "utilization", Unit: stats.Percent, Better: system.Neither, Label: "used"},
}

// levers are what may help a run on such a core.
func levers(s Spec) []system.Lever {
	out := []system.Lever{system.Twice("array sides", "rows", "cols"), system.Twice("clock", "clock")}
	if s.Timing == KernelTiming {
		return append(out, system.Twice("arrays", "arrays"), system.Twice("VMEM", "vmem"), system.Half("launch", "kernels.launch"))
	}
	out = append(out, system.Twice("buffers", "sram"))
	if s.Timing == Physical {
		out = append(out, system.Twice("vector lanes", "vector.lanes"), system.Twice("outstanding requests", "dma.outstanding"))
	}
	return out
}

// MakeBuilder returns a builder of a core of fidelity tile with the values of DefaultSpec. The ports
// of the core are called Mem and Sync. Build panics without an engine and for values that no core
// can have.
func MakeBuilder() system.Builder[Spec, *Tile] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Tile, error) {
		if err := s.Check(); err != nil {
			return nil, err
		}
		return New(name, env.Engine, s), nil
	})
}
