package lanes

import (
	"github.com/causeway-sim/causeway/accelerators/fpga"
	"github.com/causeway-sim/causeway/accelerators/skip"
	"github.com/causeway-sim/causeway/accelerators/tconv"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Spec is the configuration of an engine. Units are in the values.
type Spec struct {
	// Lanes is the filters computed in parallel.
	Lanes int `yaml:"lanes" jsonschema:"minimum=1,maximum=65536,description=Filters worked on at a time; each lane keeps one partial sum"`
	// Width is the input channels that a lane multiplies per cycle.
	Width int `yaml:"width" jsonschema:"minimum=1,maximum=65536,description=Input channels that a lane multiplies in a cycle"`
	// Clock of the engine.
	Clock units.Frequency `yaml:"clock" jsonschema:"description=Clock of the engine"`
	// Memory is the bandwidth of the engine's own memory.
	Memory units.Bandwidth `yaml:"memory" jsonschema:"description=Bandwidth of the engine's own memory; operators take at least as long as their bytes"`
	// Buffer is the capacity for partial sums.
	Buffer units.Bytes `yaml:"buffer" jsonschema:"description=Buffer of partial sums; those of an image that do not fit go to memory and come back; 0B: none fits"`
	// Accumulator is the type of partial sums.
	Accumulator graph.DType `yaml:"accumulator" jsonschema:"description=Type of partial sums"`
	// Overhead is added to every operator.
	Overhead units.Latency `yaml:"overhead" jsonschema:"description=Added to every operator (5us or 100cycle)"`
	// Transposed is the lowering of transposed convolutions.
	Transposed tconv.Lowering `yaml:"transposed" jsonschema:"description=How transposed convolutions are carried out: products where they land; all products and sums after them; zeros inserted between inputs"`
	// Timing is Products or Streaming.
	Timing string `yaml:"timing" jsonschema:"enum=products,enum=streaming,description=products: a cycle per product; streaming: also the rows that leave and a start per input row; for transposed convolutions by scatter or input_oriented"`
	// Skip selects the operands that are skipped.
	Skip skip.Spec `yaml:"skip" jsonschema:"description=Which operands the lanes pass over: zeros and those of small magnitude; left out: none"`
	// Device is the FPGA that the engine must fit on, or none.
	Device string `yaml:"device" jsonschema:"enum=none,enum=u280,description=FPGA that the engine has to fit on: its DSP slices; block and ultra RAM and channels of memory are counted"`
	// Operand is the type whose bits a multiplier takes.
	Operand graph.DType `yaml:"operand" jsonschema:"description=Type of the operands that the multipliers are made for; with device"`

	use   fpga.Use
	seed  uint64
	table *skip.Table
}

// none is the device of an engine whose resources are not counted.
const none = "none"

// The values of Spec.Timing.
const (
	Products  = "products"
	Streaming = "streaming"
)

// DefaultSpec is an engine of 16 lanes of 16 channels at 200 MHz.
//
// assumption: the width that MM2IM rounds its channels up to; lanes, clock and memory of a
// small FPGA board, round numbers.
func DefaultSpec() Spec {
	return Spec{Lanes: 16, Width: 16, Clock: units.Frequency{Clock: clock.Hz(200e6)}, Memory: 4e9 * 8,
		Buffer: 256 << 10, Accumulator: graph.Int32, Timing: Products, Device: none, Operand: graph.Int8}
}

// check reports every value that no engine can have; v is the node's mapping.
func (s *Spec) check(v configs.Value) error {
	var errs configs.Errors
	for key, n := range map[string]int{"lanes": s.Lanes, "width": s.Width} {
		if n < 1 || n > 1<<16 {
			errs = append(errs, v.Place(key).Errorf(nil, "%s is %d (want 1 to 65536)", key, n))
		}
	}
	for key, d := range map[string]graph.DType{"accumulator": s.Accumulator, "operand": s.Operand} {
		if d.Blocked() {
			errs = append(errs, v.Place(key).Errorf(nil, "is %s, a block format (want a plain type)", d))
		}
	}
	if s.Memory == 0 {
		errs = append(errs, v.Place("memory").Errorf(nil, "memory is %s (want more)", s.Memory))
	}
	if s.Clock.IsZero() {
		errs = append(errs, v.Place("clock").Errorf(nil, "clock is missing"))
	}
	if s.Buffer > 1<<40 {
		errs = append(errs, v.Place("buffer").Errorf(nil, "buffer is %s (want at most 1TiB)", s.Buffer))
	}
	switch s.Timing {
	case Products:
	case Streaming:
		if s.Transposed == tconv.ZeroInsertion {
			errs = append(errs, v.Place("transposed").Errorf(nil, "timing streaming knows no %s (want one of: scatter, input_oriented)", s.Transposed))
		}
	default:
		errs = append(errs, v.Place("timing").Errorf(nil, "timing is %q (want one of: products, streaming)", s.Timing))
	}
	errs.Add(s.fit(v))
	errs.Add(s.Skip.Check(v.Get("skip")))
	if s.Skip.On() && s.Timing == Streaming {
		errs.Add(v.Place("skip").Errorf(nil, "has no effect with timing streaming, which is for transposed convolutions"))
	}
	return errs.Err()
}

// fit counts the resources that the engine takes of its device.
func (s *Spec) fit(v configs.Value) error {
	if s.Device == none {
		if at := v.Get("operand"); at.Exists() {
			return at.Errorf(nil, "has no effect without a device")
		}
		return nil
	}
	d, ok := fpga.Devices[s.Device]
	if !ok {
		return v.Place("device").Errorf(fpga.Names(), "unknown device %q", s.Device)
	}
	var err error
	if s.use, err = d.Use(fpga.Engine{Multipliers: s.Lanes * s.Width, Bits: int(s.Operand.Bits()), Buffer: uint64(s.Buffer), Bandwidth: float64(s.Memory) / 8}); err != nil {
		return v.Place("device").Errorf(nil, "the engine %v", err)
	}
	return nil
}

// read reads the table of layers that skip names.
func (s *Spec) read(env *system.Env, v configs.Value) error {
	s.seed = env.Seed
	at := v.Get("skip").Get("layers")
	if !s.Skip.On() || !at.Exists() {
		return nil
	}
	path, err := env.File(at)
	if err != nil {
		return err
	}
	if s.table, err = skip.Read(path, s.Skip.Operand()); err != nil {
		return at.Errorf(nil, "%v", err)
	}
	return nil
}

func init() {
	system.Register(system.Kind[Spec]{
		Name:    "lanes",
		Works:   true,
		Doc:     "An engine of multiplier lanes over filters and channels, with transposed convolutions that skip what is cropped, and lanes that skip zero and small operands.",
		Source:  "Haris, Cano, Accelerating Transposed Convolutions on FPGA-based Edge Devices (MM2IM), FPL 2025; Umuroglu et al., FINN, FPGA 2017; Albericio et al., Cnvlutin, ISCA 2016",
		Subject: system.OfWork, Headlines: headlines, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if err := s.check(v); err != nil {
				return nil, err
			}
			if err := s.read(env, v); err != nil {
				return nil, err
			}
			return New(name, env.Engine, s), nil
		},
	})
}

// MakeBuilder returns a builder with the values of DefaultSpec. Build panics without an engine.
func MakeBuilder() system.Builder[Spec, *Comp] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Comp, error) {
		return New(name, env.Engine, s), nil
	})
}
