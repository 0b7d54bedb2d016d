package system

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// An Arranger is a node with an array of ports that links may take in an order other than that of
// their numbers: a network, whose terminals have different distances.
type Arranger interface {
	Node
	// Placements names the orders.
	Placements() []string
	// Arrange puts numbers of ports of the array into an order.
	Arrange(placement string, ports []int, rng *rand.Rand) ([]int, error)
}

// arranged returns the free ports of an array in the order of a link's placement.
func (b *build) arranged(e *entry, el *element, free []endpoint) ([]endpoint, bool) {
	how := e.attr.Placement
	if how == "" {
		return free, true
	}
	at := e.at
	if e.whole.Exists() {
		at = e.whole.Get("placement")
	}
	a, ok := el.node.(Arranger)
	if !ok {
		b.errs.Add(at.Errorf(nil, "has no effect: the ports of %s have no order but that of their numbers (a network's do)", el.name))
		return nil, false
	}
	if names := a.Placements(); !slices.Contains(names, how) {
		b.errs.Add(at.Errorf(names, "unknown placement %q", how))
		return nil, false
	}
	ports, by := make([]int, len(free)), map[int]endpoint{}
	for i, p := range free {
		ports[i] = p.index
		by[p.index] = p
	}
	ports, err := a.Arrange(how, ports, b.env.Rand(fmt.Sprintf("placement %s -> %s", e.refs[0], e.refs[1])))
	if err != nil {
		b.errs.Add(at.Errorf(nil, "%s", err))
		return nil, false
	}
	for i, k := range ports {
		free[i] = by[k]
	}
	e.placed = true
	return free, true
}

// checkPlacement reports a placement where no link chooses among ports.
func (b *build) checkPlacement(e *entry) {
	if e.attr.Placement != "" && !e.placed {
		b.errs.Add(e.whole.Get("placement").Errorf(nil, "has no effect: the link names its ports, or pairs two arrays of them (want Node -> Net)"))
	}
}
