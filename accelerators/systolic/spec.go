package systolic

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/systolic/kernel"
	"github.com/causeway-sim/causeway/accelerators/systolic/peertiming"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Spec says what a systolic core is like. Both fidelities take the same keys. Tags sets and try are
// those of mapping.Spec: what the mapper chooses is a choice, what the core has is not.
type Spec struct {
	// Rows of processing elements.
	Rows int `yaml:"rows" jsonschema:"minimum=1,maximum=65536,description=Rows of processing elements"`
	// Cols is columns of processing elements.
	Cols int `yaml:"cols" jsonschema:"minimum=1,maximum=65536,description=Columns of processing elements"`
	// Dataflow names the operand that stays in the array: os, ws or is, or
	// another entry of dataflow.All.
	Dataflow Flow `yaml:"dataflow" jsonschema:"description=Operand that stays in the array: output; weight or input stationary. Products take the second way of weights (key gemv) where that is faster" sets:"machine"`
	// Stages of a processing element's multiplier and adder.
	Stages int `yaml:"stages" jsonschema:"minimum=1,maximum=64,description=Pipeline stages of a processing element; a result comes one cycle later per stage above one"`
	// Clock of the core.
	Clock units.Frequency `yaml:"clock" jsonschema:"description=Clock of the core"`
	// SRAM capacities. Each buffer is double: a tile uses at most half.
	SRAM machine.SRAM `yaml:"sram" jsonschema:"description=Capacities of the double buffers; a tile uses at most half"`
	// DMA is the engine between the buffers and the memory port.
	DMA DMA `yaml:"dma" jsonschema:"description=Engine between the buffers and the memory port"`
	// Timing is physical, scalesim for SCALE-Sim's own cycle counts, nvdla for NVDLA's own
	// performance sheet, eyeriss for row stationary,
	// gemmini for the stream of Gemmini's instructions, or kernel.
	Timing string `yaml:"timing" jsonschema:"enum=physical,enum=scalesim,enum=nvdla,enum=eyeriss,enum=gemmini,enum=kernel,description=physical; SCALE-Sim's own counts; NVDLA's performance sheet; row stationary as Eyeriss; Gemmini's instruction stream; or operators as a compiler's kernels" sets:"machine"`
	// Overlap of folds.
	Overlap Overlap `yaml:"overlap" jsonschema:"description=What the array hides between stationary tiles"`
	// PE is the rate of a processing element by element type.
	PE machine.Rates `yaml:"pe" jsonschema:"description=Multiply-accumulates per cycle of a processing element by data type such as 2 or 0.25 or 1/3; types left out are none of its; without the key all have a rate of 1"`
	// Sparsity is the pattern of weights that the array skips.
	Sparsity graph.Pattern `yaml:"sparsity" jsonschema:"description=Structured sparsity of weights that the array skips such as 2:4: weights of that pattern take N of M words along k; left out: none"`
	// OnChip is what stays in the buffers between operators.
	OnChip OnChip `yaml:"on_chip" jsonschema:"description=What stays in the buffers between operators: none; outputs: results while they fit; all: and weights of the next operator are fetched while one ends" sets:"choice"`
	// Gemv is the path for products of few rows.
	Gemv Gemv `yaml:"gemv" jsonschema:"description=Rows of weights that enter the array per cycle into a second set of registers where that is faster (objective time); auto: twice what the memory behind brings; none: rows are shifted in at the edge alone" sets:"choice" try:"auto none"`
	// Vector is the unit for what is not matrix work.
	Vector Vector `yaml:"vector" jsonschema:"description=Unit for what is not matrix work"`
	// ScaleSimDRAM adds SCALE-Sim's DRAM columns, with timing scalesim.
	ScaleSimDRAM bool `yaml:"scalesim_dram" jsonschema:"description=Add SCALE-Sim's DRAM columns and cycles with prefetch (timing scalesim)" sets:"work"`
	// Accumulator is the type of partial sums; left out, int32 or fp32 by the
	// activations.
	Accumulator *graph.DType `yaml:"accumulator" jsonschema:"description=Type of partial sums; default int32 or fp32 by the activations" sets:"machine"`
	// NVDLA is what timing nvdla needs besides.
	NVDLA peertiming.NVDLASpec `yaml:"nvdla" jsonschema:"description=Memories and batches of NVDLA's performance sheet (timing nvdla); multipliers are rows x cols" sets:"machine"`
	// Eyeriss is what timing eyeriss needs besides.
	Eyeriss peertiming.EyerissSpec `yaml:"eyeriss" jsonschema:"description=Scratchpads; buffer; mapping and energy of row stationary (timing eyeriss)" sets:"machine"`
	// Gemmini is what timing gemmini needs besides.
	Gemmini peertiming.GemminiSpec `yaml:"gemmini" jsonschema:"description=Memories; library; caches and mapping of Gemmini (timing gemmini)" sets:"machine"`
	// Kernel is what timing kernel needs besides.
	Kernel kernel.Spec `yaml:",inline"`
	// Energy per event.
	Energy Energy `yaml:"energy" jsonschema:"description=Energy per event inside the core; figures of a process; each can be replaced" sets:"machine"`
}

