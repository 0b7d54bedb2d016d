package lanes

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/skip"
	"github.com/causeway-sim/causeway/accelerators/tconv"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/accelerators/work/inorder"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/workloads/graph"
)

var _ work.Keeper = (*Comp)(nil)

// Comp is the node of kind lanes.
type Comp struct {
	*inorder.Executor[layer]
	spec  Spec
	sum   totals
	known map[product]skip.Work // what skipping comes to, drawn once per operator
	group *stats.Group
}

// A product is an operator of a workload whose operands are skipped.
type product struct {
	workload, name string
	batch          int
}

// totals are in cycles, products and bytes.
type totals struct {
	compute, memory, overhead        uint64
	macs, ineffectual, skipped, done uint64
	vector, bytes, partial, spill    uint64
	small, wait, useful              uint64
}

// New makes an engine of a Spec that it does not check; a configuration is checked when it is
// read.
func New(name string, e sim.Engine, s Spec) *Comp {
	c := &Comp{spec: s, known: map[product]skip.Work{}}
	c.Executor = inorder.New(c, name, e, s.Clock.Clock, inorder.Model[layer]{Cost: c.cost, Count: c.count,
		Start: func(l *layer) *uint64 { return &l.start }, Delay: func(l *layer, cycles uint64) { l.overhead += cycles }})
	c.group = c.newStats()
	return c
}

// Keeps implements work.Keeper.
func (c *Comp) Keeps() {}

// Switches implements work.Switcher.
func (c *Comp) Switches() {}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.group }

// Prepare implements work.Executor.
func (c *Comp) Prepare(w work.Share) error {
	if err := c.skips(w.Name, w.Graph); err != nil {
		return err
	}
	return c.Executor.Prepare(w)
}

// skips refuses a workload whose operands the engine cannot skip.
func (c *Comp) skips(workload string, g *graph.Graph) error {
	if !c.spec.Skip.On() {
		return nil
	}
	var products []string
	for i := range g.Ops {
		m, ok := g.Ops[i].Matrix()
		if ok && m.Conv != nil && m.Conv.Transposed {
			return fmt.Errorf("%s: layer %s is a transposed convolution, whose operands are not skipped", c.Name(), g.Ops[i].Name)
		}
		if ok {
			products = append(products, g.Ops[i].Name)
		}
	}
	if c.spec.table != nil {
		return c.spec.table.Check(workload, products)
	}
	return nil
}

// A layer is one operator done.
type layer struct {
	workload, name, kind      string
	start                     uint64
	compute, memory, overhead uint64 // cycles each would take alone
	macs                      uint64 // of the matrix product
	ineffectual, skipped      uint64 // of them that nothing comes of, and that are left out
	extra                     uint64 // products that are not in macs: by inserted zeros
	small                     uint64 // of those left out, by an operand that is small and not zero
	useful                    uint64 // products that are carried out and that something comes of
	wait                      uint64 // cycles in which a lane waits for others, of all lanes
	vector, bytes             uint64
	partial, spill            uint64 // bytes of partial sums of an image at a time, and of them to memory and back
}

// Cycles implements inorder.Layer.
func (l layer) Cycles() uint64 { return max(l.compute, l.memory) + l.overhead }

// Bytes implements inorder.Layer.
func (l layer) Bytes() uint64 { return l.bytes }

// done is the products carried out.
func (l *layer) done() uint64 { return l.macs - l.skipped + l.extra }

// cost implements inorder.Model.
func (c *Comp) cost(w *work.Share, op int, start uint64) layer {
	o := &w.Graph.Ops[op]
	l := layer{workload: w.Name, name: o.Name, kind: o.Kind.Type(), start: start,
		macs: uint64(o.MACs()), bytes: uint64(w.Graph.Footprint(o).Bytes())}
	if m, ok := o.Kind.(graph.Move); ok && m.Elements == 0 {
		return l // a view
	}
	e := tconv.Engine{Lanes: int64(c.spec.Lanes), Width: int64(c.spec.Width)}
	switch m, ok := o.Matrix(); {
	case ok && m.Conv != nil && m.Conv.Transposed:
		c.transposed(&l, e, *m.Conv)
	case ok:
		l.compute = uint64(int64(m.Batch) * m.M * integer.Ceil(m.N, e.Lanes) * c.turns(m, e.Width))
		if m.Conv != nil {
			l.ineffectual = l.macs - uint64(m.Conv.EffectiveMACs())
		}
		l.useful = l.macs - l.ineffectual
		if c.spec.Skip.On() {
			c.skip(&l, w.Batch, m)
		}
	default:
		l.vector = uint64(o.VectorOps())
		l.compute = uint64(integer.Ceil(o.VectorOps(), e.Lanes))
		if a, ok := o.Kind.(graph.Attention); ok {
			l.useful = l.macs
			l.compute = max(l.compute, c.attention(a))
		}
	}
	l.bytes += 2*l.spill - w.KeptBytes(o)
	l.memory = c.Clock().Cycles(8*l.bytes, uint64(c.spec.Memory))
	l.overhead = c.spec.Overhead.In(c.Clock())
	return l
}

