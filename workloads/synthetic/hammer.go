package synthetic

import (
	"errors"
	"fmt"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// A Hammer reads rows of one bank in turns, so that each access opens its row again: an attack on
// their neighbours. Which addresses are rows of one bank is a matter of the address
// map of the memory.
type Hammer struct {
	Row   units.Bytes `yaml:"row" doc:"Distance of neighbouring rows of a bank in the address map"`
	Rows  int         `yaml:"rows" jsonschema:"minimum=1,maximum=65536" doc:"Rows that are read in turns, every second one: 1 is single-sided with a row far away, 2 double-sided, more many-sided"`
	First units.Bytes `yaml:"first" doc:"Address of the first of them; 0B is the first row"`
	Line  units.Bytes `yaml:"line" doc:"Bytes of an access"`
	Count uint64      `yaml:"count" doc:"Accesses of each core; 0 is without end, for drivers with limit or until"`
	Cores int         `yaml:"cores" jsonschema:"minimum=1" doc:"Number of cores"`
}

// DefaultHammer is a double-sided attack on row 1001 of rows of 8 KiB in 16 banks.
func DefaultHammer() Hammer {
	return Hammer{Row: 128 << 10, Rows: 2, First: 1000 * 128 << 10, Line: 64, Cores: 1}
}

func init() {
	Layers.Add(registry.Entry[func(any) Layer]{
		Name:   "hammer",
		Doc:    "Rows of one bank that are read in turns: row hammer, single-, double- or many-sided.",
		Source: "Kim et al., ISCA 2014; Frigo et al., TRRespass, IEEE S&P 2020 (many-sided)",
		Spec:   DefaultHammer(),
		New:    func(spec any) Layer { h := spec.(Hammer); return &h },
	})
}

// far is how many rows from the only one the row lies that closes it.
const far = 100

// Check implements Layer.
func (h *Hammer) Check() error {
	var errs []error
	if h.Line < 1 || h.Row < h.Line || h.Row > 1<<40 {
		errs = append(errs, fmt.Errorf("row is %s and line %s (want 1B <= line <= row <= 1TiB)", h.Row, h.Line))
	}
	if h.Rows < 1 || h.Rows > 1<<16 || h.Cores < 1 || h.First > 1<<50 {
		errs = append(errs, fmt.Errorf("%d rows, %d cores, first at %s (want 1 to 65536 rows, 1 or more cores, at most 1PiB)", h.Rows, h.Cores, h.First))
	}
	return errors.Join(errs...)
}

// On implements Layer.
func (h *Hammer) On() int { return h.Cores }

// Tensors implements Layer.
func (h *Hammer) Tensors() []trace.Tensor {
	return []trace.Tensor{{Name: "rows", Kind: graph.Activation, Bytes: h.place(h.Period()-1) + uint64(h.Line)}}
}

// Endless implements Endless.
func (h *Hammer) Endless() bool { return h.Count == 0 }

// Period implements Periodic.
func (h *Hammer) Period() uint64 { return uint64(max(h.Rows, 2)) }

// At implements Layer.
func (h *Hammer) At(_ int, i uint64) (Block, bool) {
	if h.Count > 0 && i >= h.Count {
		return Block{}, false
	}
	return Block{Offset: h.place(i), Bytes: uint64(h.Line)}, true
}

// place is where access i lies.
func (h *Hammer) place(i uint64) uint64 {
	step := uint64(2)
	if h.Rows == 1 {
		step = far
	}
	return uint64(h.First) + i%h.Period()*step*uint64(h.Row)
}
