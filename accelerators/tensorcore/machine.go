package tensorcore

import (
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Machine is one or several cores that work on an operator together.
type Machine struct {
	Rows, Cols int     // of an array
	Arrays     int     // of all cores
	Cores      int     // that share an operator; each has Arrays/Cores
	Clock      float64 // Hz
	// Sustained is the share of its peak that the array keeps up; 0 means 1.
	Sustained float64
	// Preload: streams load the next stationary tile while the array works.
	Preload bool
	// Accumulators is how many rows of results the array adds up before it takes the
	// next run; 0: all.
	Accumulators int64
	VMEM         int64   // bytes
	Memory       float64 // bytes per second
	// Ragged is the share of the memory's rate for a second operand whose columns do not
	// fill the last stripe; 0 means 1.
	Ragged float64
	// Added: operands are copied in before the array begins. Else they are there, or
	// come during the array's work.
	Added bool
	// Resident is the bytes of operands and results up to which copies of Added and Converted
	// are not hidden: the compiler copies whole tensors in before such a kernel.
	Resident int64
	// Hot: what an operator alone reads and writes lies in VMEM where it fits, as in a chain of
	// calls that is timed; second operands of products come from memory. Else it lies in memory.
	Hot bool
	// Apart: query heads that share keys and values read them one after the other.
	Apart bool
	// Tile is the bytes that a core has for one tile: its part of the operands twice, of
	// the results twice and of the sums in four bytes. Residents that need more are cut
	// into several, which takes Launch[Tiled] longer. 0: no limit.
	Tile int64
	// Converted lists data types that the array does not take: their operands are
	// copied in and converted first.
	Converted []graph.DType
	Vector    Vector
	// Block is the side of a block of attention.
	Block int
	// Passes of the array that a product takes, by data type: 3 where fp32 goes as three
	// products of bf16, 0.5 where int8 goes at twice the rate. 0 means 1.
	Passes [graph.DTypeCount]float64
	// Sparse is the share of the array's work that products take whose weights are sparse by
	// a pattern.
	Sparse float64
	// Launch in seconds and Efficiency (share of the memory's rate) by name, see Names.
	Launch, Efficiency map[string]float64
}

// A Vector is the vector unit of the machine.
type Vector struct {
	Lanes float64            // operations per cycle
	Rates map[string]float64 // elements per cycle at most, by name of the operator
	Units int                // that the lanes belong to; 0 means 1
	Grain int64              // elements that a unit takes at least
}

// A Cost is the time of an operator, in seconds.
type Cost struct {
	Launch  float64
	Copy    float64 // of operands and results, with nothing at the same time
	Array   float64
	Vector  float64 // with nothing at the same time
	Memory  float64 // at the same time as array and vector unit
	Read    int64   // bytes from memory
	Written int64   // bytes to memory
	Convert bool    // operands were converted first
	Tiled   bool    // resident, but more than one tile per core
}

// Bytes is what is read from and written to memory.
func (c Cost) Bytes() int64 { return c.Read + c.Written }

// Busy is the time of array and vector unit.
func (c Cost) Busy() float64 { return c.Array + c.Vector }

// Time is all of it.
func (c Cost) Time() float64 { return c.Launch + c.Copy + max(c.Busy(), c.Memory) }

// register is the rows of a vector register, to which rows of a matrix are rounded up:
// Norrie et al., 8 sublanes x 128 lanes.
const register = 8

// Names lists what an operator is called in the tables of a Machine, the narrowest
// name first: its function, its type, all.
func Names(op *graph.Op) []string {
	kind := op.Kind.Type()
	switch k := op.Kind.(type) {
	case graph.Elementwise:
		return []string{k.Func, kind, All}
	case graph.Norm:
		return []string{k.Func, kind, All}
	case graph.Reduce:
		return []string{k.Func, kind, All}
	case graph.Move:
		return []string{k.Func, kind, All}
	case graph.Attention:
		if k.Queries == 1 {
			return []string{Decode, kind, All}
		}
	}
	return []string{kind, All}
}

// Names in the tables of a Machine that are no operator's.
const (
	All     = "all"     // every operator
	Decode  = "decode"  // attention of one query per head
	Convert = "convert" // added to the launch where operands are converted
	Tiled   = "tiled"   // the same, where residents are cut into tiles
)

func look(table map[string]float64, names []string, absent float64) float64 {
	for _, n := range names {
		if v, ok := table[n]; ok {
			return v
		}
	}
	return absent
}

// rate is the bytes per second that an operator gets from the memory.
func (m *Machine) rate(names []string) float64 { return m.Memory * look(m.Efficiency, names, 1) }

// Rate is the same for operator op.
func (m *Machine) Rate(op *graph.Op) float64 { return m.rate(Names(op)) }

// converted reports whether a tensor has to be converted before the array takes it.
func (m *Machine) converted(t graph.DType) bool {
	for _, c := range m.Converted {
		if c == t {
			return true
		}
	}
	return false
}

// Time is what operator op of g takes, whose traffic passes by memory as far as p says.
func (m *Machine) Time(g *graph.Graph, op *graph.Op, p Passed) Cost {
	if view(op) {
		return Cost{}
	}
	names := Names(op)
	if x, ok := op.Matrix(); ok {
		return m.product(g, op, x, names, p)
	}
	var c Cost
	if a, ok := op.Kind.(graph.Attention); ok {
		c = m.attention(g, op, a, names, p)
	} else {
		c = m.elements(g, op, names, p)
	}
	if !p.Fused {
		c.Launch = m.Launching(op)
	}
	return c
}

// Launching is what launching operator op takes.
func (m *Machine) Launching(op *graph.Op) float64 { return look(m.Launch, Names(op), 0) }

func ceil(n, by int64) int64 { return (n + by - 1) / by }

func up(n, to int64) int64 { return ceil(n, to) * to }

func or1(x float64) float64 {
	if x == 0 {
		return 1
	}
	return x
}
