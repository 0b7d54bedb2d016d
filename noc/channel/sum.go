package channel

import (
	"errors"
	"fmt"

	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A tree is the routers that add up the messages of a group of terminals: each sends the sum of
// its children to its parent; the root sends the total back to all.
type tree struct {
	of       []int32   // node of a router, none where it is no part
	up       []int32   // link of a node to its parent, none at the root
	children [][]int32 // links of a node to its children: routers and terminals
}

// A sumKey identifies a sum in flight.
type sumKey struct {
	network.Sum
	part int64 // first byte of the packet
}

// A sum is one packet of a sum in flight. Those in the pool are reused.
type sum struct {
	key   sumKey
	tree  int32
	came  []int32  // of each node: children whose part has come
	tail  []uint64 // and when all of that has
	owner map[int32]int32
	left  int // members that have not got it
	next  int32
}

// sums are the trees of groups and what is being added up; 0 is no sum.
type sums struct {
	trees []tree
	all   []sum
	free  int32
	at    map[sumKey]int32
}

// Reduces returns an error if the routers do not add up messages.
func (n *Network) Reduces() error {
	switch {
	case !n.cfg.Reduce:
		return errors.New("its routers do not add up (want reduce: true)")
	case n.lanes != nil:
		return errors.New("its buffers have an end, in which sums would wait for each other (want buffer 0)")
	case len(n.out.spells) > 0:
		return errors.New("its channels fail during the run, and sums do not go around (want failed without at)")
	}
	return nil
}

// Tree prepares sums of terminals: routes to the router that is nearest to all of them. It
// returns the number of the group.
func (n *Network) Tree(terminals []int32) (int32, error) {
	if err := n.Reduces(); err != nil {
		return 0, err
	}
	homes := map[int]bool{}
	for _, t := range terminals {
		r, _ := n.cfg.Topology.Home(int(t))
		homes[r] = true
	}
	root, least := none, 0
	for r := range n.cfg.Topology.Routers() {
		far := 0
		hops := spread(n.cfg.Topology, r)
		for h := range homes {
			if hops[h] < 0 {
				far = none
				break
			}
			far = max(far, hops[h])
		}
		if far != none && (root == none || far < least) {
			root, least = r, far
		}
	}
	if root == none {
		return 0, errors.New("no router reaches all of its ranks")
	}
	n.sums.trees = append(n.sums.trees, n.grow(root, terminals))
	return int32(len(n.sums.trees) - 1), nil
}

// spread is the hops from a router to all others, -1 where no way leads.
func spread(t topology.Topology, from int) []int {
	hops := make([]int, t.Routers())
	for i := range hops {
		hops[i] = -1
	}
	hops[from] = 0
	for todo := []int{from}; len(todo) > 0; todo = todo[1:] {
		for p := range t.Ports(todo[0]) {
			if to, _, ok := t.Peer(todo[0], p); ok && hops[to] < 0 {
				hops[to] = hops[todo[0]] + 1
				todo = append(todo, to)
			}
		}
	}
	return hops
}

// grow joins terminals to a root, each router by its first port that leads nearer.
func (n *Network) grow(root int, terminals []int32) tree {
	t, hops := n.cfg.Topology, spread(n.cfg.Topology, root)
	x := tree{of: make([]int32, t.Routers())}
	for i := range x.of {
		x.of[i] = none
	}
	var add func(r int) int32
	add = func(r int) int32 {
		if x.of[r] != none {
			return x.of[r]
		}
		at := int32(len(x.up))
		x.of[r] = at
		x.up, x.children = append(x.up, none), append(x.children, nil)
		for p := range t.Ports(r) {
			to, back, ok := t.Peer(r, p)
			if r == root || !ok || hops[to] != hops[r]-1 {
				continue
			}
			x.up[at] = n.base[r] + int32(p)
			parent := add(to)
			x.children[parent] = append(x.children[parent], n.base[to]+int32(back))
			break
		}
		return at
	}
	for _, m := range terminals {
		r, p := t.Home(int(m))
		at := add(r)
		x.children[at] = append(x.children[at], n.base[r]+int32(p))
	}
	return x
}

// enter gives a packet of a message that is added up its place in the sum.
func (n *Network) enter(m *message, i int32, part int64) int32 {
	key := sumKey{m.Sum, part}
	at, ok := n.sums.at[key]
	if !ok {
		at = n.sums.open(key, m.Sum.Group-1)
	}
	s := &n.sums.all[at]
	s.owner[m.Src] = i
	s.left++
	return at
}

// open takes a sum of the pool.
func (x *sums) open(key sumKey, group int32) int32 {
	if x.at == nil {
		x.at, x.all = map[sumKey]int32{}, make([]sum, 1)
	}
	at := x.free
	if at == 0 {
		x.all = append(x.all, sum{owner: map[int32]int32{}})
		at = int32(len(x.all) - 1)
	} else {
		x.free = x.all[at].next
	}
	s, nodes := &x.all[at], len(x.trees[group].up)
	s.key, s.tree, s.left = key, group, 0
	s.came, s.tail = append(s.came[:0], make([]int32, nodes)...), append(s.tail[:0], make([]uint64, nodes)...)
	clear(s.owner)
	x.at[key] = at
	return at
}

// combine adds an arrived packet to the sum of a router. The last of the router's children
// continues for all: its tail is the last of theirs.
func (n *Network) combine(p int32) {
	k := &n.packets[p]
	s := &n.sums.all[k.sum]
	t := &n.sums.trees[s.tree]
	at := t.of[k.at]
	s.came[at]++
	s.tail[at] = max(s.tail[at], n.now+k.lag)
	if int(s.came[at]) < len(t.children[at]) {
		n.drop(p)
		return
	}
	k.lag = s.tail[at] - n.now
	if up := t.up[at]; up != none {
		n.hops++
		n.leave(n.now+uint64(n.cfg.Router)<<tickBits, p, up, 0)
		return
	}
	k.down = true
	n.hand(p)
}

// hand copies a sum that has arrived at a router to all of its children.
func (n *Network) hand(p int32) {
	router, sum, lag := n.packets[p].at, n.packets[p].sum, n.packets[p].lag
	t := &n.sums.trees[n.sums.all[sum].tree]
	for _, l := range t.children[t.of[router]] {
		q := n.blank()
		turn := n.packets[q].turn
		n.packets[q] = n.packets[p]
		k, x := &n.packets[q], &n.links[l]
		k.turn, k.at, k.lag = turn, router, lag
		if x.in {
			k.Dst, k.message = x.to, n.sums.all[sum].owner[x.to]
			if to := &n.nics[x.to]; to.held {
				n.keep(to, q)
				continue
			}
		} else {
			n.hops++
		}
		n.leave(n.now+uint64(n.cfg.Router)<<tickBits, q, l, 0)
	}
	n.drop(p)
}

// got notes that a member has its sum.
func (n *Network) got(at int32) {
	x := &n.sums
	s := &x.all[at]
	if s.left--; s.left == 0 {
		delete(x.at, s.key)
		s.next, x.free = x.free, at
	}
}

// drop ends a packet that goes no further.
func (n *Network) drop(p int32) {
	k := &n.packets[p]
	k.alive = false
	k.next, n.freeP = n.freeP, p
}

// Reduces implements topology.Reducer.
func (c *Comp) Reduces() error { return c.Network().Reduces() }

// Tree implements topology.Reducer.
func (c *Comp) Tree(terminals []int32) (int32, error) {
	g, err := c.Network().Tree(terminals)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", c.Name(), err)
	}
	return g + 1, nil
}
