package dco

// guard bounds what dco can lose to LRU. For every set it keeps the lines that
// a cache under LRU would hold, and counts
//
//	won      hits of the cache less those of LRU
//	exposed  lines that LRU holds and the cache does not
//
// Every hit that LRU can ever win is one on an exposed line. A choice that exposes
// no line more is always open, since after each access LRU holds the line of that
// access, and so at most all ways but one hold others of its lines; and with such
// choices won less exposed never falls: a hit that only LRU has brings back an
// exposed line. Thus as long as choices that expose a line are made only while
//
//	exposed - won <= allowance
//
// holds behind them, the cache never has fewer hits than LRU less the allowance, for any trace.
type guard struct {
	ways    int
	last    []uint32  // [set*ways+way] last use of a line that LRU holds too, else unheld
	out     []outLine // [set*ways+k] lines that LRU holds and the cache does not
	outs    []uint16  // [set] of them
	marks   []uint8   // [set*ways+k] a hash of each, of sets of few ways
	held    []uint16  // [set] lines that LRU holds
	earned  int64     // allowance + won, in 1/guardUnit lines, at most most
	slack   int64     // allowance + won - exposed, in 1/guardUnit lines, but for what trust adds
	most    int64     // of slack: what was won long ago is not risked
	n       int64     // accesses
	wide    *wide     // of sets of many ways
	missing int32     // index in out of the line being missed, noLine
}

// outLine is a line that LRU holds and the cache does not.
type outLine struct {
	tag  uint64 // line plus 1
	last uint32
}

// guardUnit/guardPace accesses earn the right to expose one line.
const (
	guardUnit = 1024
	guardPace = 2
)

const (
	noLine = -1
	unheld = ^uint32(0)
)

func newGuard(sets, ways int, many bool) guard {
	last := make([]uint32, sets*ways)
	for i := range last {
		last[i] = unheld
	}
	g := guard{
		ways: ways, last: last, out: make([]outLine, sets*ways), outs: make([]uint16, sets), held: make([]uint16, sets),
		most: 8 * int64(sets) * int64(ways) * guardUnit, missing: noLine,
	}
	if many {
		g.wide = newWide(sets, ways)
	} else {
		g.marks = make([]uint8, sets*ways)
	}
	return g
}

// win changes won or the allowance by n/guardUnit lines.
func (g *guard) win(n int64) {
	g.earned += n
	g.slack += n
	if over := g.earned - g.most; over > 0 {
		g.earned -= over
		g.slack -= over
	}
}

// cover changes exposed by -n lines.
func (g *guard) cover(n int64) { g.slack += n * guardUnit }

// hit notes a hit of the cache in line i of a set.
func (g *guard) hit(set, i int, now uint32) {
	g.win(guardPace)
	g.n++
	if g.last[i] == unheld { // a miss of LRU
		g.win(guardUnit)
		g.admit(set)
		if g.wide != nil {
			g.wide.hold(set, i-set*g.ways)
		}
	} else if g.wide != nil {
		g.wide.order.Touch(set, i-set*g.ways)
	}
	g.last[i] = now
}

// miss notes that the cache does not hold a line, which LRU now does.
func (g *guard) miss(set int, line uint64) {
	g.win(guardPace)
	g.n++
	if g.missing = g.find(set, line+1); g.missing != noLine {
		g.win(-guardUnit)
		return
	}
	g.admit(set)
}

// find returns the index in out of a line of a set, or noLine.
func (g *guard) find(set int, tag uint64) int32 {
	if g.wide != nil {
		return g.wide.find(g.out, tag)
	}
	base, mark := set*g.ways, markOf(tag)
	for k, m := range g.marks[base:][:g.outs[set]] {
		if m == mark && g.out[base+k].tag == tag {
			return int32(base + k)
		}
	}
	return noLine
}

