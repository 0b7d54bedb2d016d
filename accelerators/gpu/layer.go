package gpu

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/launch"
	"github.com/causeway-sim/causeway/accelerators/gpu/library"
	"github.com/causeway-sim/causeway/accelerators/gpu/power"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/fuse"
)

// A layer is one operator done.
type layer struct {
	workload, name, kind string
	start                uint64
	// cycles are those of compute, memory, latency and launch together.
	cycles, compute, memory, latency, launch uint64
	macs, vector, bytes                      uint64
	skipped                                  uint64  // of macs, by the pattern of the weights
	ideal                                    float64 // cycles of its products at the peak of their element type
	peak                                     float64 // multiply-accumulates per cycle at that peak
	tile                                     kernel.Tile
	rounds                                   int
	launches                                 int    // kernels
	waited                                   uint64 // of launch, for the host
	profiled                                 bool   // the time is measured
	inside                                   bool   // the kernel of an attention does it
	fused                                    bool   // the kernel of a convolution or a product does it
	joined                                   bool   // it is part of the kernel of an operator before it
	kernel                                   string // library of its kernel, of a product or an attention

	near    uint64      // bytes between the L2 and the SMs
	far     uint64      // bytes of the node's own memory
	share   float64     // of the full clock; 0 is 1
	free    kernel.Free // what was done before the limit bound
	dynamic power.Parts // energy of what it does, at the full voltage
	energy  power.Parts // all of it
}

// A shape is what the cost of an operator follows from.
type shape struct {
	kind  graph.Kind
	dtype graph.DType
	bytes graph.Footprint
	outs  int
	rows  int64       // of the result
	thin  bool        // weights are sparse by a pattern that the matrix units skip
	parts int         // stages of its kernel
	cache graph.DType // of an attention's keys
	fresh bool        // those keys are in no cache
	// applied is the operations of the vector units on results.
	applied   int64
	named     named // the kernels of the library for its element types
	loop      bool  // it runs again and again
	quantised bool  // the kernel before a product quantises its activations
}

// costs are those of shapes met before: models repeat their layers.
type costs map[shape]kernel.Cost

// Cycles implements inorder.Layer.
func (l layer) Cycles() uint64 { return l.cycles }

// Bytes implements inorder.Layer.
func (l layer) Bytes() uint64 { return l.bytes }

// A record is what a GPU has carried out, and how it computes times: it is part of the node
// at each fidelity.
type record struct {
	spec        Spec
	clock       clock.Clock
	chip        power.Chip
	peakWatts   float64 // greatest power of an operator
	over        int     // operators in bursts of more than the limit
	overTime    overTime
	prof        *measured // nil: none
	host        launch.Host
	below       bool   // the memory is a node below a port
	pace        pace   // with load: steady
	forced      string // burst or held: prices for a server (work.Governed)
	apartFrom   prices // of the other of the two
	bursts      bool   // costs are of bursts
	nested      bool   // the cost of a part of a kernel is asked for
	limitedAt   string // what the limit slowed down last (load: auto)
	governor    power.Governor
	slowness    float64 // how slow the memory is for which times are asked, as of curve.Slow
	costs       costs
	lib         *library.Library // nil: kernels are those of cutlass
	libraryName string           // of lib
	mixed       map[*graph.Graph]*mixed
	moved       string               // the rows that transfers of the run were fitted on
	missing     map[string]bool      // operators of the run that the library has no kernels for
	listed      *graph.Graph         // the graph that apart was asked for last, and
	separate    bool                 // whether its rows are apart
	madeIn      *graph.Graph         // the graph of makers
	makers      []graph.Kind         // what made each of its tensors, before views
	loops       bool                 // operators of the run ran in loops
	plain       map[graph.DType]bool // element types of products without a rate of the matrix units; see lacks
	yield       yielding
	read        uint64    // the cycle in which the host has read last
	credit      work.Cost // of planned steps
	until       float64   // ns, the end of the run
	end         *uint64   // cycle of the last event
	sum         totals
	group       *stats.Group
}

// newRecord is that of a GPU; own says that its memory is its own.
func newRecord(s Spec, own bool) record {
	if s.Kernels.Library == auto && (s.L2 == none || s.Rereads == lru) { // a library was measured with an L2 that its values hold
		s.Kernels.Library = cutlass
	}
	chip := s.watts(own)
	s.Sustained = chip.Rate(s.Sustained, float64(s.SustainedLimit))
	return record{spec: s, chip: chip, governor: power.Governor{Chip: chip}, clock: s.Clock.Clock, host: s.host(), slowness: 1, costs: costs{}, lib: s.Kernels.open(s.Architecture), libraryName: s.Kernels.library(s.Architecture)}
}

