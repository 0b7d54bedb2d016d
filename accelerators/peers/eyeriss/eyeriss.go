// Package eyeriss computes passes, active processing elements, cycles and energy of a convolution
// on Eyeriss, which maps it row stationary. It is arithmetic without state.
//
//	m := eyeriss.Chip()
//	cost, err := m.Cost(layer, mapping)
//	mapping, err := m.Map(layer)
//
// A processing element convolves a row of a filter with a row of the input. A logical set of R x
// e of them makes e rows of output. A set wider than the array is folded into segments above each
// other. If there is room, sets are replicated, R of them for other channels and T for other
// filters.
//
// # Time
//
// A pass works on N images, P x T filters and Q x R channels. It begins by loading filters (64
// bits per cycle) and, of the first image, the first window of every row of input (16 bits per
// cycle). Then each element does N x P x Q x F x S multiply-accumulates, while the rest of the
// input enters and partial sums move at 64 bits per cycle each way; the slowest of the three sets
// the time. The last passes of a dimension take as long as the others. The time of a layer is the
// sum over its passes, without DRAM time, as in the published processing latency: filters of the
// next pass are in the global buffer.
//
// # Energy
//
// Relative to a multiply-accumulate: 1 for an access of the scratchpads of an element, 2 for a
// word from one to another, 6 for the global buffer, 200 for DRAM. For a zero of the input only
// its read counts: multiplication, filter read and partial sum are gated.
//
// # Left out
//
// DRAM time, compression of DRAM traffic, reconfiguration between layers, dilation.
//
// # Sources
//
// Chen et al., Eyeriss, ISCA 2016 (dataflow; table IV, energies); Chen et al., Eyeriss, JSSC 2017
// (passes, folding, mapping of AlexNet, widths of networks, sizes). The last was not read again
// for this package.
package eyeriss

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/integer"
)

// A Machine is an array with its scratchpads and buffer. Sizes are in words of 16 bits,
// buses in words per cycle.
type Machine struct {
	Rows, Cols                   int
	Filter, Ifmap, Psum          int // scratchpads of an element
	Buffer                       int // global buffer, for inputs and partial sums
	FilterBus, IfmapBus, PsumBus int
}

// Chip returns the published chip: 168 elements, and 100 KiB of buffer for inputs and partial
// sums.
func Chip() Machine {
	return Machine{Rows: 12, Cols: 14, Filter: 224, Ifmap: 12, Psum: 24, Buffer: 100 << 10 / 2, FilterBus: 4, IfmapBus: 1, PsumBus: 4}
}

// A Layer is a group of a convolution: C channels of H x W (padding included) to M of E x F,
// by windows of R x S.
type Layer struct {
	N, C, H, W, M, R, S, Stride, E, F int
	Groups                            int
}

// A Mapping has the parameters of the publication: M filters whose partial sums lie in the
// buffer, N images of a pass, E rows of output of a set, P filters and Q channels of an element,
// R sets for other channels and T for other filters.
type Mapping struct {
	M int `yaml:"m" jsonschema:"minimum=1,description=Filters whose partial sums lie in the global buffer"`
	N int `yaml:"n" jsonschema:"minimum=1,description=Images of a pass"`
	E int `yaml:"e" jsonschema:"minimum=1,description=Rows of output of a set; folded where wider than the array"`
	P int `yaml:"p" jsonschema:"minimum=1,description=Filters of an element"`
	Q int `yaml:"q" jsonschema:"minimum=1,description=Channels of an element"`
	R int `yaml:"r" jsonschema:"minimum=1,description=Sets for other channels"`
	T int `yaml:"t" jsonschema:"minimum=1,description=Sets for other filters"`
}

// A Cost holds the counts of all groups and images of a layer.
type Cost struct {
	Mapping
	Passes, Cycles int64
	Active         int // elements of a full pass
	MACs           int64
	BufferWords    int64 // in and out of the global buffer on the side of the array
	DRAMWords      int64
	Hops           int64 // partial sums from an element to the next one
}

// sets is how many sets of e rows of output the array holds.
func (m *Machine) sets(l *Layer, e int) int {
	segments := integer.Ceil(e, m.Cols)
	if segments > 1 {
		return m.Rows / (segments * l.R)
	}
	return m.Rows / l.R * (m.Cols / e)
}

// rows of input of a set.
func (l *Layer) rows(e int) int { return min(l.H, (e-1)*l.Stride+l.R) }

