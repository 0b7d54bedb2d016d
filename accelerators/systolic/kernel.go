package systolic

import (
	"fmt"
	"math"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/tensorcore"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
)

var _ work.Executor = (*Kernel)(nil)

// A Kernel is a core of timing kernel: one operator after the other takes the time that
// accelerators/tensorcore says. It reckons with the nominal bandwidth of the memory
// behind its link and sends it nothing.
type Kernel struct {
	*sim.ComponentBase
	spec    Spec
	clock   clock.Clock
	ticker  *engine.Ticker
	mem     *engine.Port
	machine tensorcore.Machine
	latency uint64 // of the memory, in cycles
	fifo    *tensorcore.FIFO
	ops     *work.Queue
	known   map[int32]*kernelShare // whose jobs may be issued during the run
	shares  []kernelShare
	begun   bool   // what was loaded has been computed
	free    uint64 // cycle in which the last operator ends
	rows    []kernelRow
	sum     kernelRow // totals; end is that of the run
	idle    uint64
	group   *stats.Group
	tasks   task.Source
}

// kernelShare is a workload, and when it comes in cycles.
type kernelShare struct {
	work.Share
	arrival uint64
}

// A kernelRow is an operator done. The parts of its cycles add up to them.
type kernelRow struct {
	workload, name, kind string
	start, end           uint64
	parts                [kernelParts]uint64
	macs, vector, bytes  uint64
	queue                [3]uint64 // of products behind a weight FIFO: active, stall, shift
}

// Where the cycles of a kernel go.
const (
	kernelBusy   = iota
	kernelMemory // copies, and what the memory takes beyond the work
	kernelShift  // weights are shifted into the array
	kernelWait   // for the operator before
	kernelLaunch
	kernelParts
)

// NewKernel makes a core of timing kernel. The Spec has been checked.
func NewKernel(name string, e sim.Engine, s Spec) *Kernel {
	k := &Kernel{ComponentBase: sim.NewComponentBase(name), spec: s, clock: s.Clock.Clock}
	k.ticker = engine.NewTicker(e, k.clock, k)
	k.mem = engine.NewPort(k, name+".Mem", 1)
	k.AddPort("Mem", k.mem)
	k.ops, k.known = work.NewQueue(k, name, k.ticker), map[int32]*kernelShare{}
	k.AddPort("Ops", k.ops.Port())
	k.machine = s.machine(math.Inf(1))
	k.fifo = k.queue()
	k.group = k.metrics()
	return k
}

// PortSpecs implements system.Node.
func (k *Kernel) PortSpecs() []system.PortSpec {
	return []system.PortSpec{{Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{k.mem}, Clock: k.clock, Buffer: system.DefaultBuffer},
		k.ops.PortSpec()}
}

// SetMap implements system.Requester.
func (k *Kernel) SetMap(_ string, m *memory.Map) error {
	r := newRoutes(m)
	rate := math.Inf(1)
	if b := r.bandwidth(); b > 0 {
		rate = float64(b) / 8
	}
	k.machine = k.spec.machine(rate)
	for _, t := range r.targets {
		ns := t.path.Clock.Nanoseconds(t.path.Request+t.path.Latency) + k.clock.Nanoseconds(t.path.Response)
		k.latency = max(k.latency, uint64(math.Ceil(ns*k.machine.Clock/1e9)))
	}
	k.fifo = k.queue()
	return nil
}

// queue is an empty queue of weights, nil where the core has none.
func (k *Kernel) queue() *tensorcore.FIFO {
	if k.spec.WeightFIFO == 0 {
		return nil
	}
	return &tensorcore.FIFO{Rows: int64(k.spec.Rows), Cols: int64(k.spec.Cols), Depth: int64(k.spec.WeightFIFO),
		Accumulators: int64(k.spec.Accumulators), Latency: float64(k.latency)}
}

// Stats implements system.Node.
func (k *Kernel) Stats() *stats.Group { return k.group }

// Tasks implements task.Reporter.
func (k *Kernel) Tasks() *task.Source { return &k.tasks }

