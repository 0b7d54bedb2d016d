package kernel

import (
	"fmt"
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/systolic/burst"
	"github.com/causeway-sim/causeway/accelerators/tensorcore"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/accelerators/work/inorder"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
)

var _ work.Executor = (*Core)(nil)

// A Core is one of timing kernel: one operator after the other takes the time that
// accelerators/tensorcore says. It computes with the nominal bandwidth of the memory
// at the other end of its link, and sends that memory nothing.
type Core struct {
	*inorder.Executor[row]
	record
	mem     *engine.Port
	sent    memory.Traffic
	charged []charge // memories below the port
}

// A record is what a core has carried out, and how it computes times: it is part of the node at each
// fidelity.
type record struct {
	name    string
	spec    Config
	machine tensorcore.Machine
	latency uint64 // of the memory, in cycles
	fifo    *tensorcore.FIFO
	sum     row                                  // totals
	fastest float64                              // rate of the products done
	moved   uint64                               // bytes
	flows   map[*graph.Graph][]tensorcore.Passed // what passes between operators of a share
	group   *stats.Group
	models  map[graph.DType]energy.Model
	rest    energy.Rest
	end     *uint64 // cycle of the last event
}

// A row is an operator done. The parts of its cycles add up to them.
type row struct {
	workload, name, kind string
	start, end           uint64
	parts                [partCount]uint64
	macs, vector         uint64
	read, written        uint64    // bytes
	early                uint64    // of those read: what came before the operator began
	skipped              uint64    // of the multiply-accumulates
	rate                 float64   // of the type of its products; 0: it has none
	work                 float64   // multiply-accumulates of rate 1
	queue                [3]uint64 // of products that a weight FIFO feeds: active, stall, shift
	energy               energy.Breakdown
}

// Where the cycles of a kernel go.
const (
	busy     = iota
	onMemory // copies, and what the memory takes beyond the work
	shifting // weights are shifted into the array
	waiting  // for the operator before
	launching
	partCount
)

// Cycles implements inorder.Layer.
func (r row) Cycles() uint64 { return r.end - r.start }

// Bytes implements inorder.Layer.
func (r row) Bytes() uint64 { return r.read + r.written }

// New makes a core of timing kernel. The Config has been checked.
func New(name string, e sim.Engine, s Config) *Core {
	k := &Core{record: newRecord(name, s)}
	k.Executor = inorder.New(k, name, e, s.Clock, inorder.Model[row]{Cost: k.cost, Count: k.count, Plan: k.plan})
	k.mem = engine.NewPort(k, name+".Mem", 1)
	k.AddPort("Mem", k.mem)
	k.group = k.metrics(k.End(), k.Idle(), k.Awaited())
	k.group.Sum(&k.sent)
	return k
}

func newRecord(name string, s Config) record {
	k := record{name: name, spec: s, models: map[graph.DType]energy.Model{}, flows: map[*graph.Graph][]tensorcore.Passed{}, machine: s.machine(math.Inf(1))}
	k.fifo = k.queue()
	return k
}

// PortSpecs implements system.Node.
func (k *Core) PortSpecs() []system.PortSpec {
	mem := system.PortSpec{Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{k.mem}, Clock: k.Clock(), Buffer: system.DefaultBuffer}
	return append([]system.PortSpec{mem}, k.Executor.PortSpecs()...)
}

// SetMap implements system.Requester.
func (k *Core) SetMap(_ string, m *memory.Map) error {
	r := burst.NewRoutes(m)
	rate := math.Inf(1)
	if b := r.Bandwidth(); b > 0 {
		rate = float64(b) / 8
	}
	k.before(r, rate)
	k.charged = shares(r)
	return nil
}

// before sets the memories that the core is in front of, together of so many bytes per second.
func (k *record) before(r *burst.Routes, rate float64) {
	k.machine = k.spec.machine(rate)
	for _, t := range r.Targets {
		ns := t.Path.Clock.Nanoseconds(t.Path.Request+t.Path.Latency) + k.spec.Clock.Nanoseconds(t.Path.Response)
		k.latency = max(k.latency, uint64(math.Ceil(ns*k.machine.Clock/1e9)))
	}
	k.fifo = k.queue()
}