// layer implements inorder.Model.
func (c *record) layer(s *work.Share, i int, start uint64) layer {
	l, _ := c.plan(s, i, start)
	if calls, ok := hostCalls(&s.Graph.Ops[i]); ok { // the host went on meanwhile
		if calls == 0 {
			c.read = start
		}
		l.cycles -= min(l.cycles, start-c.read)
		l.launch, l.waited = l.cycles, l.cycles
		return l
	}
	l.await(&c.host)
	c.chargeOwed(&l)
	c.charge(&l)
	return l
}

// hostCalls is the number of calls of an operator of the host; ok is false for other operators.
func hostCalls(op *graph.Op) (calls int64, ok bool) {
	m, ok := op.Kind.(graph.Move)
	switch {
	case ok && m.Func == graph.HostCalls:
		return m.Elements, true
	case ok && m.Func == graph.HostReads:
		return 0, true
	}
	return 0, false
}

// layers implements inorder.Model: operators in a long row of the same.
func (c *record) layers(s *work.Share, ops []int) (out []layer) {
	for _, i := range ops {
		l, _ := c.plan(s, i, 0)
		l.waits(c.host.Steady(l.launches, l.cycles) - l.cycles)
		c.charge(&l)
		out = append(out, l)
	}
	return out
}

// came implements inorder.Model.
func (c *record) came(i work.Issued) {
	c.host.Came(i.Share, i.Request, i.Came)
	c.settle()
}

// await has the host launch the kernels of a layer.
func (l *layer) await(h *launch.Host) { l.waits(h.Launch(l.launches, l.start, l.cycles)) }

// waits adds cycles in which the GPU waits for the host.
func (l *layer) waits(cycles uint64) {
	l.cycles += cycles
	l.launch += cycles
	l.waited = cycles
}

// plan is an operator that begins in a cycle, and its kernel's cost.
func (c *record) plan(s *work.Share, i int, start uint64) (layer, kernel.Cost) {
	c.settlePace(s)
	op := &s.Graph.Ops[i]
	l := layer{workload: s.Name, name: op.Name, kind: op.Kind.Type(), start: start, macs: uint64(op.MACs()), vector: uint64(op.VectorOps())}
	if m, ok := op.Kind.(graph.Move); ok && m.Elements == 0 {
		return l, kernel.Cost{} // a view: nothing is launched
	}
	if calls, ok := hostCalls(op); ok {
		l.waits(cyclesOf(float64(calls)*c.spec.seconds(c.spec.Host.Call), c.clock))
		return l, kernel.Cost{}
	}
	if f := c.mixture(s, i); f != nil {
		return c.mixedLayer(s.Graph, i, l, f)
	}
	if l.fused = fuse.Applied(s.Graph, i); l.fused {
		l.kernel = "fused"
		return l, kernel.Cost{}
	}
	if l.inside = insideKernel(op.Kind); l.inside {
		l.kernel = "attention"
		if k, ok := op.Kind.(graph.Move); ok && k.Func == "append" { // into the cache; the attention counts what it reads
			l.bytes = uint64(s.Graph.Footprint(op).OutputBytes)
		}
		return l, kernel.Cost{}
	}
	sh := c.shape(s.Graph, i)
	l.peak = c.rate(sh.dtype)
	if sh.thin {
		faster := c.spec.thinner(sh.dtype)
		l.peak *= faster
		l.skipped = l.macs - uint64(float64(l.macs)/faster)
	}
	l.ideal = float64(l.macs) / l.peak
	cost, ok := c.costs[sh]
	if !ok {
		if cost, ok = c.exchange(s.Graph, op); !ok {
			cost = c.limited(sh.dtype, float64(l.macs-l.skipped), float64(l.vector), func() kernel.Cost { return c.staged(op, &sh) })
		}
		c.costs[sh] = cost
	}
	if c.prof != nil {
		if cost, l.profiled = c.prof.cost(s.Graph, op, cost); l.profiled && cost.Total == 0 {
			return l, cost
		}
		if l.profiled {
			cost.Kernels = 1
		}
	}
	l.bytes, l.tile, l.rounds = uint64(sh.bytes.Bytes()), cost.Tile, cost.Rounds
	l.kernel = kernelName(op, &cost, l.profiled)
	if c.spec.Rereads == lru && cost.Rounds > 0 {
		l.bytes = uint64(cost.Bytes + cost.Late)
	}
	c.spend(&l, &cost)
	c.spent(&l, &cost, sh.dtype)
	return l, cost
}