// A Flow is the name of an entry of dataflow.All.
type Flow string

// UnmarshalText implements encoding.TextUnmarshaler; Check looks the name up.
func (f *Flow) UnmarshalText(b []byte) error { *f = Flow(b); return nil }

// ConfigValues lists the names, for schemas and messages.
func (Flow) ConfigValues() []string { return dataflow.All.Names() }

// A DMA is what one may set of the DMA engine.
type DMA struct {
	// Burst is the size of a whole memory request and the boundary it is aligned to.
	Burst units.Bytes `yaml:"burst" jsonschema:"description=Size and alignment of a memory request"`
	// Outstanding is the number of requests that may be without an answer.
	Outstanding Depth `yaml:"outstanding" jsonschema:"description=Requests that may be without an answer; reads and writes together; auto: enough for bandwidth times latency of the memory behind"`
}

// Overlap says what the array hides between stationary tiles.
type Overlap struct {
	// Preload loads the next stationary tile while this one streams.
	Preload bool `yaml:"preload" jsonschema:"description=Load the next stationary tile while this one streams" sets:"machine"`
	// Drain starts the next tile in the wavefront after this one.
	Drain bool `yaml:"drain" jsonschema:"description=Start the next tile in the wavefront behind this one" sets:"machine"`
	// First loads the first stationary tile of an operator while the operator before streams.
	First bool `yaml:"first" jsonschema:"description=With preload: load the first stationary tile of an operator while the operator before it streams" sets:"machine"`
}

// A Vector is what one may set of the vector unit.
type Vector struct {
	// Lanes is operations per cycle.
	Lanes int `yaml:"lanes" jsonschema:"minimum=1,maximum=1048576,description=Operations per cycle"`
	// Norms says when the statistics of a norm are made.
	Norms string `yaml:"norms" jsonschema:"enum=apart,enum=beside,description=apart (default): a norm makes its statistics and its results; beside: the vector unit has adders that make them as the results it reads leave the array" sets:"machine"`
	// Units that the lanes belong to.
	Units int `yaml:"units" jsonschema:"minimum=0,maximum=65536,description=Units that the lanes belong to (timing kernel)"`
}

// The timings of a core.
const (
	Physical      = "physical"
	ScaleSim      = "scalesim"
	NVDLA         = "nvdla"   // its own performance sheet: see accelerators/peers/nvdla
	RowStationary = "eyeriss" // see accelerators/peers/eyeriss
	Gemmini       = "gemmini" // see accelerators/gemmini
)

var timings = []string{Physical, ScaleSim, NVDLA, RowStationary, Gemmini, KernelTiming}

// When the statistics of a norm are made.
const (
	normsApart  = "apart"
	normsBeside = "beside"
)

// DefaultSpec is a 128 x 128 weight-stationary core of 1 GHz with 2 MiB per
// buffer.
//
// assumption: TPU-like sizes, round numbers; presets name real ones.
func DefaultSpec() Spec {
	return Spec{
		Rows: 128, Cols: 128, Dataflow: "ws", Clock: units.Frequency{Clock: clock.GHz},
		SRAM:   machine.SRAM{Ifmap: 2 << 20, Filter: 2 << 20, Ofmap: 2 << 20},
		DMA:    DMA{Burst: 4 << 10},
		Stages: 1, Timing: Physical, Vector: Vector{Lanes: 128, Norms: normsApart}, OnChip: "all", NVDLA: peertiming.DefaultNVDLA(), Eyeriss: peertiming.DefaultEyeriss(), Gemmini: peertiming.DefaultGemmini(), Kernel: kernel.DefaultSpec(),
		Energy: Energy{Process: energy.DefaultProcess},
	}
}

