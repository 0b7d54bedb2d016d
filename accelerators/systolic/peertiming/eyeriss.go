package peertiming

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/peers/eyeriss"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// An Eyeriss is a core of timing eyeriss: convolution after convolution takes its processing passes.
// It asks no memory for anything.
type Eyeriss struct {
	timed
	spec   EyerissSpec
	rows   []rowsRow
	active float64 // elements x cycles
	macs   int64
	energy float64 // pJ
	others int     // operators that the chip does not carry out
	named  map[string]bool
}

// A rowsRow is one convolution done.
type rowsRow struct {
	workload, name string
	cost           eyeriss.Cost
	ns, energy     float64 // energy in pJ
}

// NewEyeriss makes a core of timing eyeriss. The Spec has been checked.
func NewEyeriss(name string, e sim.Engine, core Core, s EyerissSpec) *Eyeriss {
	t := &Eyeriss{spec: s, named: map[string]bool{}}
	t.base = newBase(name, e, core, t, t)
	t.metrics()
	return t
}

// Prepare implements work.Executor: convolutions and products of the program, in order.
func (t *Eyeriss) Prepare(w work.Share) error {
	if err := t.alone(&w); err != nil {
		return err
	}
	m, r := t.spec.machine(t.core), &t.spec
	for i := range w.Graph.Ops {
		op := &w.Graph.Ops[i]
		l, ok, err := rowLayer(op)
		if err != nil {
			return fmt.Errorf("%s: %w", t.Name(), err)
		}
		if !ok {
			t.others++
			continue
		}
		x, given := r.Mapping[op.Name]
		if t.named[op.Name] = true; !given {
			if x, err = m.Map(&l); err != nil {
				return fmt.Errorf("%s: %s: %w", t.Name(), op.Name, err)
			}
		}
		c, err := m.Cost(&l, &x)
		if err != nil {
			return fmt.Errorf("%s: eyeriss.mapping.%s: %w", t.Name(), op.Name, err)
		}
		row := rowsRow{workload: w.Name, name: op.Name, cost: c, ns: t.core.Clock.Nanoseconds(uint64(c.Cycles))}
		row.energy = 1e12*float64(r.MAC)*c.Energy(r.Zeros[op.Name]) + 1e3*float64(r.Idle)*row.ns
		t.rows = append(t.rows, row)
		t.add(op.Name, float64(c.Cycles))
		t.active += float64(c.Cycles) * float64(c.Active)
		t.macs += c.MACs
		t.energy += row.energy
	}
	return t.unknown(w.Name)
}

// unknown complains about mappings and zeros of layers that no workload has.
func (t *Eyeriss) unknown(workload string) error {
	var names, known []string
	for n := range t.spec.Mapping {
		names = append(names, n)
	}
	for n := range t.spec.Zeros {
		names = append(names, n)
	}
	for n := range t.named {
		known = append(known, n)
	}
	slices.Sort(names)
	slices.Sort(known)
	for _, n := range names {
		if !t.named[n] {
			return fmt.Errorf("%s: eyeriss: %s has no convolution or product %q (want one of: %s)", t.Name(), workload, n, strings.Join(known, ", "))
		}
	}
	return nil
}

// rowLayer is a convolution or product as the chip takes it; ok is false for another operator.
func rowLayer(op *graph.Op) (l eyeriss.Layer, ok bool, err error) {
	m, ok := op.Matrix()
	if !ok {
		return l, false, nil
	}
	c := m.Conv
	if c == nil { // a product is a convolution of 1 x 1: rows of output are its rows
		return eyeriss.Layer{N: 1, C: int(m.K), M: int(m.N), Groups: max(1, m.Batch), R: 1, S: 1, Stride: 1, E: int(m.M), F: 1, H: int(m.M), W: 1}, true, nil
	}
	if c.Transposed || c.DilationH > 1 || c.DilationW > 1 || c.StrideH != c.StrideW {
		return l, false, fmt.Errorf("%s: row stationary is for convolutions of one stride, neither transposed nor dilated", op.Name)
	}
	return eyeriss.Layer{N: c.N, C: c.C / c.Groups, M: c.K / c.Groups, Groups: c.Groups, R: c.R, S: c.S, Stride: c.StrideH, E: c.OutH(), F: c.OutW(),
		H: (c.OutH()-1)*c.StrideH + c.R, W: (c.OutW()-1)*c.StrideW + c.S}, true, nil
}

// Layers implements work.Executor.
func (t *Eyeriss) Layers() *stats.Table {
	tb := &stats.Table{}
	for _, c := range rowsColumns {
		tb.Columns = append(tb.Columns, c.Column)
	}
	for i := range t.rows {
		row := make([]any, len(rowsColumns))
		for j, c := range rowsColumns {
			row[j] = c.cell(t, &t.rows[i])
		}
		tb.Append(row...)
	}
	return tb
}

// Assumptions implements system.Assumer.
func (t *Eyeriss) Assumptions() []string {
	out := []string{"Convolutions and products take their processing passes one after the other; DRAM and reconfiguration are not in the way (go doc ./accelerators/peers/eyeriss)."}
	if t.others > 0 {
		out = append(out, fmt.Sprintf("%d operators are no convolutions or products: the chip leaves them to a host, and they take no time.", t.others))
	}
	return out
}