// queue is an empty queue of weights, nil where the core has none.
func (k *record) queue() *tensorcore.FIFO {
	if k.spec.WeightFIFO == 0 {
		return nil
	}
	return &tensorcore.FIFO{Rows: int64(k.spec.Rows), Cols: int64(k.spec.Cols), Depth: int64(k.spec.WeightFIFO),
		Accumulators: int64(k.spec.Accumulators), Latency: float64(k.latency)}
}

// Stats implements system.Node.
func (k *Core) Stats() *stats.Group { return k.group }

// cost implements inorder.Model: the queue of weights goes on.
func (k *Core) cost(w *work.Share, op int, start uint64) row {
	return k.operator(w, op, start, k.fifo)
}

// plan implements inorder.Model: from an empty queue of weights.
func (k *Core) plan(w *work.Share, ops []int) (out []row) {
	fifo, at := k.queue(), uint64(0)
	for _, op := range ops {
		r := k.operator(w, op, at, fifo)
		at = r.end
		out = append(out, r)
	}
	return out
}

// count implements inorder.Model.
func (k *Core) count(r *row) {
	k.add(r)
	k.sent.Add(r.traffic())
}

// add adds an operator to the totals.
func (k *record) add(r *row) {
	for i, n := range r.parts {
		k.sum.parts[i] += n
	}
	for i, n := range r.queue {
		k.sum.queue[i] += n
	}
	k.sum.macs += r.macs
	k.sum.work += r.work
	k.sum.skipped += r.skipped
	k.fastest = max(k.fastest, r.rate)
	k.sum.vector += r.vector
	k.moved += r.Bytes()
	k.sum.energy = k.sum.energy.Plus(r.energy)
}

// operator is operator i of a share from cycle now on. It changes nothing but the queue of
// weights.
func (k *record) operator(s *work.Share, i int, now uint64, fifo *tensorcore.FIFO) row {
	op := &s.Graph.Ops[i]
	r := row{workload: s.Name, name: op.Name, kind: op.Kind.Type(), start: now,
		macs: uint64(op.MACs()), vector: uint64(op.VectorOps())}
	k.rated(&r, s.Graph, op)
	if x, ok := op.Matrix(); ok && fifo != nil {
		k.queued(&r, s.Graph, op, x, fifo)
		r.energy = k.spend(&r, typeOf(s.Graph, op))
		return r
	}
	var p tensorcore.Passed
	if f := k.flows[s.Graph]; f != nil {
		p = f[i]
	}
	c := k.machine.Time(s.Graph, op, p)
	r.read, r.written = uint64(c.Read), uint64(c.Written)
	r.take(k.cycles(c.Launch), k.cycles(c.Busy()), k.cycles(c.Launch)+k.cycles(c.Copy+max(c.Busy(), c.Memory)))
	r.energy = k.spend(&r, typeOf(s.Graph, op))
	return r
}

// typeOf is the type of an operator's products, int8 where it has none.
func typeOf(g *graph.Graph, op *graph.Op) graph.DType {
	if d, ok := g.Multiplied(op); ok {
		return d
	}
	return graph.Int8
}

// Energy implements inorder.Priced.
func (r row) Energy() float64 { return r.energy.Total() }

// take gives a row its cycles.
func (r *row) take(launch, work, total uint64) {
	r.parts[launching] = min(launch, total)
	r.parts[busy] = min(total-r.parts[launching], work)
	r.parts[onMemory] = total - r.parts[launching] - r.parts[busy]
	r.end = r.start + total
}

// rated notes the rate of the products of an operator, and their number at a rate of 1.
func (k *record) rated(r *row, g *graph.Graph, op *graph.Op) {
	d, ok := g.Multiplied(op)
	if !ok {
		return
	}
	rate, _ := k.spec.PE.Of(d) // Prepare has seen that there is one
	if g.Sparsity(op).On() {
		rate.Num, rate.Den = rate.Num*int64(k.spec.Sparsity.M), rate.Den*int64(k.spec.Sparsity.N)
		r.skipped = r.macs - uint64(float64(r.macs)*float64(k.spec.Sparsity.N)/float64(k.spec.Sparsity.M))
	}
	r.rate = rate.Float()
	r.work = float64(r.macs) * float64(rate.Den) / float64(rate.Num)
}

