package peertiming

import (
	"github.com/causeway-sim/causeway/accelerators/gemmini"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// A GemminiSpec is a generated accelerator besides its rows, columns and clock. Words have 8 bits,
// accumulators 32.
type GemminiSpec struct {
	Scratchpad  units.Bytes    `yaml:"scratchpad" jsonschema:"description=Scratchpad of the hardware; a tile uses at most half"`
	Accumulator units.Bytes    `yaml:"accumulator" jsonschema:"description=Accumulators of the hardware; a tile uses at most half"`
	Library     GemminiLibrary `yaml:"library" jsonschema:"description=The library that makes the tiles and the processor that runs it"`
	InFlight    int            `yaml:"in_flight" jsonschema:"minimum=1,maximum=64,description=Requests of each DMA engine without an answer"`
	Memory      GemminiMemory  `yaml:"memory" jsonschema:"description=Caches and DRAM that the DMA engines read and write"`
	// Mapping is own, or a mapping as Timeloop prints it.
	Mapping string `yaml:"mapping" jsonschema:"description=own (default): the library's own tiles; or a mapping of every layer as Timeloop prints it on one line such as L3[WIO] K4 - L2[WI] K16X - L1[O] C48 P16 C16X - L0[W] P8"`
	// Rows is what tiles of a mapping may take.
	Rows GemminiRows `yaml:"rows" jsonschema:"description=Rows of both memories that a mapping was made for; one that takes more is warned of"`
	// Caches says what they hold when an operator begins.
	Caches string `yaml:"caches" jsonschema:"enum=kept,enum=benchmark,description=What the caches hold when a layer begins: kept (default): what the layers before it left; benchmark: the layer's operands in the last level alone with the library's tiles and in both with a mapping"`
}

// A GemminiLibrary is what the library was compiled for, and its cost.
type GemminiLibrary struct {
	Scratchpad  units.Bytes `yaml:"scratchpad" jsonschema:"description=Scratchpad that the library was compiled for"`
	Accumulator units.Bytes `yaml:"accumulator" jsonschema:"description=Accumulators that the library was compiled for"`
	Probe       int         `yaml:"probe" jsonschema:"minimum=0,maximum=1048576,description=Cycles of the processor to count the rows of one tile while it looks for one that fits"`
	Loop        int         `yaml:"loop" jsonschema:"minimum=0,maximum=1048576,description=Cycles of the processor between two tiles"`
	Start       int         `yaml:"start" jsonschema:"minimum=0,maximum=1048576,description=Cycles of the processor before the first tile"`
}

// GemminiMemory is the caches and the DRAM that the DMA engines read and write.
type GemminiMemory struct {
	Cache     units.Bytes `yaml:"cache" jsonschema:"description=Shared cache; 8 ways of lines of 64 bytes"`
	Hit       int         `yaml:"hit" jsonschema:"minimum=1,maximum=65536,description=Cycles from a request to the first beat of its answer where the shared cache has the line"`
	SameSet   int         `yaml:"same_set" jsonschema:"minimum=0,maximum=65536,description=Cycles for which a request holds its set of the shared cache"`
	LastLevel units.Bytes `yaml:"last_level" jsonschema:"description=Last level cache before the DRAM; 8 ways of blocks of 128 bytes"`
	DRAM      int         `yaml:"dram" jsonschema:"minimum=1,maximum=65536,description=Cycles of the DRAM to the first bytes of a block"`
}

// GemminiRows are rows of the scratchpad (Dim bytes) and of the accumulators (4 Dim bytes).
type GemminiRows struct {
	Scratchpad  int `yaml:"scratchpad" jsonschema:"minimum=0,maximum=16777216,description=Rows of the scratchpad; 0: all"`
	Accumulator int `yaml:"accumulator" jsonschema:"minimum=0,maximum=16777216,description=Rows of the accumulators; 0: all"`
}

// Values of GemminiSpec.Mapping and Caches.
const (
	ownMapping      = "own"
	cachesKept      = "kept"
	cachesBenchmark = "benchmark"
)

// DefaultGemmini is the generator's default, with the memory that it was measured with.
func DefaultGemmini() GemminiSpec {
	m := gemmini.Default()
	rows := func(n, bytes int) units.Bytes { return units.Bytes(n * bytes) }
	return GemminiSpec{
		Scratchpad: rows(m.ScratchpadRows, m.Dim), Accumulator: rows(m.AccumulatorRows, 4*m.Dim),
		Library: GemminiLibrary{Scratchpad: rows(m.Software.ScratchpadRows, m.Dim), Accumulator: rows(m.Software.AccumulatorRows, 4*m.Dim),
			Probe: m.Software.Probe, Loop: m.Software.Loop, Start: m.Software.Start},
		InFlight: m.InFlight,
		Memory: GemminiMemory{Cache: units.Bytes(m.Memory.Bytes), Hit: m.Memory.Hit, SameSet: m.Memory.SameSet,
			LastLevel: units.Bytes(m.Memory.Below.Bytes), DRAM: m.Memory.Below.Latency},
		Mapping: ownMapping, Caches: cachesKept,
	}
}

// machine is that of accelerators/gemmini.
func (g *GemminiSpec) machine(c Core) gemmini.Machine {
	m := gemmini.Default()
	m.Dim = c.Rows
	m.BusBytes = min(m.BusBytes, m.Dim)
	m.MaxBytes = max(m.MaxBytes, m.Dim)
	rows := func(b units.Bytes, row int) int { return int(b) / row }
	m.ScratchpadRows, m.AccumulatorRows = rows(g.Scratchpad, m.Dim), rows(g.Accumulator, 4*m.Dim)
	l := &g.Library
	m.Software = gemmini.Software{ScratchpadRows: rows(l.Scratchpad, m.Dim), AccumulatorRows: rows(l.Accumulator, 4*m.Dim), Probe: l.Probe, Loop: l.Loop, Start: l.Start}
	m.InFlight = g.InFlight
	x := &g.Memory
	m.Memory.Bytes, m.Memory.Hit, m.Memory.SameSet = int(x.Cache), x.Hit, x.SameSet
	m.Memory.Below.Bytes, m.Memory.Below.Latency = int(x.LastLevel), x.DRAM
	return m
}

// Check reports values that no such machine can have; at is the key of the section.
func (g *GemminiSpec) Check(c Core, at configs.Value) error {
	var errs configs.Errors
	if d := c.Rows; c.Cols != d || d < 4 || d > 64 || d&(d-1) != 0 {
		errs.Add(at.Errorf(nil, "the array is %d x %d (want a square of 4, 8, 16, 32 or 64)", c.Rows, c.Cols))
		return errs.Err()
	}
	m := g.machine(c)
	if err := m.Check(); err != nil {
		errs.Add(at.Errorf(nil, "%v", err))
	}
	if g.Mapping != ownMapping {
		t, err := gemmini.ParseMapping(g.Mapping)
		if err == nil {
			err = m.Fits(&t)
		}
		if err != nil {
			errs.Add(at.Place("mapping").Errorf(nil, "%v", err))
		}
	}
	if g.Caches != cachesKept && g.Caches != cachesBenchmark {
		errs.Add(at.Place("caches").Errorf(nil, "is %q (want one of: %s, %s)", g.Caches, cachesKept, cachesBenchmark))
	}
	return errs.Err()
}
