package chain

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// draw makes a log of spans that nest and overlap in every way, with causes of all kinds.
func draw(r *rand.Rand) *Log {
	l := &Log{
		Nodes:  []string{"A", "B", "C"},
		Kinds:  []Kind{{Own: "works"}, {Own: "queues", Queue: true}, {Own: "travels", Sent: true}, {Hidden: true}, {Own: "sits", Seated: true}},
		Causes: map[int32][]Cause{},
		Shares: map[int32]map[string][]Share{},
	}
	for i := range int32(3 + r.IntN(25)) {
		s := Span{Begin: int64(r.IntN(40)), Parent: None, Node: int32(r.IntN(3)), Kind: int32(r.IntN(5)), What: fmt.Sprint("s", i)}
		s.End = s.Begin + int64(r.IntN(30))
		if i == 0 {
			s.Kind = int32(r.IntN(2) * 4)
		}
		if i > 0 && r.IntN(3) > 0 {
			s.Parent = int32(r.IntN(int(i)))
		}
		l.Spans = append(l.Spans, s)
		for range r.IntN(3) {
			c := Cause{From: int64(r.IntN(60)), What: fmt.Sprint("c", r.IntN(3)), By: int32(r.IntN(int(i)+1)) - 1}
			c.To = c.From + int64(r.IntN(20))
			if r.IntN(6) == 0 {
				c.LikeFrom = int64(r.IntN(40))
				c.LikeTo = c.LikeFrom + int64(r.IntN(20))
			}
			l.Causes[i] = append(l.Causes[i], c)
		}
		for k := range r.IntN(3) {
			for _, what := range []string{"works", "c1"} {
				if l.Shares[i] == nil {
					l.Shares[i] = map[string][]Share{}
				}
				l.Shares[i][what] = append(l.Shares[i][what], Share{What: fmt.Sprint("w", k), Weight: float64(r.IntN(3))})
			}
		}
	}
	l.Index()
	return l
}

// covers demands that parts are disjoint, in order, and cover an interval, on every level.
func covers(t require.TestingT, parts []Part, from, to int64) {
	at := from
	for i := range parts {
		p := &parts[i]
		if p.Spread {
			continue
		}
		require.Equal(t, at, p.Begin, "%+v", parts)
		require.Greater(t, p.End, p.Begin)
		require.Equal(t, p.End-p.Begin, p.Time)
		at = p.End
		if len(p.Parts) > 0 && !p.Parts[0].Spread {
			covers(t, p.Parts, p.Begin, p.End)
		}
	}
	require.Equal(t, to, at, "%+v", parts)
}

// The parts of any interval of any span are disjoint, cover it, and sum to its length, also
// once those of the same name are merged; the second implementation says the same of every
// instant.
func TestPartsSum(t *testing.T) {
	nested := 0
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 1))
		l := draw(r)
		from := int64(r.IntN(30))
		to := from + 1 + int64(r.IntN(30))
		p := l.Explain(0, from, to)
		covers(t, p.Parts, from, to)
		require.True(t, p.Sums(), seed)
		for x := from; x < to; x++ {
			got := path(p.Parts, x)
			require.Equal(t, twin(l, nil, 0, from, to, x), got, "seed %d at %d", seed, x)
			if len(got) > 2 {
				nested++
			}
		}
		m := Part{Time: p.Time, Parts: Merge(p.Parts)}
		require.True(t, m.Sums(), seed)
		m.Parts = Shorten(Alike(m.Parts, 2))
		require.True(t, m.Sums(), seed)
	}
	require.Greater(t, nested, 600, "chains are seldom deep")
}

// path is the texts of the parts at an instant, from the outside in.
func path(parts []Part, x int64) (out []string) {
	for _, p := range parts {
		if !p.Spread && p.Begin <= x && x < p.End {
			return append([]string{p.Where + " " + p.What}, path(p.Parts, x)...)
		}
	}
	return nil
}

// twin says what an instant x of the interval of a span went to, by searching all spans.
func twin(l *Log, under []int32, i int32, from, to, x int64) []string {
	for _, u := range under {
		if u == i {
			return nil
		}
	}
	under = append(append([]int32{}, under...), i)
	here := l.Nodes[l.Spans[i].Node] + " "
	owner := make([]int, to-from)
	for k := range owner {
		owner[k] = -1
		for n, c := range l.Causes[i] {
			if at := from + int64(k); c.From <= at && at < c.To && owner[k] < 0 {
				owner[k] = n
			}
		}
	}
	a, b, n := x, x, owner[x-from]
	for a > from && owner[a-1-from] == n {
		a--
	}
	for b < to && owner[b-from] == n {
		b++
	}
	if n >= 0 {
		c := l.Causes[i][n]
		if c.LikeFrom < c.LikeTo { // its parts have no places
			return []string{here + c.What}
		}
		return append([]string{here + c.What}, twinFollow(l, under, i, c.By, a, b, x)...)
	}
	return twinBetween(l, under, i, a, b, x)
}