// Prepare implements work.Executor.
func (k *Core) Prepare(w work.Share) error {
	if err := k.lacks(w.Graph); err != nil {
		return err
	}
	if err := k.Executor.Prepare(w); err != nil {
		return err
	}
	k.flow(&w)
	return nil
}

// flow finds what passes between the operators of a share.
func (k *record) flow(w *work.Share) {
	whole := w.Whole()
	k.flows[w.Graph] = k.machine.Flow(w.Graph, whole.Operators())
}

// cycles is a time in whole cycles, rounded up but for the rounding error of a float.
func (k *record) cycles(seconds float64) uint64 {
	return uint64(math.Ceil(seconds * k.machine.Clock * (1 - 1e-12)))
}

// queued carries out a matrix product that the weight FIFO feeds.
func (k *record) queued(r *row, g *graph.Graph, op *graph.Op, x graph.Matrix, fifo *tensorcore.FIFO) {
	weight := graph.Int8
	if len(op.In) > 1 && op.In[1] != graph.None {
		weight = g.Tensors[op.In[1]].DType
	}
	act := g.Tensors[op.In[0]].DType
	tile := float64(weight.Bytes(int64(k.spec.Rows) * int64(k.spec.Cols)))
	fifo.Fetch = tile / k.machine.Rate(op) * k.machine.Clock
	// section 2: half speed with operands of 16 bits on one side, a quarter on both
	pace := float64(max(weight.Bits(), 8)*max(act.Bits(), 8)) / 64
	drain := float64(k.spec.Rows + k.spec.Cols)
	launch := k.cycles(k.machine.Launching(op))
	x = fewest(x, tensorcore.Packed(x, fifo.Rows, fifo.Cols), fifo)
	p := fifo.Matmul(int64(x.Batch), x.M, x.N, x.K, k.room(g, op, x.M), float64(r.start+launch), pace, drain)
	r.end = uint64(math.Ceil(p.End - 1e-6))
	r.read = uint64(float64(p.Tiles) * tile)
	r.early = min(r.read, uint64(p.Early*tile))
	r.parts[launching] = launch
	left := r.end - r.start - launch
	for _, q := range []struct {
		part int
		n    float64
	}{{busy, p.Active}, {shifting, p.Shift}, {onMemory, p.Stall}} {
		n := min(left, uint64(math.Round(q.n)))
		r.parts[q.part] = n
		left -= n
	}
	r.parts[waiting] = left
	r.queue = [3]uint64{r.parts[busy], r.parts[onMemory], r.parts[shifting]}
}

// room is the rows of a product of m rows whose operands and results the unified buffer holds.
func (k *record) room(g *graph.Graph, op *graph.Op, m int64) int64 {
	f := g.Footprint(op)
	row := (f.InputBytes + f.OutputBytes + m - 1) / m
	return max(1, int64(k.spec.VMEM)/max(row, 1))
}

// fewest is the way to do product x, as it is or with its groups packed, of the fewest tiles.
func fewest(x graph.Matrix, packed []graph.Matrix, f *tensorcore.FIFO) graph.Matrix {
	tiles := func(x graph.Matrix) int64 {
		return int64(x.Batch) * ((x.N + f.Cols - 1) / f.Cols) * ((x.K + f.Rows - 1) / f.Rows)
	}
	best := x
	for _, p := range packed {
		if tiles(p) < tiles(best) {
			best = p
		}
	}
	return best
}

// Assumptions lists what the core takes for granted without a source, for the report.
func (k *Core) Assumptions() []string {
	return []string{
		"Operators run one after the other, each as one kernel; the memory gives its nominal bandwidth (go doc accelerators/tensorcore).",
		assumedLibrary,
	}
}

const assumedLibrary = "Launches and sustained shares of array and memory are those of the library of kernels (key kernels): values marked fitted in its preset were fitted to measured times."

// lacks says which products of a graph the arrays do not take.
func (k *record) lacks(g *graph.Graph) error {
	if err := k.spec.PE.Lacks(g); err != nil {
		return fmt.Errorf("%s: %w", k.name, err)
	}
	return nil
}

// Sparsity implements work.Sparse.
func (k *record) Sparsity() graph.Pattern { return k.spec.Sparsity }
