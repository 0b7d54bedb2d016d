package experiment

import (
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
)

// sampled is the value of simulation.repeat that is not the default.
const sampled = "sampled"

// A meter implements work.Meter over all nodes but the one that reads it, which knows what
// it skips.
type meter struct {
	groups   []*stats.Group
	settlers []work.Settler
	made     *stats.Group // multiply-accumulates of batches, which are to be done
}

// repeat lets the server take what repeats for what it took before, as simulation.repeat
// says.
func (x *Experiment) repeat(a *assembly) error {
	if x.sim.Repeat != sampled {
		return nil
	}
	s, ok := a.server.(work.Sampler)
	if !ok {
		return x.doc.Root.Get("simulation").Get("repeat").Errorf(nil, "has no effect: %s carries out every step", a.server.Name())
	}
	if a.server.Instances() > 1 {
		return x.doc.Root.Get("simulation").Get("repeat").Errorf(nil, "has no effect: instances of %s go on beside each other, and have no common end of a step", s.Name())
	}
	m := newMeter(a, s.Name())
	m.made.Sum(&a.batches)
	s.Sample(m)
	return nil
}

// newMeter reads all nodes but the one of that name.
func newMeter(a *assembly, but string) *meter {
	m := &meter{made: stats.NewGroup("batches")}
	for _, n := range a.nodes() {
		if x, ok := n.(work.Settler); ok {
			m.settlers = append(m.settlers, x)
		}
		if n.Name() != but {
			m.groups = append(m.groups, n.Stats())
		}
	}
	m.groups = append(m.groups, m.made)
	return m
}

// Mark implements work.Meter.
func (m *meter) Mark() work.Mark {
	out := make(work.Mark, len(m.groups))
	for i, g := range m.groups {
		out[i] = g.Tally()
	}
	return out
}

// Differ implements work.Meter.
func (m *meter) Differ(a, b [2]work.Mark) float64 {
	var bytes, differ uint64
	for i, g := range m.groups {
		n, d := g.Moved([2]stats.Tally{a[0][i], a[1][i]}, [2]stats.Tally{b[0][i], b[1][i]})
		bytes, differ = bytes+n, differ+d
	}
	return float64(differ) / float64(max(bytes, 1))
}

// Repeat implements work.Meter.
func (m *meter) Repeat(from, to work.Mark, n uint64, until units.Time) {
	for i, g := range m.groups {
		g.Repeat(from[i], to[i], n)
	}
	for _, s := range m.settlers {
		s.Settle(until)
	}
}
