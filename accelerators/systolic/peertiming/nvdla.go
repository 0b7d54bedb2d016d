package peertiming

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/peers/nvdla"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// An NVDLA is a core of timing nvdla: layer after layer takes as long as the performance
// sheet of NVDLA says. It asks no memory for anything: bandwidths are keys of its own.
type NVDLA struct {
	timed
	spec  NVDLASpec
	rows  []sheetRow
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
}

// NewNVDLA makes a core of timing nvdla. The Spec has been checked.
func NewNVDLA(name string, e sim.Engine, core Core, s NVDLASpec) *NVDLA {
	t := &NVDLA{spec: s}
	t.base = newBase(name, e, core, t, t)
	t.metrics()
	return t
}

// Prepare implements work.Executor: the matrix operators of the program, in order.
func (t *NVDLA) Prepare(w work.Share) error {
	if err := t.alone(&w); err != nil {
		return err
	}
	n, err := nvdla.Layers(w.Graph)
	if err != nil {
		return fmt.Errorf("%s: %w", t.Name(), err)
	}
	c := t.spec.Machine(t.core)
	batch := c.Batch(n.Layers)
	t.doubtBatch(w.Graph, &n)
	for i, cost := range c.Network(n.Layers) {
		op := &w.Graph.Ops[n.Ops[i]]
		t.rows = append(t.rows, sheetRow{workload: w.Name, name: op.Name, layer: n.Layers[i], cost: cost, macs: op.MACs(), batch: batch})
		t.add(op.Name, cost.Cycles)
		t.busy += cost.MAC
		t.macs += op.MACs()
	}
	t.apart += n.Apart
	return nil
}

// doubtBatch warns where fully connected layers have fewer images than the sheet lets share
// their weights.
func (t *NVDLA) doubtBatch(g *graph.Graph, n *nvdla.Network) {
	share := t.spec.FCBatch
	for i := range n.Layers {
		if l := &n.Layers[i]; l.FullyConnected && max(1, l.Repeat) < share {
			t.Warn([]string{fmt.Sprintf("%s: fully connected layers (%s first) take their part of a batch of %d images that share the weights, and the workload has %d (key nvdla.fc_batch sets it)",
				t.Name(), g.Ops[n.Ops[i]].Name, share, max(1, l.Repeat))})
			return
		}
	}
}

// Layers implements work.Executor.
func (t *NVDLA) Layers() *stats.Table {
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
func (t *NVDLA) Assumptions() []string {
	out := []string{"Layers take what the performance sheet of NVDLA says, a vendor's model: optimal, without software and changes of mode (go doc ./accelerators/peers/nvdla)."}
	if t.apart > 0 {
		out = append(out, fmt.Sprintf("%d operators follow no convolution or product that they could be carried out with, and take no time, as in the sheet.", t.apart))
	}
	return out
}