// Check reports every value that no core can have.
func (s *Spec) Check() error {
	var errs []error
	wrong := func(key string, format string, args ...any) {
		errs = append(errs, &KeyError{key, fmt.Sprintf(format, args...)})
	}
	for _, d := range []struct {
		key string
		v   int
		max int
	}{{"rows", s.Rows, 1 << 16}, {"cols", s.Cols, 1 << 16}, {"vector.lanes", s.Vector.Lanes, 1 << 20}, {"stages", s.Stages, 64}} {
		if d.v < 1 || d.v > d.max {
			wrong(d.key, "is %d (want 1 to %d)", d.v, d.max)
		}
	}
	if d := s.DMA.Outstanding; d < 0 || d > maxDepth {
		wrong("dma.outstanding", "is %d (want 1 to %d, or auto)", d, maxDepth)
	}
	s.checkDataflow(wrong)
	if _, ok := s.OnChip.keeps(); !ok {
		wrong("on_chip", "is %q (want one of: %s)", s.OnChip, strings.Join(onChip, ", "))
	}
	if !slices.Contains(timings, s.Timing) {
		wrong("timing", "is %q (want one of: %s)", s.Timing, strings.Join(timings, ", "))
	}
	if n := s.Vector.Norms; n != normsApart && n != normsBeside {
		wrong("vector.norms", "is %q (want one of: %s, %s)", n, normsApart, normsBeside)
	}
	if s.Clock.IsZero() {
		wrong("clock", "is missing")
	}
	if d := s.Accumulator; d != nil && d.Blocked() {
		wrong("accumulator", "is %s, a block format (want a plain type)", *d)
	}
	s.checkBuffers(wrong)
	if _, err := s.model(graph.Int8); err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			key, what, _ := strings.Cut(line, ": ")
			wrong("energy."+key, "%s", what)
		}
	}
	if s.ScaleSimDRAM && s.Timing != ScaleSim {
		wrong("scalesim_dram", "has no effect with timing %s (used by: %s)", s.Timing, ScaleSim)
	}
	return errors.Join(errs...)
}

// checkDataflow reports a dataflow that the array cannot have, and overlap that it cannot use.
func (s *Spec) checkDataflow(wrong func(key, format string, args ...any)) {
	if names := dataflow.All.Names(); !slices.Contains(names, string(s.Dataflow)) {
		wrong("dataflow", "is %q (want one of: %s)", s.Dataflow, strings.Join(names, ", "))
	}
	if e, ok := dataflow.All.Entry(string(s.Dataflow)); ok {
		if err := e.New.Check(dataflow.Array{Rows: s.Rows, Cols: s.Cols}); err != nil {
			wrong("dataflow", "is %s with %v", s.Dataflow, err)
		}
	}
	if s.Overlap.First && !s.Overlap.Preload {
		wrong("overlap.first", "has no effect without overlap.preload")
	}
}

// checkBuffers reports sizes of bursts and buffers that cannot be.
func (s *Spec) checkBuffers(wrong func(key, format string, args ...any)) {
	if s.DMA.Burst < 1 || s.DMA.Burst > memory.MaxBurst {
		wrong("dma.burst", "is %s (want 1B to %s)", s.DMA.Burst, units.Bytes(memory.MaxBurst))
	}
	for _, b := range []struct {
		key string
		v   units.Bytes
	}{{"sram.ifmap", s.SRAM.Ifmap}, {"sram.filter", s.SRAM.Filter}, {"sram.ofmap", s.SRAM.Ofmap}} {
		if b.v < 2 || b.v > 1<<40 {
			wrong(b.key, "is %s (want 2B to 1TiB)", b.v)
		}
	}
}

// A KeyError is what is wrong with one key of a Spec.
type KeyError struct{ Key, Msg string }

func (e *KeyError) Error() string { return e.Key + " " + e.Msg }

// Core is what the mapper may know of the core.
func (s *Spec) Core(d graph.DTypes) machine.Core {
	acc := d.Accumulator
	if s.Accumulator != nil {
		acc = *s.Accumulator
	}
	keep, _ := s.OnChip.keeps()
	return machine.Core{
		OnChip: keep,
		Array: dataflow.Array{
			Rows: s.Rows, Cols: s.Cols,
			OverlapPreload: s.Overlap.Preload, OverlapDrain: s.Overlap.Drain,
			OverlapFirst: s.Overlap.First, Stages: s.Stages,
		},
		Dataflow: string(s.Dataflow), SRAM: s.SRAM, Accumulator: acc, Lanes: s.Vector.Lanes, Rates: s.PE.Table(), Sparsity: s.Sparsity,
		Norms: s.Vector.Norms == normsBeside,
	}
}

func init() {
	schema.Register[machine.Rate](schema.Schema{"anyOf": []any{
		schema.Schema{"type": "number", "exclusiveMinimum": 0, "maximum": machine.MaxRate},
		schema.Schema{"type": "string", "pattern": `^[0-9]+/[0-9]+$`}}})
	schema.Register[graph.Pattern](schema.Schema{"type": "string", "pattern": `^[0-9]+:[0-9]+$`})
}

// peFaults are keys of pe that name no element type.
func peFaults(s *Spec, v configs.Value) (errs configs.Errors) {
	for _, name := range s.PE.Unknown() {
		errs = append(errs, v.Place("pe").UnknownKey(name, graph.DTypeNames()))
	}
	return errs
}