// shape is that of an operator.
func (c *record) shape(g *graph.Graph, i int) shape {
	op := &g.Ops[i]
	sh := shape{kind: op.Kind, dtype: typeOf(g, op), bytes: g.Footprint(op), outs: len(op.Out), rows: rowsOf(g, op), thin: g.Sparsity(op).On(), loop: c.looped(g)}
	if all, ops := fuse.Epilogue(g, i); all != nil {
		sh.bytes, sh.applied = g.Footprint(all), ops
	}
	if c.lib != nil {
		sh.named, sh.quantised = namedOf(g, op), c.quantisedBefore(g, op)
		if _, ok := op.Kind.(graph.Attention); ok {
			sh.cache, sh.fresh = g.Tensor(op.In[1]).DType, g.Tensor(op.In[1]).Role != graph.KV
		}
	}
	return sh
}

// spend sets the cycles of a kernel.
func (c *record) spend(l *layer, cost *kernel.Cost) {
	l.launches = cost.Kernels
	l.cycles = cyclesOf(cost.Total, c.clock)
	l.launch = min(cyclesOf(cost.Launch, c.clock), l.cycles)
	// What the SMs alone would take is compute, less what they wait in it.
	l.compute = min(cyclesOf(cost.Compute, c.clock), l.cycles-l.launch)
	stalled := min(cyclesOf(cost.Stalled, c.clock), l.compute)
	l.compute -= stalled
	l.latency = stalled + cyclesOf(cost.Waits, c.clock)
	l.rest()
}

// rest splits what a kernel takes beyond its launch and operations: it waits for latency as long as its rule says,
// and else for bytes.
func (l *layer) rest() {
	rest := l.cycles - l.launch - l.compute
	l.latency = min(l.latency, rest)
	l.memory = rest - l.latency
}

// kernelName is the library of the kernel of a product or an attention, and empty for other operators.
func kernelName(op *graph.Op, cost *kernel.Cost, profiled bool) string {
	_, product := op.Matrix()
	attention := attends(op.Kind)
	switch {
	case profiled:
		return "profile"
	case cost.Library != "":
		return cost.Library
	case product || attention:
		return cutlass
	}
	return ""
}

// attends reports whether a kind is attention as one operator, or its backward pass.
func attends(k graph.Kind) bool {
	switch k.(type) {
	case graph.Attention, graph.AttentionBackward:
		return true
	}
	return false
}

// staged is the cost of an operator's kernel, or of a stage's share of its kernel: it is
// launched once, and its second operand is read for all stages.
func (c *record) staged(op *graph.Op, sh *shape) kernel.Cost {
	k, ok := op.Kind.(graph.MatMul)
	if !ok || k.Stages < 2 {
		return c.launched(c.cost(op, sh))
	}
	n := k.Stages
	k.M, k.Stage, k.Stages = k.M*n, 0, 0
	all := *sh
	all.kind, all.parts = k, n
	all.bytes.InputBytes *= int64(n)
	all.bytes.OutputBytes *= int64(n)
	cost := c.launched(c.cost(&graph.Op{Name: op.Name, In: op.In, Out: op.Out, Kind: k}, &all))
	part := 1 / float64(n)
	cost.Total = (cost.Total - cost.Launch) * part
	cost.Compute, cost.Memory, cost.Bytes, cost.Late = cost.Compute*part, cost.Memory*part, cost.Bytes*part, cost.Late*part
	cost.Near, cost.Kept = cost.Near*part, cost.Kept*part
	cost.Waits, cost.Stalled = cost.Waits*part, cost.Stalled*part
	cost.Rounds = (cost.Rounds + n - 1) / n
	if op.Kind.(graph.MatMul).Stage > 0 {
		cost.Launch, cost.Kernels = 0, 0
	}
	cost.Total += cost.Launch
	return cost
}

// launched is the cost of kernels with the gap between them that the mode of launching has, in
// place of the one that was measured with them.
func (c *record) launched(cost kernel.Cost) kernel.Cost {
	cost.Kernels = max(cost.Kernels, 1)
	s := &c.spec
	gap, was := s.Host.Gap(s.Launch.Mode), launch.Measured
	more := (s.seconds(gap) - s.seconds(was)) * float64(cost.Kernels)
	more = max(more, -cost.Launch)
	cost.Launch += more
	cost.Total += more
	return cost
}