// attention returns the cycles of the two products of an attention, whose rows of scores stream
// from the first through a softmax to the second.
func (c *Comp) attention(a graph.Attention) uint64 {
	lanes, width := int64(c.spec.Lanes), int64(c.spec.Width)
	scores := integer.Ceil(int64(a.Keys), lanes) * integer.Ceil(int64(a.Size), width)
	values := integer.Ceil(int64(a.Value), lanes) * integer.Ceil(int64(a.Keys), width)
	return uint64(a.Rows() * (scores + values))
}

// skip replaces the turns of a product by those that are left.
func (c *Comp) skip(l *layer, batch int, m graph.Matrix) {
	p := product{l.workload, l.name, max(batch, 1)}
	e := skip.Engine{Lanes: int64(c.spec.Lanes), Width: int64(c.spec.Width), Weights: c.spec.Skip.Weights.Name != "", Sync: c.spec.Skip.Sync}
	w, ok := c.known[p]
	if !ok {
		env := system.Env{Seed: c.spec.seed}
		w = e.Do(m, c.spec.Skip.Share(c.spec.table, l.workload, l.name), env.Rand("skip "+p.workload+"/"+p.name))
		c.known[p] = w
	}
	l.compute, l.skipped, l.small = w.Cycles, l.macs-w.Done, w.Small
	if e.Weights { // the border is multiplied as before, by as large a share
		l.useful = uint64(float64(w.Done) / float64(max(l.macs, 1)) * float64(l.macs-l.ineffectual))
	} else {
		l.useful = w.Done
	}
	lanes := uint64(c.spec.Lanes) * uint64(c.spec.Width)
	l.wait = w.Cycles*lanes - w.Done
}

// turns is the cycles that one filter and position takes: channels in groups of the
// width, tap by tap.
func (c *Comp) turns(m graph.Matrix, width int64) int64 {
	if m.Conv != nil {
		return integer.Ceil(int64(m.Conv.C/m.Conv.Groups), width) * int64(m.Conv.R*m.Conv.S)
	}
	return integer.Ceil(m.K, width)
}

// transposed is the cost of a transposed convolution.
func (c *Comp) transposed(l *layer, e tconv.Engine, v graph.Conv) {
	how := c.spec.Transposed
	w, all := tconv.Of(v, how), tconv.Of(v, tconv.InputOriented)
	channels := uint64(v.N) * uint64(v.C) * uint64(v.K/v.Groups)
	l.ineffectual = channels * uint64(all.Products-all.Landing)
	l.useful = l.macs - l.ineffectual
	switch how {
	case tconv.Scatter:
		l.skipped = l.ineffectual
	case tconv.ZeroInsertion:
		l.extra = channels*uint64(w.Products) - l.macs
	case tconv.InputOriented:
		l.vector = uint64(v.N) * uint64(v.K) * uint64(w.Adds)
	}
	l.compute = uint64(e.Cycles(v, how))
	if c.spec.Timing == Streaming {
		l.compute = uint64(max(0, e.Streaming(v, how == tconv.Scatter)))
	}
	size := uint64(c.spec.Accumulator.Bits() / 8)
	l.partial = size * uint64(w.Partial) * uint64(min(v.K/v.Groups, c.spec.Lanes))
	if l.partial > uint64(c.spec.Buffer) { // once for each group of filters
		l.spill = uint64(v.N) * size * uint64(w.Partial) * uint64(v.K)
	}
}

// count implements inorder.Model.
func (c *Comp) count(l *layer) {
	t := &c.sum
	t.compute += l.compute
	t.memory += l.Cycles() - l.overhead - l.compute
	t.overhead += l.overhead
	t.macs += l.macs
	t.ineffectual += l.ineffectual
	t.skipped += l.skipped
	t.small += l.small
	t.useful += l.useful
	t.wait += l.wait
	t.done += l.done()
	t.vector += l.vector
	t.bytes += l.bytes
	t.spill += l.spill
	t.partial = max(t.partial, l.partial)
}
