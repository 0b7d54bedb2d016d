package dco

import (
	"math/bits"

	"github.com/causeway-sim/causeway/memory/policy"
)

// wide is what a guard keeps of sets of many ways, so that nothing has to be
// searched: the lines that LRU holds in order, a table of those that the cache does
// not hold, and a list of the ways whose lines LRU does not hold.
type wide struct {
	ways  int
	order policy.Recency // [set] ways, and behind them places in out
	table []uint32       // places in out plus 1, by hash of their line
	shift uint8
	free  []uint32 // [set*ways+k] places in out that are free
	loose []uint32 // [set*ways+k] ways whose lines LRU does not hold
	at    []uint32 // [set*ways+way] place in loose
	count []uint32 // [set] loose ways
	hand  []uint32 // [set] place in loose to look at next
}

func newWide(sets, ways int) *wide {
	n := sets * ways
	w := &wide{
		ways: ways, order: policy.NewRecency(policy.Geometry{Sets: sets, Ways: 2 * ways}),
		free: make([]uint32, n), loose: make([]uint32, n), at: make([]uint32, n), count: make([]uint32, sets), hand: make([]uint32, sets),
	}
	size := bits.Len(uint(2*n - 1))
	w.table, w.shift = make([]uint32, 1<<size), uint8(64-size)
	for i := range n {
		w.free[i], w.loose[i], w.at[i] = uint32(i%ways), uint32(i%ways), uint32(i%ways)
	}
	for i := range w.count {
		w.count[i] = uint32(ways)
	}
	return w
}

// slot is where the table has a line, or an empty place for it.
func (w *wide) slot(out []outLine, tag uint64) int {
	for i := w.home(tag); ; i = (i + 1) & (len(w.table) - 1) {
		if p := w.table[i]; p == 0 || out[p-1].tag == tag {
			return i
		}
	}
}

func (w *wide) home(tag uint64) int { return int(tag * 0x9e3779b97f4a7c15 >> w.shift) }

// find returns the place in out of a line, or noLine.
func (w *wide) find(out []outLine, tag uint64) int32 { return int32(w.table[w.slot(out, tag)]) - 1 }

// removeLine takes a place in out from the table, and closes the gap.
func (w *wide) removeLine(out []outLine, tag uint64) {
	mask := len(w.table) - 1
	gap := w.slot(out, tag)
	for i := (gap + 1) & mask; w.table[i] != 0; i = (i + 1) & mask {
		if home := w.home(out[w.table[i]-1].tag); (i-home)&mask >= (i-gap)&mask {
			w.table[gap] = w.table[i]
			gap = i
		}
	}
	w.table[gap] = 0
}

// hold takes a way that LRU now holds from the loose ones, to the front.
func (w *wide) hold(set, way int) {
	base := set * w.ways
	w.count[set]--
	k, last := w.at[base+way], w.loose[base+int(w.count[set])]
	w.loose[base+int(k)], w.at[base+int(last)] = last, k
	w.order.PushFirst(set, way)
}

// loosen notes that LRU does not hold the line of a way any more.
func (w *wide) loosen(set, way int) {
	base, n := set*w.ways, w.count[set]
	w.loose[base+int(n)], w.at[base+way] = uint32(way), n
	w.count[set]++
}

// admit makes room for one line more in LRU's set.
func (w *wide) admit(g *guard, set int) {
	node := w.order.Last(set)
	if node >= w.ways {
		g.remove(set, set*w.ways+node-w.ways)
		return
	}
	w.order.Remove(set, node)
	w.loosen(set, node)
	g.last[set*w.ways+node] = unheld
}

// remove drops a line that is not exposed any more.
func (w *wide) remove(g *guard, set, at int) {
	base := set * w.ways
	w.removeLine(g.out, g.out[at].tag)
	w.order.Remove(set, w.ways+at-base)
	g.outs[set]--
	w.free[base+w.ways-1-int(g.outs[set])] = uint32(at - base)
}

// expose notes a line that LRU holds and the cache does not, and returns its place
// in the order, where it is not yet.
func (w *wide) expose(g *guard, set int, tag uint64) (node int) {
	base := set * w.ways
	place := int(w.free[base+w.ways-1-int(g.outs[set])])
	g.outs[set]++
	w.table[w.slot(g.out, tag)] = uint32(base+place) + 1
	g.out[base+place].tag = tag
	return w.ways + place
}

// loosest is victim's safe for sets of many ways.
func (p *dco) loosest(set int) (way int) {
	w := p.guard.wide
	base, now, n := set*p.ways, p.now[set]+1, int(w.count[set])
	least, oldest := float32(2), uint32(0)
	k := int(w.hand[set]) % n
	for range min(n, waysLookedAt) {
		at := int(w.loose[base+k])
		l := &p.line[base+at]
		age := now - l.last
		r := p.learn.rank(l.class, age>>p.unit)
		if p.tile != nil && p.spec.DeadBlock && p.tiles.dead(p.tile[base+at]) {
			r = -1
		}
		if r < least || r == least && age > oldest {
			way, least, oldest = at, r, age
		}
		if k++; k == n {
			k = 0
		}
	}
	w.hand[set] = uint32(k)
	return way
}
