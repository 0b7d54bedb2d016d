package kernel

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/curve"
	"github.com/causeway-sim/causeway/accelerators/systolic/burst"
	"github.com/causeway-sim/causeway/accelerators/tensorcore"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/accelerators/work/streamed"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
)

var _ work.Repeater = (*Tile)(nil)

// A Tile is a core of timing kernel and fidelity tile: kernels of [Core], whose bytes go as bursts to the
// memory behind its link.
type Tile struct {
	*streamed.Executor[row]
	record
	stream float64
}

// A Port is how a Tile asks for bytes. Stream is the share of its bandwidth that the memory reaches for
// a stream, which the shares of kernels hold already.
type Port struct {
	Burst       uint64
	Outstanding int
	Stream      float64
}

// NewTile makes a core of timing kernel and fidelity tile. The Config has been checked, and has no queue
// of weights.
func NewTile(name string, e sim.Engine, s Config, p Port) *Tile {
	k := &Tile{record: newRecord(name, s), stream: p.Stream}
	k.Executor = streamed.New(k, name, e, streamed.Spec{Clock: s.Clock, Burst: p.Burst, Outstanding: p.Outstanding},
		streamed.Model[row]{Plan: k.kernel, End: k.ended, Again: again})
	k.group = k.metrics(k.End(), k.Idle(), k.Awaited())
	return k
}

// scale is the bandwidth that times are known for if no memory names its own, in bytes per second. What
// a kernel takes follows from the time of its bytes, whatever it is.
const scale = 1e12

// SetMap implements system.Requester.
func (k *Tile) SetMap(port string, m *memory.Map) error {
	r, rate := burst.NewRoutes(m), float64(scale)
	if b := r.Bandwidth(); b > 0 {
		rate = float64(b) / 8
	}
	k.before(r, rate)
	k.Nominal(k.latency, k.machine.Clock/(rate*k.stream))
	return k.Executor.SetMap(port, m)
}

// Prepare implements work.Executor.
func (k *Tile) Prepare(w work.Share) error {
	if err := k.lacks(w.Graph); err != nil {
		return err
	}
	k.flow(&w)
	return k.Executor.Prepare(w)
}

// Plan implements work.Executor: kernels before a memory of the nominal bandwidth.
func (k *Tile) Plan(share int32, job int) work.Cost {
	s, cost, cycles := k.Share(share), work.Cost{}, uint64(0)
	for _, op := range s.Program.Jobs[job].All() {
		r := k.operator(s, op, 0, nil)
		cycles += r.Cycles()
		cost.Bytes += r.Bytes()
	}
	cost.Time = units.Time(k.spec.Clock.Nanoseconds(cycles) * float64(units.Nanosecond))
	return cost
}

// kernel is operator i of a share, as a kernel whose bytes move.
func (k *Tile) kernel(s *work.Share, i int, start uint64) (row, streamed.Kernel) {
	r := k.operator(s, i, start, nil)
	op, p := &s.Graph.Ops[i], tensorcore.Passed{}
	if f := k.flows[s.Graph]; f != nil {
		p = f[i]
	}
	m := k.machine
	return r, streamed.Kernel{
		Launch: r.parts[launching], Ruled: true, Bytes: float64(r.Bytes()), Written: float64(r.written), Exact: true,
		Time: curve.Of(func(slow float64) float64 {
			m.Memory = k.machine.Memory / max(slow, 1e-9)
			c := m.Time(s.Graph, op, p)
			return (c.Copy + max(c.Busy(), c.Memory)) * m.Clock
		}),
	}
}

// ended counts an operator.
func (k *Tile) ended(r *row, cycles, read, written uint64) {
	r.read, r.written = read, written
	r.take(r.parts[launching], r.parts[busy], cycles)
	k.add(r)
}

// again is an operator of a later period.
func again(r row, name string, later uint64) row {
	r.name, r.start, r.end = name, r.start+later, r.end+later
	return r
}

// Stats implements system.Node.
func (k *Tile) Stats() *stats.Group { return k.group }

// Layers implements work.Executor.
func (k *Tile) Layers() *stats.Table { return k.table(k.Rows()) }

// Assumptions lists what the core takes for granted without a source, for the report.
func (k *Tile) Assumptions() []string {
	out := []string{"Operators run one after the other, each as one kernel, with the memory's time as it was at the port (go doc accelerators/work/streamed).", assumedLibrary}
	if s := k.Sampled(); s != "" {
		out = append(out, s)
	}
	return out
}
