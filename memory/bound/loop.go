package bound

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/synthetic"
)

// A Loop is data that cores read or write in repeated passes.
type Loop struct {
	Name    string
	Unique  float64 // bytes, of all groups of cores
	Passes  float64
	Sharers float64 // cores of a group
	Between float64 // distinct bytes of all loops from a use of a byte to its next use
	Live    float64 // bytes of the loop with a later use, at a time
	Write   bool
}

// Loops returns the loops of a layer. The error is a faulty layer, or a type of layer without a
// closed form.
func Loops(l synthetic.Layer) ([]Loop, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	switch x := l.(type) {
	case *synthetic.Heads:
		return attention(x), nil
	case *synthetic.Product:
		return product(x), nil
	}
	return nil, fmt.Errorf("no closed form for a %T", l)
}

// attention walks over keys and values once per block of queries and query head. Heads of keys
// and values that follow each other are loops without overlap; they count as one loop with a
// multiple of the passes.
func attention(h *synthetic.Heads) []Loop {
	rounds, queries := h.PerCore()
	row := float64(h.Dim) * float64(h.Element)
	groups := float64(h.Cores / h.Sharers)
	blocks := float64((h.Queries + h.Block - 1) / h.Block)
	kv := 2 * float64(h.Context) * row * groups
	q := float64(h.Queries) * row * float64(queries*h.Cores*rounds)
	var loops []Loop
	for i := range rounds {
		loops = append(loops, Loop{
			Name: fmt.Sprintf("kv%d", i), Unique: kv, Passes: blocks * float64(queries), Sharers: float64(h.Sharers),
			Live: kv, Between: kv + 2*float64(min(h.Block, h.Queries))*row*float64(h.Cores),
		})
	}
	return append(loops,
		Loop{Name: "q", Unique: q, Passes: 1, Sharers: 1},
		Loop{Name: "o", Unique: q, Passes: 1, Sharers: 1, Write: true})
}

// product reads a panel of A once per tile of columns, and all of B once per
// panel.
func product(p *synthetic.Product) []Loop {
	e := float64(p.Element)
	m, k, n, cores := float64(p.M), float64(p.K), float64(p.N), float64(p.Cores)
	mt, nt := m/float64(p.TileM), n/float64(p.TileN)
	panel, column, tile := float64(p.TileM)*k*e, float64(p.TileN)*k*e, float64(p.TileM)*float64(p.TileN)*e
	out := Loop{Name: "c", Unique: m * n * e, Passes: 1, Sharers: 1, Write: true}
	if p.Split == "row" {
		a := Loop{Name: "a", Unique: m * k * e, Passes: nt, Sharers: 1, Live: cores * panel, Between: cores*(panel+tile) + column}
		b := Loop{Name: "b", Unique: k * n * e, Passes: mt / cores, Sharers: cores, Live: k * n * e, Between: k*n*e + cores*(panel+float64(p.TileM)*n*e)}
		return []Loop{a, b, out}
	}
	a := Loop{Name: "a", Unique: m * k * e, Passes: nt / cores, Sharers: cores, Live: panel, Between: panel + cores*(column+tile)}
	b := Loop{Name: "b", Unique: k * n * e, Passes: mt, Sharers: 1, Live: k * n * e, Between: k*n*e + panel + float64(p.TileM)*n*e}
	return []Loop{a, b, out}
}

// A Rule is a replacement rule.
type Rule int

// The rules.
const (
	LRU  Rule = iota // keeps the lines used last
	Best             // OPT with bypass on loops
)

// Traffic is the bytes that a layer moves.
type Traffic struct {
	Cache     float64 // bytes that cores request of the cache
	Memory    float64 // bytes that the cache requests of memory
	Protected float64 // bytes that hit in loops that do not fit, by Best
}

// Move returns the traffic of loops through a cache of capacity bytes.
func Move(loops []Loop, capacity float64, rule Rule) Traffic {
	var t Traffic
	loops = slices.Clone(loops)
	slices.SortStableFunc(loops, func(a, b Loop) int { return cmp.Compare(a.Between, b.Between) })
	left := capacity
	for _, l := range loops {
		t.Cache += l.Unique * l.Passes * l.Sharers
		switch {
		case l.Passes == 1:
			t.Memory += l.Unique
		case l.Between <= capacity:
			t.Memory += l.Unique
			left -= l.Live
		case rule == LRU:
			t.Memory += l.Unique * l.Passes
		default:
			keep := max(0, min(left, l.Live))
			left -= keep
			t.Memory += l.Unique*l.Passes - keep*(l.Passes-1)
			t.Protected += keep * (l.Passes - 1)
		}
	}
	return t
}
