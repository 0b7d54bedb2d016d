package experiment

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/experiment/served"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// followed is the value of simulation.chips that is not the default.
const followed = "follow"

// chips implements work.Chips: the counters of the nodes of equal chips.
type chips struct {
	leader, witness []*stats.Group   // of the nodes of a chip, in one order
	followers       [][]*stats.Group // in the same order
	shared          []*stats.Group   // of memories that several chips reach
	began           map[*stats.Group]stats.Tally
}

// follow lets the chips of a server that equal the first one follow it (simulation.chips:
// follow). Where they do not, every chip is simulated and an assumption of the run says why.
func (x *Experiment) follow(a *assembly, j *plan.Job, s *served.Served) {
	if x.sim.Chips != followed || x.sim.Repeat != sampled {
		return
	}
	all, err := s.Alike()
	var c *chips
	if err == nil {
		c, err = newChips(a, all)
	}
	f, ok := j.Server.(work.Leader)
	if err == nil && !ok {
		err = fmt.Errorf("%s issues operators to every chip", j.Server.Name())
	}
	if err != nil {
		a.said = append(a.said, fmt.Sprintf("%s: every chip is simulated: %s (simulation.chips).", j.Server.Name(), err))
		return
	}
	f.Follow(all, c)
	a.meter.follow(c)
}

// newChips compares chips, given the executors of each. Equal chips are elements of a group: their
// nodes have equal names within it, and no keys of their own.
func newChips(a *assembly, all [][]work.Executor) (*chips, error) {
	if len(all) < 3 {
		return nil, fmt.Errorf("there are %d chips (want 3 or more: two are simulated in any case)", len(all))
	}
	nodes := make([]map[string]system.Made, len(all)) // of each chip, by their names within it
	inside := map[string]bool{}
	for k, executors := range all {
		home := within(executors[0].Name())
		for _, e := range executors {
			if h := within(e.Name()); h == "" || h != home {
				return nil, fmt.Errorf("%s and %s are not of one element of a group", executors[0].Name(), e.Name())
			}
		}
		nodes[k] = map[string]system.Made{}
		for _, m := range a.Sys.Made() {
			if name, ok := strings.CutPrefix(m.Name(), home+"."); ok {
				nodes[k][name], inside[m.Name()] = m, true
			}
		}
	}
	c := &chips{began: map[*stats.Group]stats.Tally{}}
	last := len(all) - 1
	for _, name := range slices.Sorted(maps.Keys(nodes[0])) {
		first := nodes[0][name]
		if _, own := first.Node.(work.Concurrent); own {
			continue // interfaces of all chips are simulated
		}
		c.leader = append(c.leader, first.Stats())
		c.witness = append(c.witness, nodes[last][name].Stats())
	}
	return c, c.pair(a, nodes, inside)
}

// pair finds the nodes of the following chips, and the memories outside of all chips.
func (c *chips) pair(a *assembly, nodes []map[string]system.Made, inside map[string]bool) error {
	for k := 1; k < len(nodes); k++ {
		var of []*stats.Group
		for _, name := range slices.Sorted(maps.Keys(nodes[0])) {
			x, y := nodes[0][name], nodes[k][name]
			if y.Node == nil || len(nodes[k]) != len(nodes[0]) || x.Path != y.Path {
				return fmt.Errorf("the chips of %s and of chip %d differ", x.Name(), k)
			}
			if _, own := x.Node.(work.Concurrent); !own {
				of = append(of, y.Stats())
			}
		}
		if k < len(nodes)-1 {
			c.followers = append(c.followers, of)
		}
	}
	for _, m := range a.Sys.Made() {
		if _, memory := m.Node.(system.Responder); memory && !inside[m.Name()] {
			c.shared = append(c.shared, m.Stats())
		}
	}
	return nil
}

// within is the element of a group that a node is in; "" is none.
func within(name string) string {
	at := strings.LastIndexByte(name, '.')
	return name[:max(at, 0)]
}

// Open implements work.Chips.
func (c *chips) Open() {
	for _, all := range append([][]*stats.Group{c.leader, c.witness, c.shared}, c.followers...) {
		for _, g := range all {
			c.began[g] = g.Tally()
		}
	}
}

// Settle implements work.Chips.
func (c *chips) Settle() (bytes, apart uint64, err error) {
	for _, g := range c.shared {
		if n, _ := g.Moved(c.since(g), c.since(g)); n > 0 {
			return 0, 0, fmt.Errorf("simulation.chips: chips are not equal where they share %s, which moved %d B (want chips: each)", g.Where(), n)
		}
	}
	for i, g := range c.leader {
		n, d := g.Moved(c.since(g), c.since(c.witness[i]))
		bytes, apart = bytes+n, apart+d
	}
	for _, all := range c.followers {
		for i, g := range all {
			g.Instead(c.since(g), c.leader[i], c.since(c.leader[i]))
		}
	}
	c.Open()
	return bytes, apart, nil
}

// since are the counters of a node at the begin of the period and now.
func (c *chips) since(g *stats.Group) [2]stats.Tally { return [2]stats.Tally{c.began[g], g.Tally()} }

// follow lets the stores of following chips hold what those of the leader hold, for marks.
func (m *meter) follow(c *chips) {
	m.leads = map[*stats.Group]*stats.Group{}
	for _, all := range c.followers {
		for i, g := range all {
			m.leads[g] = c.leader[i]
		}
	}
}