func twinFollow(l *Log, under []int32, i, by int32, from, to, x int64) []string {
	for _, u := range under {
		if u == by {
			return nil
		}
	}
	if by == None {
		return nil
	}
	here, what := l.Nodes[l.Spans[i].Node]+" ", After
	for at := to; ; {
		if by == None {
			return []string{here + what}
		}
		s := l.Spans[by]
		a, b := max(s.Begin, from), min(s.End, at)
		switch {
		case a >= b, b <= x && x < at && what != After:
			return []string{here + what}
		case b <= x && x < at:
			got := twinBetween(l, append(under, by), by, b, at, x)
			if own := l.Nodes[s.Node] + " " + l.Kinds[s.Kind].Own; len(got) == 1 && got[0] == own {
				return []string{here + what}
			}
			return got
		case a <= x && x < b:
			return append([]string{l.Nodes[s.Node] + " " + s.What}, twin(l, under, by, a, b, x)...)
		}
		if p := l.visible(s.Parent); l.Kinds[s.Kind].Sent && p != None && p != i && a > from {
			for _, u := range under {
				if u == p {
					return []string{here + Before}
				}
			}
			return twin(l, under, p, from, a, x)
		}
		best := int32(None)
		for k := range l.Spans {
			o := l.Spans[k]
			if l.Kinds[s.Kind].Queue && int32(k) != by && o.Node == s.Node && o.Kind == s.Kind && o.End <= a && better(l, int32(k), best) {
				best = int32(k)
			}
		}
		at, by, what = a, best, Before
	}
}

// better reports whether a span is the one to look at of two.
func better(l *Log, a, b int32) bool {
	if b == None {
		return true
	}
	x, y := l.Spans[a], l.Spans[b]
	return cmp.Or(cmp.Compare(x.End, y.End), cmp.Compare(y.Begin, x.Begin), cmp.Compare(b, a)) > 0
}

func twinBetween(l *Log, under []int32, i int32, from, to, x int64) []string {
	at, next := to, int32(None)
	child := func(k int) bool {
		p := l.Spans[k].Parent
		for p != None && l.Kinds[l.Spans[p].Kind].Hidden {
			p = l.Spans[p].Parent
		}
		return p == i && !l.Kinds[l.Spans[k].Kind].Hidden
	}
	for at > from {
		best := int32(None)
		if at == to && to < l.Spans[i].End {
			for k := range l.Spans {
				if s := l.Spans[k]; child(k) && s.Begin < to && s.End > to && (best == None || better(l, best, int32(k))) {
					best = int32(k)
				}
			}
		}
		for k := range l.Spans {
			s := l.Spans[k]
			if (best == None || l.Spans[best].End <= at) && child(k) && s.End <= at && s.End > from && s.Begin < s.End && better(l, int32(k), best) {
				best = int32(k)
			}
		}
		if best == None {
			break
		}
		s := l.Spans[best]
		a, b := max(s.Begin, from), min(s.End, at)
		if a <= x && x < b {
			return append([]string{l.Nodes[s.Node] + " " + s.What}, twin(l, under, best, a, b, x)...)
		}
		if b <= x {
			return twinAlone(l, i, next, b, x, child)
		}
		at, next = a, best
	}
	return twinAlone(l, i, next, from, x, child)
}

// twinAlone says what the time of a span itself went to: another's use of the node that the
// next child needs, of those who used it since `from` the one that left first.
func twinAlone(l *Log, i, next int32, from, x int64, child func(int) bool) []string {
	own := l.Nodes[l.Spans[i].Node] + " " + l.Kinds[l.Spans[i].Kind].Own
	if !l.Kinds[l.Spans[i].Kind].Seated || next == None {
		return []string{own}
	}
	first := int32(None)
	for k, s := range l.Spans {
		n := l.Spans[next]
		mine := l.visible(s.Parent) == i
		if int32(k) != next && !mine && s.Node == n.Node && s.Kind == n.Kind && s.End > from && s.Begin <= x && x < s.End && (first == None || better(l, first, int32(k))) {
			first = int32(k)
		}
	}
	if first == None {
		return []string{own}
	}
	where := l.Nodes[l.Spans[first].Node] + " "
	if p := l.visible(l.Spans[first].Parent); p != None {
		return []string{where + Busy + l.Spans[p].What, where + l.Spans[first].What}
	}
	return []string{where + Busy + l.Spans[first].What}
}

