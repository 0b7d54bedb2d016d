package traffic

import (
	"fmt"
	"math/rand/v2"

	"github.com/causeway-sim/causeway/noc/topology"
)

const booktext = "Dally and Towles, Principles and Practices of Interconnection Networks, 2004, section 3.2"

func init() {
	add("uniform", "Any terminal, the source included, equally often.", booktext,
		func(a Args) (Pattern, error) { return uniform{a.Topology.Terminals()}, nil })
	add("uniform_other", "Any terminal but the source, equally often; what FOGSim calls UN.", booktext,
		func(a Args) (Pattern, error) {
			if a.Topology.Terminals() < 2 {
				return nil, fmt.Errorf("there is no other terminal")
			}
			return other{a.Topology.Terminals()}, nil
		})
	add("uniform_remote", "Any terminal of another router, equally often.", booktext,
		func(a Args) (Pattern, error) {
			u := &remote{n: a.Topology.Terminals()}
			for t := range u.n {
				r, _ := a.Topology.Home(t)
				if t == 0 || r != u.home[t-1] {
					u.first = append(u.first, t)
				} else {
					u.first = append(u.first, u.first[t-1])
				}
				u.home = append(u.home, r)
			}
			u.count = make([]int, u.n)
			for t := u.n - 1; t >= 0; t-- {
				u.count[u.first[t]]++
			}
			if u.count[0] == u.n {
				return nil, fmt.Errorf("there is no other router with terminals")
			}
			return u, nil
		})
	add("randperm", "A permutation of the terminals, drawn once by the seed.", "BookSim 2.0, traffic.cpp (randperm)",
		func(a Args) (Pattern, error) {
			return table(rand.New(rand.NewPCG(a.Seed, 0x72616e647065726d)).Perm(a.Topology.Terminals())), nil
		})
	adv := func(name, doc, source string, f func(d topology.Dragonfly, i int) (Pattern, error)) {
		add(name, doc, source, func(a Args) (Pattern, error) {
			d, ok := topology.Intact(a.Topology).(topology.Dragonfly)
			if !ok {
				return nil, fmt.Errorf("goes with dragonfly only")
			}
			return f(d, a.I)
		})
	}
	garcia := "García et al., ICPP 2012, section V"
	add("adv+i", "A random terminal of the group i further on.", garcia, func(a Args) (Pattern, error) {
		t, ok := topology.Intact(a.Topology).(topology.Grouped)
		if !ok {
			return nil, fmt.Errorf("goes with dragonfly and dragonfly_plus only")
		}
		if err := further("group", a.I, t.Groups()); err != nil {
			return nil, err
		}
		return &adversary{a.Topology.Terminals() / t.Groups(), t.Groups(), a.I, 1}, nil
	})
	adv("advc", "A random terminal of the next h groups, whose channels one router owns in the palm-tree and relative arrangements.",
		"Fuentes et al., CLUSTER 2015", func(d topology.Dragonfly, _ int) (Pattern, error) {
			if d.H() < 1 || d.H() >= d.Groups() {
				return nil, fmt.Errorf("wants 1 to g-1 global ports per router, h is %d and g %d", d.H(), d.Groups())
			}
			return &adversary{d.P() * d.A(), d.Groups(), 1, d.H()}, nil
		})
	adv("adv_local+i", "A random terminal of the router i further on in the own group.", garcia, func(d topology.Dragonfly, i int) (Pattern, error) {
		if err := further("router", i, d.A()); err != nil {
			return nil, err
		}
		return &neighbours{d.P(), d.A(), i}, nil
	})
}

// further refuses a way from one of n things to itself, or around to one that a smaller
// number names.
func further(thing string, i, n int) error {
	if i >= 1 && i < n {
		return nil
	}
	if n < 2 {
		return fmt.Errorf("there is one %s and no other", thing)
	}
	return fmt.Errorf("of %d %ss none is another one that is %d further on (want 1 to %d)", n, thing, i, n-1)
}

type uniform struct{ n int }

func (u uniform) Dst(_ int, rng *rand.Rand) int { return rng.IntN(u.n) }

type other struct{ n int }

func (u other) Dst(src int, rng *rand.Rand) int {
	d := rng.IntN(u.n - 1)
	if d >= src {
		d++
	}
	return d
}

// remote leaves out the terminals of the source's router, which are consecutive.
type remote struct {
	n     int
	home  []int
	first []int // of the terminals of its router
	count []int // of the router whose first terminal it is
}

func (u *remote) Dst(src int, rng *rand.Rand) int {
	first := u.first[src]
	d := rng.IntN(u.n - u.count[first])
	if d >= first {
		d += u.count[first]
	}
	return d
}

// table is a permutation, or Silent.
type table []int

func (t table) Dst(src int, _ *rand.Rand) int { return t[src] }

// adversary sends to one of span groups that follow from the group offset on.
type adversary struct{ size, groups, offset, span int }

func (a *adversary) Dst(src int, rng *rand.Rand) int {
	g := src/a.size + a.offset
	if a.span > 1 {
		g += rng.IntN(a.span)
	}
	return g%a.groups*a.size + rng.IntN(a.size)
}

// neighbours sends to another router of the own group.
type neighbours struct{ p, a, offset int }

func (n *neighbours) Dst(src int, rng *rand.Rand) int {
	r := src / n.p
	g, x := r/n.a, r%n.a
	return (g*n.a+(x+n.offset)%n.a)*n.p + rng.IntN(n.p)
}
