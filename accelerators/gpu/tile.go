package gpu

import (
	"fmt"
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/curve"
	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/accelerators/work/streamed"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

var _ work.Repeater = (*Tile)(nil)

// Tile is a GPU of fidelity tile: the bytes of every kernel go as bursts to the memory
// below its port, where they meet those of others.
type Tile struct {
	*streamed.Executor[layer]
	record
}

// NewTile makes a GPU of fidelity tile. The Spec has been checked.
func NewTile(name string, e sim.Engine, element uint16, s Spec) *Tile {
	t := &Tile{record: newRecord(s, false)}
	t.below = true
	t.slowness = 1
	if s.Ahead != ruled { // what bytes take is seen at the port
		t.slowness = 0
	}
	t.Executor = streamed.New(t, name, e, streamed.Spec{Clock: t.clock, Burst: uint64(s.Burst), Outstanding: s.outstanding(), Latency: s.Latency.In(t.clock),
		PerByte: 8 / (float64(s.Memory) * s.Stream) * t.hertz(), Element: element}, streamed.Model[layer]{
		Plan: t.kernel, Begin: t.begin, Came: t.came, End: t.ended, Again: again, Skip: func(n uint64) { t.host.Skip(n) }})
	t.newStats(name, t.End(), t.Idle(), t.Awaited())
	return t
}

// outstanding is the requests in flight at most: those of the key, or as many as two latencies of the
// memory ask.
func (s *Spec) outstanding() int {
	if s.Outstanding > 0 {
		return s.Outstanding
	}
	return max(leastOutstanding, int(math.Ceil(2*s.seconds(s.Latency)*float64(s.Memory)/8/float64(s.Burst))))
}

const leastOutstanding = 256

// Layers implements work.Executor.
func (t *Tile) Layers() *stats.Table { return t.table(t.Rows()) }

// Prepare implements work.Executor.
func (t *Tile) Prepare(w work.Share) error {
	t.lacks(&w)
	if err := t.exchangeable(t.Name(), &w); err != nil {
		return err
	}
	return t.Executor.Prepare(w)
}

// Plan implements work.Executor: kernels before a memory as the key memory has it.
func (t *Tile) Plan(share int32, jobOf int) work.Cost {
	s, cost, cycles := t.Share(share), work.Cost{}, uint64(0)
	for _, op := range s.Program.Jobs[jobOf].All() {
		l, c := t.plan(s, op, 0)
		cycles += t.host.Steady(l.launches, l.cycles)
		cost.Bytes += uint64(c.Bytes)
	}
	cost.Time = units.Time(t.clock.Nanoseconds(cycles) * float64(units.Nanosecond))
	return cost
}

// kernel is an operator that begins in a cycle, as a kernel whose bytes move.
func (t *Tile) kernel(s *work.Share, op int, start uint64) (layer, streamed.Kernel) {
	l, cost := t.plan(s, op, start)
	k := streamed.Kernel{Launch: l.launch, Late: cost.Late, Bytes: max(cost.Bytes-cost.Kept, 0)}
	if f := t.mixture(s, op); f != nil && op == f.first {
		k.Ops, k.Exchanged = f.ops, f.what == "experts"
	}
	switch {
	case l.inside: // written with the attention after it
		k.Ruled, k.Bytes = true, float64(l.bytes)
	case l.cycles == 0:
		k.Ruled, k.Bytes = true, 0
	case t.spec.Ahead == ruled:
		k.Ruled, k.Time = true, cost.Slow
		k.Time.Scale(t.hertz())
	default:
		k.Work = l.cycles - l.launch
		if m, ok := s.Graph.Ops[op].Kind.(graph.MatMul); ok && t.spec.Ahead > 0 && cost.Rounds > 0 {
			k.Each, k.Ahead = cost.Tile.Steps(m.K), int(t.spec.Ahead)
			k.Steps = k.Each * cost.Rounds
		}
	}
	return l, k
}

// begin has the host launch an operator's kernels.
func (t *Tile) begin(l *layer, k *streamed.Kernel) {
	l.await(&t.host)
	k.Launch += l.waited
}

// ended counts an operator.
func (t *Tile) ended(l *layer, cycles, read, written uint64) {
	l.cycles, l.bytes = cycles, read+written
	l.launch = min(l.launch, cycles)
	l.compute = min(l.compute, cycles-l.launch)
	l.rest()
	t.charge(l)
	t.count(l)
}

// again is an operator of a later period.
func again(l layer, name string, later uint64) layer {
	l.name, l.start = name, l.start+later
	return l
}

// hertz is the clock of the SMs.
func (c *record) hertz() float64 { return float64(c.clock.Den()) / float64(c.clock.Num()) }

// curved adds the time of a kernel before slower and faster memories, if one is below the port.
func (c *record) curved(cost kernel.Cost, price func() kernel.Cost) kernel.Cost {
	if !c.below || c.spec.Ahead != ruled {
		return cost
	}
	cost.Slow = curve.Of(func(slow float64) float64 {
		was := c.slowness
		c.slowness = slow
		x := price()
		c.slowness = was
		return max(x.Total-x.Launch, 0)
	})
	return cost
}

// Assumptions implements system.Assumer.
func (t *Tile) Assumptions() []string {
	out := t.assumptions(t.Name())
	if s := t.Sampled(); s != "" {
		out = append(out, s)
	}
	return append(out, fmt.Sprintf("%s: operators are those of fidelity analytic, with the memory's time as it was at the port %s.mem", t.Name(), t.Name()))
}