// Clock implements work.Worker.
func (k *Kernel) Clock() clock.Clock { return k.clock }

// Sync implements work.Worker.
func (k *Kernel) Sync() sim.Port { return k.ops.Port() }

// Follow implements work.Worker.
func (k *Kernel) Follow(sim.Port) {}

// NotifyRecv implements sim.Component.
func (k *Kernel) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { k.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (k *Kernel) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { k.ticker.WakeAfter(now) }

// Waiting implements engine.Waiter.
func (k *Kernel) Waiting() []engine.Wait { return nil }

// Load implements work.Worker.
func (k *Kernel) Load(w work.Share) error {
	if err := k.check(w); err != nil {
		return err
	}
	s := kernelShare{w, k.clock.Cycles(uint64(w.Arrival), uint64(units.Second))}
	at := len(k.shares)
	for at > 0 && k.shares[at-1].arrival > s.arrival {
		at--
	}
	k.shares = slices.Insert(k.shares, at, s)
	return nil
}

// Prepare implements work.Executor.
func (k *Kernel) Prepare(w work.Share) error {
	if err := k.check(w); err != nil {
		return err
	}
	k.known[w.ID] = &kernelShare{Share: w}
	return nil
}

// check refuses what the core cannot carry out.
func (k *Kernel) check(w work.Share) error {
	for _, j := range w.Program.Jobs {
		if j.Op < 0 || j.Op >= len(w.Graph.Ops) {
			return fmt.Errorf("%s: operator %d of %d", k.Name(), j.Op, len(w.Graph.Ops))
		}
		if len(j.Waits)+len(j.Signals) > 0 {
			return fmt.Errorf("%s: layer %s is shared with other nodes (a core of timing %s works alone)", k.Name(), w.Graph.Ops[j.Op].Name, KernelTiming)
		}
	}
	return nil
}

// Plan implements work.Executor: from an empty queue of weights.
func (k *Kernel) Plan(share int32, job int) work.Cost {
	s, fifo, cost := k.known[share], k.queue(), work.Cost{}
	at := uint64(0)
	for _, op := range s.Program.Jobs[job].All() {
		r := k.operator(s, &s.Graph.Ops[op], at, fifo)
		at = r.end
		cost.Bytes += r.bytes
	}
	cost.Time = units.Time(k.clock.Nanoseconds(at) * float64(units.Nanosecond))
	return cost
}

// Start implements work.Worker.
func (k *Kernel) Start() error {
	k.ticker.WakeAt(0)
	return nil
}

// Handle implements sim.Handler. What was loaded before the run nothing outside can
// change: the first event computes it all, and one more is the end. What is issued
// during the run is computed when it begins.
func (k *Kernel) Handle(e sim.Event) error {
	now := e.Time()
	cycle := k.ticker.Cycle(now)
	if !k.begun {
		k.begun = true
		for i := range k.shares {
			s := &k.shares[i]
			k.open(s.arrival)
			for _, j := range s.Program.Jobs {
				k.job(s, j.All(), 0)
			}
		}
	}
	if err := k.ops.Receive(now, cycle); err != nil {
		return err
	}
	for k.free <= cycle {
		i, ok := k.ops.Next()
		if !ok {
			break
		}
		k.open(i.Came)
		begin, s := k.free, k.known[i.Share]
		k.job(s, s.Program.Jobs[i.Job].All(), i.Task)
		k.ops.Done(i, begin, k.free)
	}
	k.ops.Send(now, cycle)
	k.sum.end = max(k.sum.end, k.free)
	if k.free > cycle {
		k.ticker.WakeAt(k.free)
	}
	return nil
}

// open lets the core be idle until a cycle.
func (k *Kernel) open(cycle uint64) {
	if cycle > k.free {
		k.idle += cycle - k.free
		k.free = cycle
	}
}

// job carries out operators, one after the other, for a task.
func (k *Kernel) job(s *kernelShare, ops []int, parent task.ID) {
	for _, op := range ops {
		r := k.operator(s, &s.Graph.Ops[op], k.free, k.fifo)
		k.rows = append(k.rows, r)
		for i, n := range r.parts {
			k.sum.parts[i] += n
		}
		for i, n := range r.queue {
			k.sum.queue[i] += n
		}
		k.sum.macs += r.macs
		k.sum.vector += r.vector
		k.sum.bytes += r.bytes
		if k.tasks.On() && r.end > r.start {
			id := k.tasks.Begin(instant.Of(k.clock, r.start), task.Layer, k.tasks.What(r.name), parent, r.bytes)
			k.tasks.End(instant.Of(k.clock, r.end), id)
		}
		k.free = r.end
	}
}

// operator is one operator from cycle now on. It changes nothing but the queue of weights.
func (k *Kernel) operator(s *kernelShare, op *graph.Op, now uint64, fifo *tensorcore.FIFO) kernelRow {
	r := kernelRow{workload: s.Name, name: op.Name, kind: op.Kind.Type(), start: now,
		macs: uint64(op.MACs()), vector: uint64(op.VectorOps())}
	if x, ok := op.Matrix(); ok && fifo != nil {
		k.queued(&r, s.Graph, op, x, fifo)
		return r
	}
	c := k.machine.Time(s.Graph, op)
	r.bytes = uint64(c.Bytes)
	launch := k.cycles(c.Launch)
	total := launch + k.cycles(c.Copy+max(c.Busy(), c.Memory))
	r.parts[kernelLaunch] = launch
	r.parts[kernelBusy] = min(total-launch, k.cycles(c.Busy()))
	r.parts[kernelMemory] = total - launch - r.parts[kernelBusy]
	r.end = now + total
	return r
}

// cycles is a time in whole cycles, rounded up but for the rounding error of a float.
func (k *Kernel) cycles(seconds float64) uint64 {
	return uint64(math.Ceil(seconds * k.machine.Clock * (1 - 1e-12)))
}

// queued carries out a matrix product behind the weight FIFO.
func (k *Kernel) queued(r *kernelRow, g *graph.Graph, op *graph.Op, x graph.Matrix, fifo *tensorcore.FIFO) {
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
	// What the unified buffer does not hold goes over the memory's port.
	spill := max(0, g.Footprint(op).InputBytes+g.Footprint(op).OutputBytes-int64(k.spec.VMEM))
	launch := k.cycles(k.machine.Launching(g, op))
	start, stop := r.start+launch, uint64(0)
	var sum tensorcore.Phases
	for range x.Batch {
		p := fifo.Matmul(x.M, x.N, x.K, float64(start), pace, drain)
		sum.Active, sum.Stall, sum.Shift, sum.Tiles = sum.Active+p.Active, sum.Stall+p.Stall, sum.Shift+p.Shift, sum.Tiles+p.Tiles
		stop = uint64(math.Ceil(p.End - 1e-6))
		start = stop
	}
	stop += k.cycles(float64(spill) / k.machine.Rate(op))
	r.end = stop
	r.bytes = uint64(float64(sum.Tiles)*tile) + uint64(spill)
	r.parts[kernelLaunch] = launch
	left := stop - r.start - launch
	for _, p := range []struct {
		part int
		n    float64
	}{{kernelBusy, sum.Active}, {kernelShift, sum.Shift}, {kernelMemory, sum.Stall}} {
		n := min(left, uint64(math.Round(p.n)))
		r.parts[p.part] = n
		left -= n
	}
	r.parts[kernelWait] = left
	r.queue = [3]uint64{r.parts[kernelBusy], r.parts[kernelMemory], r.parts[kernelShift]}
}

// Assumptions lists what the core takes for granted without a source, for the report.
func (k *Kernel) Assumptions() []string {
	return []string{
		"Operators run one after the other, each as one kernel; the memory gives its nominal bandwidth (go doc accelerators/tensorcore).",
		"Launch, sustained shares of array and memory are values of the preset: those marked fitted in it were fitted to measured times.",
	}
}