// Check returns an error that names the first resource that a mapping exceeds.
func (m *Machine) Check(l *Layer, x *Mapping) error {
	if min(x.M, x.N, x.E, x.P, x.Q, x.R, x.T) < 1 {
		return fmt.Errorf("%+v (want at least 1 each)", *x)
	}
	for _, c := range []struct {
		need, have int
		what       string
	}{
		{x.R * x.T, m.sets(l, x.E), "sets in the array"},
		{x.P * x.Q * l.S, m.Filter, "words of filters in an element"},
		{x.Q * l.S, m.Ifmap, "words of input in an element"},
		{x.P, m.Psum, "partial sums in an element"},
		{x.P * x.T, x.M, "filters in the global buffer"},
		{x.N * (x.M*x.E*l.F + x.Q*x.R*l.rows(x.E)*l.W), m.Buffer, "words of input and partial sums in the global buffer"},
	} {
		if c.need > c.have {
			return fmt.Errorf("%+v needs %d %s (want at most %d)", *x, c.need, c.what, c.have)
		}
	}
	return nil
}

// Cost returns the cost of a layer by a mapping, or the error of Check.
func (m *Machine) Cost(l *Layer, x *Mapping) (Cost, error) {
	if err := m.Check(l, x); err != nil {
		return Cost{}, err
	}
	return m.cost(l, x), nil
}

func (m *Machine) cost(l *Layer, x *Mapping) Cost {
	c := Cost{Mapping: *x, Active: l.R * x.E * x.R * x.T}
	channels, strips := integer.Ceil(l.C, x.Q*x.R), integer.Ceil(l.E, x.E)
	c.Passes = int64(l.Groups) * int64(integer.Ceil(l.N, x.N)*integer.Ceil(l.M, x.P*x.T)*channels*strips)
	rows := l.rows(x.E)
	filters := x.P * x.T * x.Q * x.R * l.R * l.S
	input := x.N * x.Q * x.R * rows * l.W
	sums := x.N * x.P * x.T * x.E * l.F
	start := integer.Ceil(filters, m.FilterBus) + integer.Ceil(x.Q*x.R*rows*l.S, m.IfmapBus)
	work := max(x.N*x.P*x.Q*l.F*l.S, integer.Ceil(input, m.IfmapBus), integer.Ceil(sums, m.PsumBus))
	c.Cycles = c.Passes * int64(start+work)
	c.MACs = int64(l.Groups*l.N*l.M*l.C) * int64(l.E*l.F*l.R*l.S)
	outputs := int64(l.Groups*l.N*l.M) * int64(l.E*l.F)
	c.BufferWords = c.Passes*int64(filters+input) + outputs*int64(2*channels-1)
	c.DRAMWords = int64(l.Groups) * (int64(l.N*l.C*l.H*l.W)*int64(integer.Ceil(l.M, x.M)) + int64(l.M*l.C*l.R*l.S)*int64(integer.Ceil(l.N, x.N)*strips))
	c.DRAMWords += outputs
	c.Hops = outputs * int64(integer.Ceil(l.C, x.Q)*(l.R*x.R-1)/max(1, x.R))
	return c
}

// Energy returns the energy on the chip relative to one multiply-accumulate, if the share zeros
// (0 to 1) of the input is zero.
func (c *Cost) Energy(zeros float64) float64 {
	n := float64(c.MACs)
	return n*((1-zeros)*5+zeros) + 2*float64(c.Hops) + 6*float64(c.BufferWords)
}

// Map returns the mapping with the fewest cycles, and among those the fewest buffer words. The
// error says that no mapping fits.
func (m *Machine) Map(l *Layer) (Mapping, error) {
	var best Cost
	for e := 1; l.R <= m.Rows && e <= min(l.E, m.Rows/l.R*m.Cols); e++ {
		sets := m.sets(l, e)
		for r := 1; r <= sets; r++ {
			for t := 1; r*t <= sets; t++ {
				m.inner(l, Mapping{E: e, R: r, T: t}, &best)
			}
		}
	}
	if best.Passes == 0 {
		return Mapping{}, fmt.Errorf("a window of %d x %d has no mapping on %d x %d elements with such scratchpads", l.R, l.S, m.Rows, m.Cols)
	}
	return best.Mapping, nil
}

// inner searches the filters, channels and images of a pass.
func (m *Machine) inner(l *Layer, x Mapping, best *Cost) {
	for x.Q = 1; x.Q <= min(l.C, m.Ifmap/l.S); x.Q++ {
		for x.P = 1; x.P <= min(l.M, m.Psum); x.P++ {
			x.M = x.P * x.T
			for x.N = 1; x.N <= l.N; x.N++ {
				if m.Check(l, &x) != nil {
					break
				}
				if c := m.cost(l, &x); best.Passes == 0 || c.Cycles < best.Cycles || c.Cycles == best.Cycles && c.BufferWords < best.BufferWords {
					*best = c
				}
			}
		}
	}
}
