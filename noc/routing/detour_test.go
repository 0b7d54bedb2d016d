package routing_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// at shows a router whose ports other than one seem full.
type at struct {
	routing.Blind
	router, port int
}

func (v *at) Router() int             { return v.router }
func (v *at) Intn(int) int            { return 0 }
func (v *at) QueueClass(int, int) int { return 0 }
func (v *at) Remote(int, int) int     { return 0 }
func (v *at) Queue(port int) int {
	if port == v.port {
		return 0
	}
	return 1
}

// A hold is a class of virtual channels of a channel that leaves a router.
type hold struct{ router, port, class int }

// circle reports whether a graph has one.
func circle(leads map[hold]map[hold]bool) bool {
	color := map[hold]int{}
	var visit func(hold) bool
	visit = func(h hold) bool {
		color[h] = 1
		for next := range leads[h] {
			if color[next] == 1 || color[next] == 0 && visit(next) {
				return true
			}
		}
		color[h] = 2
		return false
	}
	for h := range leads {
		if color[h] == 0 && visit(h) {
			return true
		}
	}
	return false
}

// onDetour is a packet that has come by a channel of a class on a detour.
func onDetour(dst, class int, down bool) routing.Packet {
	p := routing.Packet{Dst: int32(dst), Mode: 0xff, Hops: 1, Pending: uint8(class << 1)}
	if down {
		p.Pending |= 1
	}
	return p
}

// Ways around lead to every terminal that can be reached, in the classes that they say. No
// packets can wait for each other in a circle, whichever spell each of them chose its ways
// in: what a packet may wait for with any channel held is followed, in all spells together.
func TestDetourIsFree(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := shapes[rapid.IntRange(0, len(shapes)-1).Draw(rt, "shape")]
		top, err := topology.New(s.name, s.spec)
		require.NoError(rt, err)
		if top.Routers() > 20 {
			rt.Skip("takes long")
		}
		var alg routing.Algorithm
		for _, name := range []string{"min", "dor", "nca", "up_down"} {
			if alg == nil {
				alg, _ = routing.New(name, top, nil)
			}
		}
		spells := drawSpells(rt, top)
		d, err := routing.NewDetour(top, alg, spells)
		require.NoError(rt, err)
		leads := map[hold]map[hold]bool{}
		for i := range spells {
			d.Begin(i)
			left, err := topology.Without(top, spells[i].Down)
			require.NoError(rt, err)
			last := -1
			for dst := range top.Terminals() {
				home, _ := top.Home(dst)
				if home == last {
					continue // terminals of a router are alike
				}
				last = home
				arrives(rt, d, left, dst)
				follow(d, left, dst, alg.Classes(), leads)
			}
		}
		require.False(rt, circle(leads))
	})
}

// follow adds what a packet for a terminal waits for, with any channel held.
func follow(d *routing.Detour, left topology.Topology, dst, own int, leads map[hold]map[hold]bool) {
	for r := range left.Routers() {
		for p := range left.Ports(r) {
			to, _, ok := left.Peer(r, p)
			if !ok {
				continue
			}
			for class := range d.Turns() {
				for pref := range left.Ports(to) {
					x := onDetour(dst, class, d.Falls(r, to))
					hop := d.Next(&at{router: to, port: pref}, &x)
					if _, _, ok := left.Peer(to, max(hop.Port, 0)); hop.Port < 0 || !ok {
						continue
					}
					from := hold{r, p, own + class}
					if leads[from] == nil {
						leads[from] = map[hold]bool{}
					}
					leads[from][hold{to, hop.Port, hop.Class}] = true
				}
			}
		}
	}
}

// arrives sends a packet for a terminal from every router, around everything.
func arrives(rt *rapid.T, d *routing.Detour, left topology.Topology, dst int) {
	home, port := left.Home(dst)
	reached := map[int]bool{home: true}
	for todo := []int{home}; len(todo) > 0; todo = todo[1:] {
		for p := range left.Ports(todo[0]) {
			if to, _, ok := left.Peer(todo[0], p); ok && !reached[to] {
				reached[to] = true
				todo = append(todo, to)
			}
		}
	}
	for r := range left.Routers() {
		x := onDetour(dst, 0, false)
		at := &at{router: r, port: -1}
		for hops := 0; ; hops++ {
			require.Less(rt, hops, 2*left.Routers())
			hop := d.Next(at, &x)
			if hop.Port < 0 {
				require.False(rt, reached[r], "router %d to terminal %d", r, dst)
				break
			}
			require.True(rt, reached[r])
			if at.router == home {
				require.Equal(rt, routing.Hop{Port: port, Class: routing.AnyClass}, hop)
				break
			}
			require.Less(rt, hop.Class, d.Classes())
			to, _, ok := left.Peer(at.router, hop.Port)
			require.True(rt, ok, "a channel that is down")
			at.router = to
			x.Hops++
		}
	}
}

// drawSpells draws channels that fail.
func drawSpells(rt *rapid.T, top topology.Topology) []topology.Spell {
	var channels [][2]int
	for r := range top.Routers() {
		for p := range top.Ports(r) {
			if to, _, ok := top.Peer(r, p); ok && to > r {
				channels = append(channels, [2]int{r, p})
			}
		}
	}
	if len(channels) == 0 {
		return nil
	}
	var out []topology.Outage
	for i := range rapid.IntRange(1, 6).Draw(rt, "failures") {
		c := channels[(rapid.IntRange(0, len(channels)-1).Draw(rt, "channel")+i)%len(channels)]
		x := topology.Outage{Router: c[0], Port: c[1], At: rapid.Uint64Range(0, 3).Draw(rt, "at")}
		x.Until = x.At + rapid.Uint64Range(1, 3).Draw(rt, "for")
		twice := false
		for _, o := range out {
			twice = twice || o.Router == x.Router && o.Port == x.Port
		}
		if !twice {
			out = append(out, x)
		}
	}
	return topology.Spells(out)
}
