package systolic

import (
	"fmt"
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/peers/nvdla"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
)

// A Sheet is a core of timing nvdla: layer after layer takes as long as the performance
// sheet of NVDLA says. It asks no memory for anything: bandwidths are keys of its own.
type Sheet struct {
	*core
	rows  []sheetRow
	total float64 // cycles
	busy  float64 // of the multipliers
	macs  int64
	apart int
}

// A sheetRow is one layer done.
type sheetRow struct {
	workload, name string
	layer          nvdla.Layer
	cost           nvdla.Cost
	macs           int64
	batch          int
	start          float64
}

// NewSheet makes a core of timing nvdla. The Spec has been checked.
func NewSheet(name string, e sim.Engine, s Spec) *Sheet {
	t := &Sheet{}
	t.core = bare(name, e, s, t, t)
	t.metrics()
	return t
}

// SetMap implements system.Requester. The sheet's model has no memory behind it.
func (t *Sheet) SetMap(port string, m *memory.Map) error { return t.core.SetMap(port, m) }

// Load implements work.Worker: the matrix operators of the program, in order.
func (t *Sheet) Load(w work.Share) error {
	for _, j := range w.Program.Jobs {
		if len(j.Waits)+len(j.Signals) > 0 {
			return fmt.Errorf("%s: timing %s is for one core", t.Name(), NVDLA)
		}
	}
	n, err := nvdla.Layers(w.Graph)
	if err != nil {
		return fmt.Errorf("%s: %w", t.Name(), err)
	}
	c := t.spec.sheet()
	batch := c.Batch(n.Layers)
	for i, cost := range c.Network(n.Layers) {
		op := &w.Graph.Ops[n.Ops[i]]
		t.rows = append(t.rows, sheetRow{workload: w.Name, name: op.Name, layer: n.Layers[i], cost: cost, macs: op.MACs(), batch: batch, start: t.total})
		t.total += cost.Cycles
		t.busy += cost.MAC
		t.macs += op.MACs()
	}
	t.apart += n.Apart
	return nil
}

// LoadRows implements work.RowLoader: rows of a topology file have no padding.
func (t *Sheet) LoadRows(string, []work.Row) error {
	return fmt.Errorf("%s: timing %s takes graphs, no rows of a SCALE-Sim topology", t.Name(), NVDLA)
}

// Prepare implements work.Executor, which this timing is not.
func (t *Sheet) Prepare(work.Share) error {
	return fmt.Errorf("%s: timing %s takes whole workloads, no single operators", t.Name(), NVDLA)
}

// lastCycle is the whole cycle after the last layer.
func (t *Sheet) lastCycle() uint64 { return uint64(math.Ceil(t.total)) }

// Handle implements sim.Handler: time passes, nothing else. Layers are reported ahead.
func (t *Sheet) Handle(e sim.Event) error {
	cycle := t.ticker.Cycle(e.Time())
	if t.tasks.On() && cycle == 0 {
		for i := range t.rows {
			r := &t.rows[i]
			id := t.tasks.Begin(instant.Of(t.clock, uint64(math.Ceil(r.start))), task.Layer, t.tasks.What(r.name), 0, 0)
			t.tasks.End(instant.Of(t.clock, uint64(math.Ceil(r.start+r.cost.Cycles))), id)
		}
	}
	if cycle < t.lastCycle() {
		t.ticker.WakeAt(t.lastCycle())
	}
	return nil
}

// Waiting implements engine.Waiter.
func (t *Sheet) Waiting() []engine.Wait { return nil }

// Layers implements work.Worker.
func (t *Sheet) Layers() *stats.Table {
	tb := &stats.Table{}
	for _, c := range sheetColumns {
		tb.Columns = append(tb.Columns, c.Column)
	}
	for i := range t.rows {
		row := make([]any, len(sheetColumns))
		for j, c := range sheetColumns {
			row[j] = c.cell(&t.rows[i])
		}
		tb.Append(row...)
	}
	return tb
}

// Assumptions implements system.Assumer.
func (t *Sheet) Assumptions() []string {
	out := []string{"Layers take what the performance sheet of NVDLA says, a vendor's model: optimal, without software and changes of mode (go doc ./accelerators/peers/nvdla)."}
	if t.apart > 0 {
		out = append(out, fmt.Sprintf("%d operators follow no convolution or product that they could be carried out with, and take no time, as in the sheet.", t.apart))
	}
	return out
}
