package tensorcore

import (
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Machine is one or several cores that share an operator.
type Machine struct {
	Rows, Cols int     // of an array
	Arrays     int     // of all cores
	Cores      int     // each with Arrays/Cores arrays
	Clock      float64 // Hz
	// Sustained is the share of its peak that the array reaches; 0 means 1.
	Sustained float64
	// Preload: the next stationary tile loads while the array computes.
	Preload bool
	// Accumulators is the rows of results of one run of the array; 0: no limit.
	Accumulators int64
	VMEM         int64   // bytes
	Memory       float64 // bytes per second
	// Ragged is the share of the memory's rate at which a second operand is read whose columns do
	// not fill the last stripe; 0 means 1.
	Ragged float64
	// Added: operands are copied to VMEM before the array begins. Otherwise they are in VMEM, or
	// arrive while the array computes.
	Added bool
	// Resident is the bytes of operands and results up to which copies by Added and Converted are
	// not overlapped, since the compiler copies whole tensors before such a kernel.
	Resident int64
	// Hot: an operator alone reads and writes VMEM if its tensors fit, as in a timed loop of
	// calls; second operands of products are read from memory. Otherwise all tensors are in
	// memory.
	Hot bool
	// Apart: query heads that share keys and values each read them.
	Apart bool
	// Tile is the bytes of a core for one tile: its operands twice, its results twice, and its
	// sums of 4 bytes. A resident that needs more is cut into tiles and takes Launch[Tiled]
	// longer. 0: no limit.
	Tile int64
	// Converted lists data types that the array does not take: such operands are copied in and
	// converted first.
	Converted []graph.DType
	Vector    Vector
	// Block is the side of a block of attention, in queries and keys.
	Block int
	// Passes is the passes of the array per product, by data type: 3 if fp32 is three products of
	// bf16, 0.5 if int8 runs at twice the rate. 0 means 1.
	Passes [graph.DTypeCount]float64
	// Sparse is the share of the array's cycles that a product takes whose weights are sparse by
	// a pattern; 0 means 1.
	Sparse float64
	// Launch (seconds) and Efficiency (share of the memory's rate) are by name, see Names.
	Launch, Efficiency map[string]float64
}

// A Vector is the vector unit of a Machine.
type Vector struct {
	Lanes float64            // operations per cycle
	Rates map[string]float64 // most elements per cycle, by name of the operator
	Units int                // units into which the lanes are divided; 0 means 1
	Grain int64              // least elements of a unit
}

// A Cost is the time of an operator, in seconds.
type Cost struct {
	Launch  float64
	Copy    float64 // of operands and results, without overlap
	Array   float64
	Vector  float64 // not overlapping Array
	Memory  float64 // overlaps array and vector unit
	Read    int64   // bytes from memory
	Written int64   // bytes to memory
	Convert bool    // operands were converted first
	Tiled   bool    // a resident of more than one tile per core
}

// Bytes returns Read + Written.
func (c Cost) Bytes() int64 { return c.Read + c.Written }

// Busy returns Array + Vector.
func (c Cost) Busy() float64 { return c.Array + c.Vector }

// Time returns the seconds of the operator: Launch + Copy + the longer of Busy and Memory.
func (c Cost) Time() float64 { return c.Launch + c.Copy + max(c.Busy(), c.Memory) }

// register is the rows of a vector register, to which rows of a matrix are rounded up:
// Norrie et al., 8 sublanes x 128 lanes.
const register = 8

// Names lists the names of an operator in the tables of a Machine, the most specific first: its
// function, its type, all.
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

// Names in the tables of a Machine that are no operator.
const (
	All     = "all"     // every operator
	Decode  = "decode"  // attention of one query per head
	Convert = "convert" // added to the launch if operands are converted
	Tiled   = "tiled"   // added to the launch if residents are cut into tiles
)

func look(table map[string]float64, names []string, absent float64) float64 {
	for _, n := range names {
		if v, ok := table[n]; ok {
			return v
		}
	}
	return absent
}

// rate returns the bytes per second that an operator with these names gets from memory.
func (m *Machine) rate(names []string) float64 { return m.Memory * look(m.Efficiency, names, 1) }

// Rate returns the bytes per second that operator op gets from memory.
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

// Time returns the cost of operator op of g, less the traffic p that does not reach memory.
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

// Launching returns the seconds of launching operator op.
func (m *Machine) Launching(op *graph.Op) float64 { return look(m.Launch, Names(op), 0) }

func up(n, to int64) int64 { return integer.Ceil(n, to) * to }

func or1(x float64) float64 {
	if x == 0 {
		return 1
	}
	return x
}