// A share of a time is rounded so that shares sum to it.
func TestDivide(t *testing.T) {
	got := divide("A", 0, 10, 10, []Share{{What: "x", Weight: 1, Parts: []Share{{What: "y", Weight: 1}, {What: "z", Weight: 1}}}, {What: "u", Weight: 1}, {What: "v", Weight: 1}, {What: "none"}})
	p := Part{Time: 10, Parts: got}
	require.True(t, p.Sums())
	require.Len(t, got, 3)
	require.EqualValues(t, 4, got[0].Time)
	require.Len(t, got[0].Parts, 2)
	require.Nil(t, divide("A", 0, 10, 10, []Share{{What: "x"}}))
}

// Parts that differ in numbers become one where there are many, and a part that is all of
// another gives way to its own parts.
func TestAlikeAndShorten(t *testing.T) {
	leaf := func(what string, time int64) Part {
		return Part{Where: "A", What: what, End: time, Time: time, Count: 1}
	}
	parts := []Part{leaf("L0.q", 1), leaf("L1.q", 2), leaf("L0.k", 3), leaf("head", 4)}
	parts[0].Parts = []Part{{Where: "A", What: "burst", named: true, End: 1, Time: 1, Count: 1, Parts: []Part{{Where: "B", What: "read", Time: 1}}}}
	parts[1].Parts = []Part{{Where: "A", What: "itself", own: true, Time: 2}}
	parts[2].Parts = []Part{{Where: "A", What: "waits", Time: 3}}
	got := Shorten(Alike(slices.Clone(parts), 2))
	require.Len(t, got, 3)
	require.Equal(t, "L*.q", got[0].What)
	require.EqualValues(t, 3, got[0].Time)
	require.Equal(t, 2, got[0].Count)
	require.Equal(t, []string{"L0.k", "head"}, []string{got[1].What, got[2].What})
	require.Len(t, Alike(slices.Clone(parts), 4), 4)
	short := Shorten(slices.Clone(parts))
	require.Equal(t, "read", short[0].Parts[0].What)
	require.Empty(t, short[1].Parts)
	require.Equal(t, "waits", short[2].Parts[0].What)
}

// What was not simulated has the parts of what it is like, in proportion.
func TestLike(t *testing.T) {
	l := &Log{
		Nodes:  []string{"Serve", "Core"},
		Kinds:  []Kind{{Own: "between"}, {Own: "computes"}},
		Spans:  []Span{{0, 1000, None, 0, 0, "step"}, {0, 30, 0, 1, 1, "L0.q"}, {30, 100, 0, 1, 1, "L0.k"}},
		Causes: map[int32][]Cause{0: {{100, 1000, "like those before", 0, 0, 100}}},
	}
	l.Index()
	p := l.Explain(0, 0, 1000)
	require.True(t, p.Sums())
	require.Len(t, p.Parts, 3)
	like := p.Parts[2].Parts
	require.Len(t, like, 2)
	require.EqualValues(t, 270, like[0].Time)
	require.Equal(t, "L0.k", like[1].What)
	require.EqualValues(t, 630, like[1].Time)
	require.True(t, like[1].Spread)
}

// What waits for a resource that others use one after the other names each of them.
func TestChainOfAQueue(t *testing.T) {
	l := &Log{
		Nodes: []string{"Core", "Mem"},
		Kinds: []Kind{{Own: "computes"}, {Own: "on the link", Queue: true}, {Own: "in the memory"}},
		Spans: []Span{
			{0, 100, None, 0, 0, "conv1"},
			{10, 40, 0, 0, 1, "load 1"},
			{40, 80, 0, 0, 1, "load 2"},
			{45, 75, 2, 1, 2, "read"},
		},
		Causes: map[int32][]Cause{0: {{From: 20, To: 82, What: "waits for data", By: 2}}},
	}
	l.Index()
	p := l.Explain(0, 0, 100)
	require.Equal(t, []string{"Core waits for data", "Mem read", "Mem in the memory"}[:1], path(p.Parts, 81)[:1])
	require.Equal(t, []string{"Core waits for data", "Core load 1", "Core on the link"}, path(p.Parts, 30))
	require.Equal(t, []string{"Core waits for data", "Core load 2", "Core on the link"}, path(p.Parts, 42))
	require.Equal(t, []string{"Core waits for data", "Core load 2", "Mem read", "Mem in the memory"}, path(p.Parts, 50))
	require.Equal(t, []string{"Core waits for data", "Core " + After}, path(p.Parts, 81))
	require.Equal(t, []string{"Core computes"}, path(p.Parts, 90))
}
