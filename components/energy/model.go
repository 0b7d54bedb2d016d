package energy

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Spec picks the figures. Every key may be left out; an energy given replaces
// the table's figure.
type Spec struct {
	// Process of arithmetic and SRAM: 45nm, 15nm or 7nm.
	Process string `yaml:"process" jsonschema:"enum=45nm,enum=15nm,enum=7nm"`

	MAC        *units.Energy `yaml:"mac,omitempty"`         // per multiply-accumulate
	Vector     *units.Energy `yaml:"vector,omitempty"`      // per operation of the vector unit
	Register   *units.Energy `yaml:"register,omitempty"`    // per byte moved on in the array
	IfmapByte  *units.Energy `yaml:"ifmap_byte,omitempty"`  // per byte read or written
	FilterByte *units.Energy `yaml:"filter_byte,omitempty"` // per byte read or written
	OfmapByte  *units.Energy `yaml:"ofmap_byte,omitempty"`  // per byte read or written

	SkewByte *units.Energy `yaml:"skew_byte,omitempty"` // per byte of skew registers next to the array, and cycle; none: not counted
	Cycle    *units.Energy `yaml:"cycle,omitempty"`     // per processing element and cycle of the array, leakage included; none: not counted
}

// DefaultProcess is the process of a node without the key process.
//
// assumption: the newer of the two that are published.
const DefaultProcess = "7nm"

// Processes lists the processes with figures.
func Processes() (out []string) {
	for i := range processes {
		out = append(out, processes[i].name)
	}
	return out
}

// A Model is the energy per event of one core, in picojoules.
type Model struct {
	MAC, Vector, Register float64
	SRAM                  [3]float64 // per byte of the ifmap, filter and ofmap buffer
	Skew, Cycle           float64    // per byte of skew registers next to the array and cycle; per processing element and cycle
}

// New settles the figures for a core that multiplies elements of type d and has
// buffers of the given capacities: ifmap, filter, ofmap.
func New(s Spec, d graph.DType, capacity [3]units.Bytes) (Model, error) {
	var m Model
	p, err := find(s.Process)
	if err != nil {
		p = &processes[0]
	}
	m.MAC, m.Vector, m.Register = p.ops[d.Element().String()].mac, p.vector, p.register
	for i, c := range capacity {
		m.SRAM[i] = p.sramByte(c)
	}
	for _, o := range []struct {
		key string
		v   *units.Energy
		to  *float64
	}{{"mac", s.MAC, &m.MAC}, {"vector", s.Vector, &m.Vector}, {"register", s.Register, &m.Register},
		{"ifmap_byte", s.IfmapByte, &m.SRAM[0]}, {"filter_byte", s.FilterByte, &m.SRAM[1]}, {"ofmap_byte", s.OfmapByte, &m.SRAM[2]},
		{"skew_byte", s.SkewByte, &m.Skew}, {"cycle", s.Cycle, &m.Cycle}} {
		if o.v != nil {
			*o.to = float64(*o.v) * 1e12
		}
	}
	return m, err
}

// find returns the process called name.
func find(name string) (*process, error) {
	for i := range processes {
		if processes[i].name == name {
			return &processes[i], nil
		}
	}
	return nil, fmt.Errorf("process: unknown %q (want one of: %s; other figures can be given one by one)", name, strings.Join(Processes(), ", "))
}

// Counts are the events of one core.
type Counts struct {
	MACs      int64
	Vector    int64    // operations of the vector unit
	Registers int64    // bytes moved on by registers of the array
	SRAM      [3]int64 // bytes read and written in the ifmap, filter and ofmap buffer, by the array and the DMA
	Skew      int64    // bytes of skew registers next to the array, times cycles
	Cycles    int64    // cycles of the array, times its processing elements
}

// A Breakdown is where the energy goes, in picojoules.
type Breakdown struct {
	MAC, Vector, Register float64
	SRAM                  [3]float64
	Skew, Cycle           float64
	Static                float64 // of time alone: Energy leaves it 0 (see Static)
}

// Total is the sum of all parts.
func (b Breakdown) Total() float64 {
	return b.MAC + b.Vector + b.Register + b.SRAM[0] + b.SRAM[1] + b.SRAM[2] + b.Skew + b.Cycle + b.Static
}

// Plus is the sum of two breakdowns.
func (b Breakdown) Plus(x Breakdown) Breakdown {
	b.MAC, b.Vector, b.Register = b.MAC+x.MAC, b.Vector+x.Vector, b.Register+x.Register
	for i := range b.SRAM {
		b.SRAM[i] += x.SRAM[i]
	}
	b.Skew, b.Cycle, b.Static = b.Skew+x.Skew, b.Cycle+x.Cycle, b.Static+x.Static
	return b
}

// Energy is what the counted events cost.
func (m *Model) Energy(c Counts) Breakdown {
	b := Breakdown{MAC: m.MAC * float64(c.MACs), Vector: m.Vector * float64(c.Vector), Register: m.Register * float64(c.Registers),
		Skew: m.Skew * float64(c.Skew), Cycle: m.Cycle * float64(c.Cycles)}
	for i := range c.SRAM {
		b.SRAM[i] = m.SRAM[i] * float64(c.SRAM[i])
	}
	return b
}