// markOf is the top byte of Fibonacci hashing.
func markOf(tag uint64) uint8 { return uint8(tag * 0x9e3779b97f4a7c15 >> 56) }

// admit makes room for one line more in LRU's set.
func (g *guard) admit(set int) {
	if int(g.held[set]) < g.ways {
		g.held[set]++
		return
	}
	if g.wide != nil {
		g.wide.admit(g, set)
		return
	}
	base := set * g.ways
	lasts := g.last[base:][:g.ways]
	least, other := uint64(unheld)<<32, uint64(unheld)<<32 // of even and odd ways, which do not wait for each other
	w := 0
	for ; w+1 < len(lasts); w += 2 {
		least = min(least, uint64(lasts[w])<<32|uint64(w))
		other = min(other, uint64(lasts[w+1])<<32|uint64(w+1))
	}
	if w < len(lasts) {
		least = min(least, uint64(lasts[w])<<32|uint64(w))
	}
	least = min(least, other)
	for k, o := range g.out[base:][:g.outs[set]] {
		least = min(least, uint64(o.last)<<32|uint64(g.ways+k))
	}
	if at := int(uint32(least)); at < g.ways {
		g.last[base+at] = unheld
	} else {
		g.remove(set, base+at-g.ways)
	}
}

// remove drops a line that is not exposed any more.
func (g *guard) remove(set, at int) {
	g.cover(1)
	if g.wide != nil {
		g.wide.remove(g, set, at)
		return
	}
	g.outs[set]--
	last := set*g.ways + int(g.outs[set])
	g.out[at], g.marks[at] = g.out[last], g.marks[last]
}

// expose notes a line that LRU holds and the cache does not: the one that was in a
// way, or with way < 0 the last.
func (g *guard) expose(set, way int, tag uint64, last uint32) {
	g.cover(-1)
	if g.wide != nil {
		node := g.wide.expose(g, set, tag)
		if way < 0 {
			g.wide.order.PushFirst(set, node)
			return
		}
		g.wide.order.Replace(set, way, node)
		g.wide.loosen(set, way)
		return
	}
	at := set*g.ways + int(g.outs[set])
	g.out[at], g.marks[at] = outLine{tag, last}, markOf(tag)
	g.outs[set]++
}

// filled notes that the line being missed is in the cache now, as line i.
func (g *guard) filled(set, i int, now uint32) {
	g.last[i] = now
	if g.wide != nil {
		g.wide.hold(set, i-set*g.ways)
	}
	if g.missing != noLine {
		g.remove(set, int(g.missing))
		g.missing = noLine
	}
}

// bypassed notes that it is not.
func (g *guard) bypassed(set int, line uint64, last uint32) {
	if g.missing != noLine {
		g.out[g.missing].last = last
		if g.wide != nil {
			g.wide.order.Touch(set, g.ways+int(g.missing)-set*g.ways)
		}
		g.missing = noLine
		return
	}
	g.expose(set, -1, line+1, last)
}

// evicted notes that line i, which LRU holds too, has left the cache: LRU still has it,
// unless it was invalidated.
func (g *guard) evicted(set, i int, tag uint64, invalid bool) {
	switch {
	case invalid:
		g.held[set]--
		if g.wide != nil {
			g.wide.order.Remove(set, i-set*g.ways)
			g.wide.loosen(set, i-set*g.ways)
		}
	default:
		g.expose(set, i-set*g.ways, tag, g.last[i])
	}
	g.last[i] = unheld
}

// allows reports whether the line being missed may be bypassed, or a line that LRU
// holds give way to it, with an allowance that is trust lines larger.
func (g *guard) allows(trust int64) bool {
	n := trust - 1
	if g.earned < 0 && trust > 0 { // it has been abused
		n += trustAbuse * g.earned / guardUnit
	}
	if g.missing != noLine { // its loss is in slack, that it comes back is not
		n++
	}
	return g.slack+n*guardUnit >= 0
}
