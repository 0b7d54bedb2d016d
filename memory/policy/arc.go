package policy

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "arc",
		Doc:    "Two LRU lists, of lines used once and of lines used again, whose shares follow what was missed soon after it left.",
		Source: "Megiddo and Modha, ARC: a self-tuning, low overhead replacement cache, FAST 2003, figure 4",
		New: plain(func(g Geometry) Policy {
			return &arc{
				ways: g.Ways, list: [2]Recency{NewRecency(g), NewRecency(g)},
				size: [2][]int{make([]int, g.Sets), make([]int, g.Sets)},
				left: [2]ghost{newGhost(g.Sets, g.Ways), newGhost(g.Sets, 2*g.Ways)},
				p:    make([]float64, g.Sets), way: make([]arcWay, g.Sets*g.Ways), back: newRecall(g.Sets),
			}
		}),
	})
}

// arc has the four lists of the paper per set, with c the ways; the paper's cache is one set. The
// ghost lists hold at most c and 2c lines, and all lists together 2c.
type arc struct {
	ways int
	list [2]Recency // T1 and T2, the line used last first
	size [2][]int   // of them, per set
	left [2]ghost   // B1 and B2
	p    []float64  // target size of T1, per set
	way  []arcWay   // [set*ways+way]
	back recall
}

type arcWay struct {
	line uint64
	in   uint8 // 0 is T1
}

const once, again = 0, 1

func (p *arc) at(set, way int) *arcWay { return &p.way[set*p.ways+way] }

func (p *arc) enter(set, way int, in uint8) {
	p.at(set, way).in = in
	p.list[in].PushFirst(set, way)
	p.size[in][set]++
}

func (p *arc) Evict(set, way int) {
	in := p.at(set, way).in
	p.list[in].Remove(set, way)
	p.size[in][set]--
}

// Hit is case I.
func (p *arc) Hit(set, way int, _ Access) {
	p.Evict(set, way)
	p.enter(set, way, again)
}

// Victim is the part of cases II to IV before the fetch, for a full set.
func (p *arc) Victim(set int, a Access) int {
	was, inB2 := p.recall(set, a.Line)
	p.back.note(set, a.Line, was)
	if !was && p.trim(set) {
		return p.list[once].Last(set) // T1 is the whole cache: its last is not remembered
	}
	in := again
	t1 := float64(p.size[once][set])
	if p.size[again][set] == 0 || t1 > 0 && (t1 > p.p[set] || inB2 && t1 == p.p[set]) {
		in = once
	}
	way := p.list[in].Last(set)
	p.left[in].push(set, p.at(set, way).line)
	return way
}

// recall looks for a line among those that left, takes it out, and moves the target
// (cases II and III).
func (p *arc) recall(set int, line uint64) (was, inB2 bool) {
	b1, b2 := float64(p.left[once].held[set]), float64(p.left[again].held[set])
	switch {
	case p.left[once].take(set, line):
		p.p[set] = min(p.p[set]+max(1, b2/b1), float64(p.ways))
		return true, false
	case p.left[again].take(set, line):
		p.p[set] = max(p.p[set]-max(1, b1/b2), 0)
		return true, true
	}
	return false, false
}

// trim makes room for a line that is in no ghost list (case IV). It reports whether T1 is the
// whole cache.
func (p *arc) trim(set int) (whole bool) {
	b1, b2 := &p.left[once], &p.left[again]
	t1, t2 := p.size[once][set], p.size[again][set]
	switch {
	case t1+int(b1.held[set]) >= p.ways:
		if b1.held[set] == 0 {
			return true
		}
		b1.forget(set)
	case t1+t2+int(b1.held[set]+b2.held[set]) >= 2*p.ways && b2.held[set] > 0:
		b2.forget(set)
	}
	return false
}

// Fill without a Victim is that of a set that is not full, where no line has to leave.
func (p *arc) Fill(set, way int, a Access) {
	p.at(set, way).line = a.Line
	asked, was := p.back.known(set, a.Line)
	if !asked {
		if was, _ = p.recall(set, a.Line); !was {
			p.trim(set)
		}
	}
	if was {
		p.enter(set, way, again)
	} else {
		p.enter(set, way, once)
	}
}
