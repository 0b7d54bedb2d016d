package memory

import (
	"fmt"
	"math"
	"slices"

	"github.com/causeway-sim/causeway/components/glob"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Align is the alignment of every placed tensor: a page of 4 KiB.
const Align = 4 << 10

// A Tier is a range of addresses that tensors can be placed in.
type Tier struct {
	Name       string
	Base, Size uint64 // bytes
}

// A Rule places tensors whose name or role (weight, kv_cache, activation, input, output) matches
// Tensor in a tier. In Tensor * is any text and ? any byte.
type Rule struct{ Tensor, Tier string }

// A Placer assigns the tensors of workloads to tiers and addresses. The first rule that matches a
// tensor applies; Default takes the rest.
//
// A tier holds, in this order, weights, key/value caches, inputs and outputs, activations, each
// in the order of graphs and, within a graph, of tensors or operators. The output of a reshape is
// its input. Two activations of a graph share addresses if the last use of one precedes the other
// in every order of operators that the data allow, for any number of cores and with fused
// elementwise operators; each takes the lowest free addresses. No other tensors share addresses,
// and graphs of more than 16,384 operators share none.
type Placer struct {
	Tiers   []Tier
	Default string
	Rules   []Rule
	// In, if not nil, maps a tier's name in a rule to its name in Tiers, by graph.
	In func(graph int, tier string) string
}

// A PlaceError names a tensor or rule that cannot be placed.
type PlaceError struct {
	Rule   int    // index of the rule, -1 for the default
	Tensor string // "" if the rule matches nothing
	Tier   string
	Bytes  uint64 // of the tensor
	Free   uint64 // left in the tier
	Size   uint64 // of the tier
	Need   uint64 // of all tensors of the tier; 0: unknown
	Match  string // the rule's pattern if it matches nothing
}

func (e *PlaceError) Error() string {
	if e.Tensor == "" {
		return fmt.Sprintf("rule %q matches no tensor and is no role", e.Match)
	}
	s := fmt.Sprintf("tensor %s (%s) does not fit into tier %s, which has %s left", e.Tensor, units.Bytes(e.Bytes), e.Tier, units.Bytes(e.Free))
	if e.Need > 0 {
		s += fmt.Sprintf("; its tensors need %s, and it has %s", round(e.Need), round(e.Size))
	}
	return s
}

// round prints large amounts in GiB with one decimal.
func round(n uint64) string {
	if n < 1<<30 || n%(1<<30) == 0 {
		return units.Bytes(n).String()
	}
	return fmt.Sprintf("%.1fGiB", float64(n)/(1<<30))
}

// A Placement is the addresses of tensors.
type Placement struct {
	base [][]uint64 // by graph and tensor
	tier [][]int
	used []uint64
	p    Placer
}

// Base returns the address of a tensor of the n-th graph.
func (p *Placement) Base(n int, t graph.TensorID) uint64 { return p.base[n][t] }

// Tier returns the name of the tier of a tensor of the n-th graph.
func (p *Placement) Tier(n int, t graph.TensorID) string { return p.p.Tiers[p.tier[n][t]].Name }

// Used returns the bytes taken of a tier, with gaps of alignment.
func (p *Placement) Used(tier string) uint64 {
	for i, t := range p.p.Tiers {
		if t.Name == tier {
			return p.used[i]
		}
	}
	return 0
}

// Place returns the addresses of all tensors. The error is a *PlaceError; for a tier that is too
// small it has the size that is needed.
func (p Placer) Place(graphs ...*graph.Graph) (*Placement, error) {
	out, err := p.place(graphs)
	e, ok := err.(*PlaceError)
	if !ok || e.Tensor == "" {
		return out, err
	}
	k := p.index(e.Tier)
	e.Size = p.Tiers[k].Size
	p.Tiers = slices.Clone(p.Tiers)
	for i := range p.Tiers {
		p.Tiers[i].Base, p.Tiers[i].Size = 0, math.MaxInt64 // as large as it takes
	}
	if all, err := p.place(graphs); err == nil {
		e.Need = all.used[k]
	}
	return nil, e
}

func (p Placer) place(graphs []*graph.Graph) (*Placement, error) {
	out := &Placement{p: p, used: make([]uint64, len(p.Tiers))}
	rules, err := p.choose(out, graphs)
	if err != nil {
		return nil, err
	}
	ls := make([]layout, len(graphs))
	for i, g := range graphs {
		ls[i] = newLayout(g)
	}
	for pass := range 3 {
		for i, g := range graphs {
			for j := range g.Tensors {
				if t := &g.Tensors[j]; passOf(t.Role) != pass || !ls[i].own(j) || ls[i].shares(j) {
					continue
				}
				if err := out.put(g, i, j, rules[i][j]); err != nil {
					return nil, err
				}
			}
		}
	}
	for i, g := range graphs {
		if err := out.share(g, i, &ls[i], rules[i]); err != nil {
			return nil, err
		}
		for j, at := range ls[i].same {
			out.base[i][j], out.tier[i][j] = out.base[i][at.In]+uint64(at.Offset), out.tier[i][at.In]
		}
	}
	return out, nil
}

// choose finds the rule and the tier of each tensor; a rule that fits none is an error.
func (p Placer) choose(out *Placement, graphs []*graph.Graph) ([][]int, error) {
	matched := make([]bool, len(p.Rules))
	rules := make([][]int, len(graphs))
	for i, g := range graphs {
		n := len(g.Tensors)
		out.base, out.tier = append(out.base, make([]uint64, n)), append(out.tier, make([]int, n))
		rules[i] = make([]int, n)
		for j := range g.Tensors {
			r := p.rule(&g.Tensors[j])
			rules[i][j] = r
			tier := p.Default
			if r >= 0 {
				matched[r], tier = true, p.Rules[r].Tier
			}
			if p.In != nil {
				tier = p.In(i, tier)
			}
			k := p.index(tier)
			if k < 0 {
				return nil, fmt.Errorf("memory: no tier %q to place tensor %s in", tier, g.Tensors[j].Name)
			}
			out.tier[i][j] = k
		}
	}
	for r, ok := range matched {
		if !ok && !isRole(p.Rules[r].Tensor) && !p.shadowed(r, graphs) {
			return nil, &PlaceError{Rule: r, Match: p.Rules[r].Tensor, Tier: p.Rules[r].Tier}
		}
	}
	return rules, nil
}

// put takes the next addresses of the tensor's tier.
func (p *Placement) put(g *graph.Graph, i, j, rule int) error {
	t := &g.Tensors[j]
	k := p.tier[i][j]
	tier := p.p.Tiers[k]
	start := tier.Base + p.used[k]
	gap := -start & (Align - 1)
	n := uint64(t.Bytes())
	if free := tier.Size - p.used[k]; gap > free || n > free-gap {
		return &PlaceError{Rule: rule, Tensor: t.Name, Tier: tier.Name, Bytes: n, Free: free}
	}
	p.base[i][j] = start + gap
	p.used[k] += gap + n
	return nil
}

// layout is what is known about the tensors of a graph.
type layout struct {
	g        *graph.Graph
	same     []graph.Stored
	lives    []life // nil if nothing shares
	ancestry ancestry
	lasting  []bool // tensors with an alias that is no activation
}

func newLayout(g *graph.Graph) layout {
	l := layout{g: g, same: g.Storage(), lasting: make([]bool, len(g.Tensors))}
	for j, at := range l.same {
		if g.Tensors[j].Role != graph.Activation {
			l.lasting[at.In] = true
		}
	}
	if len(g.Ops) <= maxOps {
		l.lives, l.ancestry = lives(g, l.same), newAncestry(g)
	}
	return l
}

// own reports whether a tensor has memory of its own.
func (l *layout) own(j int) bool { return l.same[j].In == graph.TensorID(j) }

// shares reports whether the memory of a tensor may be used by others before and
// after.
func (l *layout) shares(j int) bool {
	return l.lives != nil && l.lives[j].made >= 0 && !l.lasting[j]
}

// share places the activations of a graph after the tensors placed before.
func (p *Placement) share(g *graph.Graph, i int, l *layout, rules []int) error {
	arenas := make([]arena, len(p.p.Tiers))
	starts := make([]uint64, len(p.p.Tiers))
	for k, t := range p.p.Tiers {
		arenas[k].ancestry = l.ancestry
		starts[k] = (t.Base + p.used[k] + Align - 1) &^ (Align - 1)
	}
	for o := range g.Ops {
		for _, id := range g.Ops[o].Out {
			j := int(id)
			if !l.own(j) || !l.shares(j) {
				continue
			}
			k, n := p.tier[i][j], uint64(g.Tensors[j].Bytes())
			tier := p.p.Tiers[k]
			at := starts[k] + arenas[k].put(n, l.lives[j])
			if end := at - tier.Base; end > tier.Size || n > tier.Size-end {
				return &PlaceError{Rule: rules[j], Tensor: g.Tensors[j].Name, Tier: tier.Name, Bytes: n, Free: tier.Size - min(end, tier.Size)}
			}
			p.base[i][j] = at
			p.used[k] = max(p.used[k], at+n-tier.Base)
		}
	}
	return nil
}

// passOf is the order of roles within a tier.
func passOf(r graph.Role) int {
	switch r {
	case graph.Weight:
		return 0
	case graph.KV:
		return 1
	}
	return 2
}

func (p Placer) index(tier string) int {
	for i, t := range p.Tiers {
		if t.Name == tier {
			return i
		}
	}
	return -1
}

// rule is the first rule that matches t, or -1.
func (p Placer) rule(t *graph.Tensor) int {
	for i, r := range p.Rules {
		if r.matches(t) {
			return i
		}
	}
	return -1
}

func (r Rule) matches(t *graph.Tensor) bool {
	return glob.Match(r.Tensor, t.Name) || glob.Match(r.Tensor, t.Role.String())
}

// shadowed reports whether rule r would match something, were it not for earlier
// rules.
func (p Placer) shadowed(r int, graphs []*graph.Graph) bool {
	for _, g := range graphs {
		for j := range g.Tensors {
			if p.Rules[r].matches(&g.Tensors[j]) {
				return true
			}
		}
	}
	return false
}

func isRole(s string) bool {
	for r := graph.Activation; r <= graph.Output; r++ {
		if r.String() == s {
			return true
		}
	}
	return false
}
