package energy

import (
	"errors"
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Spec picks the figures. Every key may be left out; an energy given replaces
// the table's figure.
type Spec struct {
	// Process of arithmetic and SRAM: 45nm or 7nm.
	Process string `yaml:"process" jsonschema:"enum=45nm,enum=7nm"`
	// DRAM kind: hbm2, gddr5, gddr6 or ddr4.
	DRAM string `yaml:"dram" jsonschema:"enum=hbm2,enum=gddr5,enum=gddr6,enum=ddr4"`
	// Hop is the length of one hop of a network in millimetres.
	Hop float64 `yaml:"hop_mm"`

	MAC        *units.Energy `yaml:"mac,omitempty"`         // per multiply-accumulate
	Vector     *units.Energy `yaml:"vector,omitempty"`      // per operation of the vector unit
	Register   *units.Energy `yaml:"register,omitempty"`    // per byte moved on in the array
	IfmapByte  *units.Energy `yaml:"ifmap_byte,omitempty"`  // per byte read or written
	FilterByte *units.Energy `yaml:"filter_byte,omitempty"` // per byte read or written
	OfmapByte  *units.Energy `yaml:"ofmap_byte,omitempty"`  // per byte read or written
	DRAMByte   *units.Energy `yaml:"dram_byte,omitempty"`   // per byte read or written
	HopByte    *units.Energy `yaml:"hop_byte,omitempty"`    // per byte and hop
}

// DefaultSpec is a 7 nm core on HBM2 with hops of 1 mm (assumption: the pitch of
// a core).
func DefaultSpec() Spec { return Spec{Process: "7nm", DRAM: "hbm2", Hop: 1} }

// Processes lists the processes with figures.
func Processes() (out []string) {
	for i := range processes {
		out = append(out, processes[i].name)
	}
	return out
}

// DRAMs lists the kinds of DRAM with figures.
func DRAMs() (out []string) {
	for i := range drams {
		out = append(out, drams[i].name)
	}
	return out
}

// A Model is the energy per event of one core, in picojoules.
type Model struct {
	MAC, Vector, Register float64
	SRAM                  [3]float64 // per byte of the ifmap, filter and ofmap buffer
	DRAM, Hop             float64    // per byte
}

// New settles the figures for a core that multiplies elements of type d and has
// buffers of the given capacities: ifmap, filter, ofmap.
func New(s Spec, d graph.DType, capacity [3]units.Bytes) (Model, error) {
	var m Model
	var errs []error
	var p *process
	for i := range processes {
		if processes[i].name == s.Process {
			p = &processes[i]
		}
	}
	if p == nil {
		errs = append(errs, fmt.Errorf("process: unknown %q (want one of: %s; other figures can be given one by one)", s.Process, strings.Join(Processes(), ", ")))
		p = &processes[0]
	}
	found := false
	for i := range drams {
		if drams[i].name == s.DRAM {
			found, m.DRAM = true, drams[i].pj
		}
	}
	if !found {
		errs = append(errs, fmt.Errorf("dram: unknown %q (want one of: %s)", s.DRAM, strings.Join(DRAMs(), ", ")))
	}
	if !(s.Hop >= 0 && s.Hop < 1000) {
		errs = append(errs, fmt.Errorf("hop_mm: %g (want 0 to 1000)", s.Hop))
	}
	m.MAC, m.Vector, m.Register, m.Hop = p.mac[d], p.vector, p.register, p.wire*s.Hop
	for i, c := range capacity {
		m.SRAM[i] = p.sramByte(c)
	}
	for _, o := range []struct {
		key string
		v   *units.Energy
		to  *float64
	}{{"mac", s.MAC, &m.MAC}, {"vector", s.Vector, &m.Vector}, {"register", s.Register, &m.Register},
		{"ifmap_byte", s.IfmapByte, &m.SRAM[0]}, {"filter_byte", s.FilterByte, &m.SRAM[1]}, {"ofmap_byte", s.OfmapByte, &m.SRAM[2]},
		{"dram_byte", s.DRAMByte, &m.DRAM}, {"hop_byte", s.HopByte, &m.Hop}} {
		if o.v != nil {
			*o.to = float64(*o.v) * 1e12
		}
	}
	return m, errors.Join(errs...)
}

// Counts are the events of one core.
type Counts struct {
	MACs      int64
	Vector    int64    // operations of the vector unit
	Registers int64    // bytes moved on by registers of the array
	SRAM      [3]int64 // bytes read and written in the ifmap, filter and ofmap buffer, by the array and the DMA
	DRAM      int64    // bytes read and written
	Hops      int64    // bytes times hops
}

// A Breakdown is where the energy goes, in picojoules.
type Breakdown struct {
	MAC, Vector, Register float64
	SRAM                  [3]float64
	DRAM, Hop             float64
}

// Total is the sum of all parts.
func (b Breakdown) Total() float64 {
	return b.MAC + b.Vector + b.Register + b.SRAM[0] + b.SRAM[1] + b.SRAM[2] + b.DRAM + b.Hop
}

// Energy is what the counted events cost.
func (m *Model) Energy(c Counts) Breakdown {
	b := Breakdown{MAC: m.MAC * float64(c.MACs), Vector: m.Vector * float64(c.Vector), Register: m.Register * float64(c.Registers),
		DRAM: m.DRAM * float64(c.DRAM), Hop: m.Hop * float64(c.Hops)}
	for i := range c.SRAM {
		b.SRAM[i] = m.SRAM[i] * float64(c.SRAM[i])
	}
	return b
}
