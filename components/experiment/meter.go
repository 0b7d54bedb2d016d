package experiment

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// sampled is the value of simulation.repeat that is not the default.
const sampled = "sampled"

// A meter implements work.Meter over all nodes but the one that reads it, which knows what
// it skips.
type meter struct {
	groups   []*stats.Group
	trimmers []work.EndTrimmer
	where    []string                      // node of each store
	made     *stats.Group                  // multiply-accumulates of batches, which are to be done
	repeats  uint64                        // how often something was taken as equal
	leads    map[*stats.Group]*stats.Group // by node of a chip that follows: the same of the leader
}

// repeat makes the server skip repeating layers and steps if simulation.repeat is sampled.
func (x *Experiment) repeat(a *assembly, j *plan.Job) error {
	if x.sim.Repeat != sampled {
		return nil
	}
	s, ok := j.Server.(work.Sampler)
	if !ok {
		return x.doc.Root.Get("simulation").Get("repeat").Errorf(nil, "has no effect: %s carries out every step", j.Server.Name())
	}
	if i, ok := j.Server.(work.Issuer); ok && !i.Issues() {
		return x.doc.Root.Get("simulation").Get("repeat").Errorf(nil, "has no effect: %s issues no operators (want times: issued)", s.Name())
	}
	if j.Server.Instances() > 1 {
		return x.doc.Root.Get("simulation").Get("repeat").Errorf(nil, "has no effect: instances of %s go on at the same time, and have no common end of a step", s.Name())
	}
	m := newMeter(a, s.Name())
	m.made.Sum(&a.batches)
	s.Sample(m)
	return nil
}

// newMeter reads all nodes but the one of that name.
func newMeter(a *assembly, but string) *meter {
	m := &meter{made: stats.NewGroup("batches")}
	a.meter = m
	for _, n := range a.nodes() {
		if x, ok := n.(work.EndTrimmer); ok {
			m.trimmers = append(m.trimmers, x)
		}
		if n.Name() != but {
			m.groups = append(m.groups, n.Stats())
		}
	}
	m.groups = append(m.groups, m.made)
	for _, g := range m.groups {
		for range g.Holdings() {
			m.where = append(m.where, g.Where())
		}
	}
	return m
}

// Mark implements work.Meter.
func (m *meter) Mark() (out work.Mark) {
	out.Counts = make([]stats.Tally, len(m.groups))
	for i, g := range m.groups {
		out.Counts[i] = g.Tally()
		if l := m.leads[g]; l != nil {
			g = l
		}
		out.Held = append(out.Held, g.Holdings()...)
	}
	return out
}

// Differ implements work.Meter.
func (m *meter) Differ(a, b [2]work.Mark) (d schedule.Difference) {
	var bytes, differ uint64
	each := make([][2]uint64, len(m.groups))
	most := uint64(1)
	for i, g := range m.groups {
		n, x := g.Moved([2]stats.Tally{a[0].Counts[i], a[1].Counts[i]}, [2]stats.Tally{b[0].Counts[i], b[1].Counts[i]})
		each[i] = [2]uint64{n, x}
		bytes, differ, most = bytes+n, differ+x, max(most, n)
	}
	d.All = float64(differ) / float64(max(bytes, 1))
	for _, x := range each { // one that moves next to nothing does not matter
		d.Node = max(d.Node, float64(x[1])/float64(max(x[0], most/negligible)))
	}
	x, y := m.Stores(a), m.Stores(b)
	for i := range x {
		went := float64(x[i].Went()) - float64(y[i].Went())
		d.Node = max(d.Node, math.Abs(went)/float64(max(x[i].Used, y[i].Used, x[i].Size/negligible, 1)))
	}
	return d
}

// negligible is the share of the bytes of the busiest node, and of the size of a store, that is
// ignored when two periods are compared.
const negligible = 100

// Stores implements work.Meter.
func (m *meter) Stores(of [2]work.Mark) []schedule.Store {
	out := make([]schedule.Store, len(of[1].Held))
	for i, h := range of[1].Held {
		before := of[0].Held[i]
		grown := int64(h.Held) - int64(before.Held)
		out[i] = schedule.Store{Where: m.where[i], What: h.What, Size: h.Size, Held: h.Held, Grown: grown, Used: h.Used - before.Used, Came: uint64(max(int64(h.Gone-before.Gone)+grown, 0))}
	}
	return out
}

// Repeat implements work.Meter.
func (m *meter) Repeat(from, to work.Mark, n uint64, until units.Time) {
	m.repeats++
	for i, g := range m.groups {
		g.Repeat(from.Counts[i], to.Counts[i], n)
	}
	for _, s := range m.trimmers {
		s.TrimEnd(until)
	}
}
