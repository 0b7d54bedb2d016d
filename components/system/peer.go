package system

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/configs"
)

// maxElastic is more ports than any array has.
const maxElastic = 1 << 30

// specOf is the index of the port or array called name, or -1.
func (el *element) specOf(name string) int {
	return slices.IndexFunc(el.specs, func(s PortSpec) bool { return s.Name == name })
}

// grow makes an elastic array longer.
func (el *element) grow(port string, n int) {
	g, ok := el.node.(Grower)
	if !ok {
		panic(fmt.Sprintf("system: port %s of %s (%T) is elastic, but the node is no Grower", port, el.name, el.node))
	}
	g.Grow(port, n)
	el.specs = el.node.PortSpecs()
	checkSpecs(el.node, el.specs)
	el.indexPorts()
}

// deliverPeers passes to every Neighbour its peers.
func (b *build) deliverPeers() error {
	for _, el := range b.all {
		n, ok := el.node.(Neighbour)
		if !ok {
			continue
		}
		for i := range el.specs {
			for j := range el.specs[i].Ports {
				p := endpoint{el, i, j}
				if len(b.at[p]) == 0 {
					continue
				}
				if err := n.SetPeers(p.local(), b.peers(p)); err != nil {
					return located(el.shown, err)
				}
			}
		}
	}
	return nil
}

// peers lists what messages from p may come to.
func (b *build) peers(p endpoint) []Peer {
	type place struct {
		at   endpoint
		hops int
	}
	var out []Peer
	seen := map[endpoint]bool{p: true}
	_, far := p.el.node.(Transparent)
	todo := []place{{p, 0}} // ports whose links are to be followed
	for len(todo) > 0 {
		x := todo[0]
		todo = todo[1:]
		for _, l := range b.at[x.at] {
			q := l.other(x.at)
			if seen[q] || q.el == p.el {
				continue
			}
			seen[q] = true
			out = append(out, Peer{q.el.node, q.local(), q.port(), x.hops})
			t, ok := q.el.node.(Transparent)
			if !ok || !far {
				continue
			}
			exits, _ := t.Through(q.local())
			for _, exit := range exits {
				if y, ok := q.el.find(exit); ok && !seen[y] && len(b.at[y]) > 0 {
					seen[y] = true
					todo = append(todo, place{y, x.hops + 1})
				}
			}
		}
	}
	slices.SortFunc(out, func(x, y Peer) int {
		return cmp.Or(cmp.Compare(x.Hops, y.Hops), configs.CompareNames(x.Port.Name(), y.Port.Name()))
	})
	return out
}
