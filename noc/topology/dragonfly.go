package topology

import (
	"fmt"
	"slices"
	"strings"
)

// An Arrangement maps the global channels of a group to other groups.
type Arrangement string

// The arrangements. Number the global channels of group G, router by router,
// with i = 0 .. g-2 (a second round of parallel channels starts at 0 again).
const (
	Absolute Arrangement = "absolute"  // i goes to group i, its own left out
	Palmtree Arrangement = "palm_tree" // i goes to group G-1-i modulo g
	Relative Arrangement = "relative"  // i goes to group G+1+i modulo g
	Random   Arrangement = "random"    // the other groups in random order, by a seed
	FromFile Arrangement = "file"      // by a file
)

// DragonflySpec describes a dragonfly.
type DragonflySpec struct {
	P           int         `yaml:"p" doc:"Terminals per router"`
	A           int         `yaml:"a" doc:"Routers per group"`
	H           int         `yaml:"h" doc:"Global ports per router; 0 is a single group"`
	G           int         `yaml:"g" doc:"Groups; 0 is a*h+1, the most that one channel per pair can join"`
	Links       int         `yaml:"links" doc:"Parallel global channels per pair of groups; 0 is as many as the ports allow"`
	Arrangement Arrangement `yaml:"arrangement" doc:"Which group each global channel leads to: absolute, palm_tree, relative, random or file"`
	Seed        uint64      `yaml:"seed" doc:"Of arrangement random"`
	File        string      `yaml:"file" doc:"Of arrangement file: a line per group, the groups that its channels lead to, router by router"`
}

func init() {
	add("dragonfly", "Groups of fully connected routers, joined pairwise by global channels.",
		"Kim, Dally, Scott, Abts, ISCA 2008, section 3", DragonflySpec{P: 2, A: 4, H: 2, Arrangement: Absolute},
		func(s DragonflySpec) (Topology, error) { return NewDragonfly(s) })
}

// A Dragonfly has g groups of a routers with p terminals and h global ports each.
type Dragonfly struct {
	p, a, h, g, m int
	arr           Arrangement
	deal          *channelRoles // of random and file
}

// NewDragonfly checks the spec and returns the dragonfly.
func NewDragonfly(s DragonflySpec) (Dragonfly, error) {
	b := bounds{what: "dragonfly"}
	b.check("p", s.P, 1, 1<<12)
	b.check("a", s.A, 1, 1<<12)
	b.check("h", s.H, 0, 1<<12)
	if err := b.err(); err != nil {
		return Dragonfly{}, err
	}
	channels := s.A * s.H
	d := Dragonfly{p: s.P, a: s.A, h: s.H, g: s.G, m: s.Links, arr: s.Arrangement}
	if d.g == 0 {
		d.g = channels + 1
	}
	if d.arr == "" {
		d.arr = Absolute
	}
	if all := []Arrangement{Absolute, Palmtree, Relative, Random, FromFile}; !slices.Contains(all, d.arr) {
		b.errorf("arrangement %q (want one of: %s)", d.arr, strings.Trim(fmt.Sprint(all), "[]"))
	}
	b.check("g", d.g, 1, channels+1)
	b.check("links", d.m, 0, max(channels, 1))
	if len(b.bad) == 0 && d.g > 1 {
		if d.m == 0 {
			d.m = channels / (d.g - 1)
		}
		if need := d.m * (d.g - 1); need > channels {
			b.errorf("links %d: %d groups need %d global ports each, a*h is %d", d.m, d.g, need, channels)
		}
	}
	if len(b.bad) == 0 {
		b.product("ports", d.a, d.g, d.p+d.a-1+d.h)
	}
	if s.File != "" && d.arr != FromFile {
		b.errorf("file %q (goes with arrangement file)", s.File)
	}
	if s.File == "" && d.arr == FromFile {
		b.errorf("arrangement file lacks its file")
	}
	if s.Seed != 0 && d.arr != Random {
		b.errorf("seed is %d (goes with arrangement random)", s.Seed)
	}
	if err := b.err(); err != nil {
		return d, err
	}
	switch d.arr {
	case Random:
		d.deal = randomDeal(d, s.Seed)
	case FromFile:
		var err error
		if d.deal, err = readDeal(d, s.File); err != nil {
			return d, fmt.Errorf("topology dragonfly: %w", err)
		}
	}
	return d, nil
}

// P returns the terminals per router.
func (d Dragonfly) P() int { return d.p }

// A returns the routers per group.
func (d Dragonfly) A() int { return d.a }

// H returns the global ports per router.
func (d Dragonfly) H() int { return d.h }

// Groups is the number of groups.
func (d Dragonfly) Groups() int { return d.g }

// Links returns the parallel channels between two groups.
func (d Dragonfly) Links() int { return d.m }

// Group is the group of a router.
func (d Dragonfly) Group(router int) int { return router / d.a }

// Routers implements Topology.
func (d Dragonfly) Routers() int { return d.a * d.g }

// Terminals implements Topology.
func (d Dragonfly) Terminals() int { return d.p * d.a * d.g }

// Ports implements Topology.
func (d Dragonfly) Ports(int) int { return d.p + d.a - 1 + d.h }

// Home implements Topology.
func (d Dragonfly) Home(t int) (router, port int) { return t / d.p, t % d.p }

// Class implements Topology.
func (d Dragonfly) Class(router, port int) Class {
	switch {
	case port < d.p:
		return Terminal
	case port < d.p+d.a-1:
		return Local
	case d.channel(router, port) < d.m*(d.g-1):
		return Global
	}
	return Unused
}

// channel numbers a global port within its group.
func (d Dragonfly) channel(router, port int) int { return router%d.a*d.h + port - d.p - d.a + 1 }

// Peer implements Topology. The local ports of a router lead to the others of
// its group in order.
func (d Dragonfly) Peer(router, port int) (r, p int, ok bool) {
	switch d.Class(router, port) {
	case Local:
		grp, x := router/d.a, router%d.a
		y := skip(port-d.p, x)
		return grp*d.a + y, d.p + slot(x, y), true
	case Global:
		c := d.channel(router, port)
		from := router / d.a
		if d.deal != nil {
			c = int(d.deal.role[from*d.m*(d.g-1)+c])
		}
		k, i := c/(d.g-1), c%(d.g-1)
		to := d.target(from, i)
		r, p = d.Exit(to, from, k)
		return r, p, true
	}
	return 0, 0, false
}

// target is the group that the i-th channel of a round goes to.
func (d Dragonfly) target(from, i int) int {
	switch d.arr {
	case Palmtree:
		return (from - 1 - i + d.g) % d.g
	case Relative:
		return (from + 1 + i) % d.g
	}
	return skip(i, from)
}

// Exit returns the router and port of the k-th of Links channels from group from to group to.
func (d Dragonfly) Exit(from, to, k int) (router, port int) {
	var i int
	switch d.arr {
	case Palmtree:
		i = (from - 1 - to + d.g) % d.g
	case Relative:
		i = (to - 1 - from + d.g) % d.g
	default:
		i = slot(to, from)
	}
	c := k*(d.g-1) + i
	if d.deal != nil {
		c = int(d.deal.place[from*d.m*(d.g-1)+c])
	}
	return from*d.a + c/d.h, d.p + d.a - 1 + c%d.h
}

// LocalPort returns the port by which a router faces another of its group.
func (d Dragonfly) LocalPort(router, other int) int {
	return d.p + slot(other%d.a, router%d.a)
}