// cost is that of an operator's kernel.
func (c *record) cost(op *graph.Op, sh *shape) kernel.Cost {
	m := c.machine(op.Kind, sh.dtype)
	if sh.thin {
		m.Tensor *= c.spec.thinner(sh.dtype)
	}
	f := &sh.bytes
	all, out := float64(f.Bytes()), float64(f.OutputBytes)
	size, left := sh.dtype.Width()/8, c.spec.left(&m, f)
	if cost, ok := c.library(op, sh, &m, left); ok {
		cost.Library = c.libraryName
		return m.Apply(cost, float64(sh.applied))
	}
	c.lackKernel(op, sh)
	ops := float64(op.VectorOps())
	if v, ok := op.Kind.(graph.Conv); ok && depthwise(v) {
		// assumption: as libraries have it, threads of the vector units make a result each;
		// windows overlap in the caches of the SMs.
		return m.Stream(kernel.Stream{Read: all - out, Write: out, Elements: out / size, Ops: float64(op.MACs() + sh.applied)})
	}
	if x, ok := op.Matrix(); ok {
		if m.Rereads && c.below { // tiles are chosen for the key memory
			m.Behind, m.Memory = m.Memory, c.spec.machine(op.Kind, sh.dtype).Memory
		}
		p := kernel.Product{Batch: x.Batch, M: int(x.M), N: int(x.N), K: int(x.K), Bytes: size, Traffic: all, Warm: left, Stages: sh.parts}
		return m.Apply(m.GEMM(p), float64(sh.applied))
	}
	switch k := op.Kind.(type) {
	case graph.Attention:
		return m.Attention(attentionOf(&k, size, all, left))
	case graph.AttentionBackward:
		a := attentionOf(&k.Attention, size, all, left)
		a.Ops = ops
		return m.AttentionBackward(a)
	case graph.Softmax:
		return m.Rows(kernel.Rows{Rows: float64(k.Rows), Cols: float64(k.Cols), Bytes: size, Ops: ops, Reads: 1, Writes: 1, Passes: 1})
	case graph.Norm:
		scope := k.Rule().Scope
		if !scope.Sums() {
			break
		}
		if scope == graph.OverBatch {
			return m.Channels(kernel.Channels{Channels: float64(k.Rows), Elements: out / size, Read: all - out, Write: out, Ops: ops})
		}
		r := kernel.Rows{Rows: float64(k.Rows), Cols: float64(k.Cols), Bytes: size, Ops: ops, Reads: 1, Writes: 1, Passes: 3, Threads: normThreads(k)}
		if sh.outs == 2 { // with the sum of a residual, which is written back in place
			r.Reads, r.Writes = 2, 2
			if c.spec.Caches != hot { // the operator before has made one of them
				r.Cold = 1
			}
		}
		return m.Rows(r)
	}
	if k, ok := op.Kind.(graph.Recurrence); ok {
		return chunked(&m, &k, kernel.Stream{Read: all - out, Write: out, Elements: out / size, Ops: ops})
	}
	if k, ok := op.Kind.(graph.Reduce); ok { // threads share long sums
		return m.Stream(kernel.Stream{Read: all - out, Write: out, Elements: float64(k.Elements), Ops: ops})
	}
	st := kernel.Stream{Read: all - out, Write: out, Elements: out / size, Ops: ops}
	streamOf(&m, sh, size, &st)
	return m.Stream(st)
}

// left is the bytes of an operator's operands of which a share is in the L2, all of them with
// caches: hot where they fit, and what a loop finds there with caches: loop.
func (s *Spec) left(m *kernel.Machine, f *graph.Footprint) float64 {
	if s.Caches == loop {
		m.Resident = 1
		return loops(m, f)
	}
	if all := float64(f.Bytes()); s.Caches == hot && all <= hotShare*m.L2 {
		m.Resident = 1
		return all - float64(f.OutputBytes)
	}
	return float64(f.InputBytes)
}

// depthwise says that each filter of a convolution has one channel, so that there are no
// sums over channels for the matrix units.
func depthwise(v graph.Conv) bool { return v.Groups > 1 && v.Groups == v.C && !v.Transposed }

// hotShare is the share of the L2 that an operator may take to find all of its operands
// there when it runs again.
//
// assumption: the rest holds what runs in between.
const hotShare = 0.8

// cyclesOf is a time in whole cycles, rounded up but for the rounding error of
// a float.
func cyclesOf(seconds float64, c clock.Clock) uint64 {
	n := seconds * float64(c.Den()) / float64(c.Num())
	return uint64(math.Ceil(n * (1 - 1e-12)))
}
