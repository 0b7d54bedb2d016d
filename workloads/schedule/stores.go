package schedule

import (
	"fmt"
	"slices"
)

// A Store is the contents of a node at the end of a period, such as lines of a cache or pages of a
// tier (stats.Holding).
type Store struct {
	Where, What string
	Size, Held  uint64 // entries
	Came, Used  uint64 // during the period: new entries, and accesses
	Grown       int64  // growth of entries
}

// Went returns the number of evictions during the period.
func (s *Store) Went() uint64 { return uint64(max(int64(s.Came)-s.Grown, 0)) }

// fills reports whether a store has more after a period than before it, by more than a small
// part of what came.
func (s *Store) fills() bool { return s.Grown > 0 && 100*uint64(s.Grown) > 3*s.Came }

// stores follows what nodes keep through periods of which some are skipped. What a skipped
// period would have brought is not there, so that
//
//   - while a store fills, periods after it are not alike for as long: they begin to make
//     others go when it is full. Only if all that comes finds place may they be skipped;
//   - in a store that is full, a period that is simulated again in a later pass would find
//     what all those between have made go. So many periods are simulated at the end of a
//     pass that as much comes between two visits as the store has place for;
//   - in a store with place for all of a pass a later one finds every period. Of a pass
//     that fills it a further period is simulated, and those that were skipped have nothing
//     in it: they are not simulated later.
type stores struct {
	sum     []uint64   // by store: what simulated periods brought
	began   []uint64   // sum when the pass began
	visit   [][]uint64 // by period of a pass: sum when it was simulated last; nil: never
	missing []uint64   // by store: what skipped periods would have brought, and found place
	before  []uint64   // missing when the pass began
	last    []Store
	at      int    // periods of this pass that are over
	absent  []bool // by period of a pass: it has nothing in a store that has place for it
}

func (k *stores) begin() {
	copy(k.began, k.sum)
	copy(k.before, k.missing)
	k.at = 0
}

// ended adds a simulated period.
func (k *stores) ended(p *Period) {
	k.look(p.Stores)
	for i := range p.Stores {
		k.sum[i] += p.Stores[i].Came
	}
	k.reach(k.at)
	k.absent[k.at], k.visit[k.at] = false, slices.Clone(k.sum)
	k.at++
}

// reach makes room for periods up to n.
func (k *stores) reach(n int) {
	for n >= len(k.absent) {
		k.absent, k.visit = append(k.absent, false), append(k.visit, nil)
	}
}

// unseen reports whether the n-th period to come has nothing in a store that has place for it.
func (k *stores) unseen(n int) bool { return k.at+n < len(k.absent) && k.absent[k.at+n] }

// wait is how many of the periods that come are to be simulated for what stores keep, at least
// so many, and a store that needs most; p is the one that ended, the n-th of its run.
func (k *stores) wait(p *Period, n, least int) (most int, store string) {
	most = least
	for i := range p.Stores {
		x, need := &p.Stores[i], 0
		switch {
		case x.fills():
			all := float64(x.Held+k.missing[i]) + float64(x.Grown)*(float64(p.After)+p.Rest)
			if all > float64(x.Size-x.Size/nearly) || p.Again && n < 3 {
				need = p.After
			}
		case x.Went() > 0:
			need = k.between(i, p, least)
		}
		if need > most {
			most, store = need, x.Where
		}
	}
	return most, store
}

// between is how many periods like p are to be simulated at the end of a run of them for as much
// to come into store i between two visits of each as it has place for, and a quarter more: sets
// are not filled evenly.
func (k *stores) between(i int, p *Period, need int) int {
	x := &p.Stores[i]
	enough := x.Size + x.Size/4
	if own := k.sum[i] - k.began[i]; p.Again && own < enough+x.Came {
		need = max(need, int((enough+x.Came-own+x.Came-1)/x.Came))
	}
	for ; need < p.After; need++ {
		first, ok := k.at+p.After-need, true
		for j := first; j < min(k.at+p.After, len(k.visit)) && ok; j++ {
			v := k.visit[j]
			ok = v == nil || k.sum[i]+uint64(j-first)*x.Came-v[i] >= enough
		}
		if ok {
			break
		}
	}
	return min(need, p.After)
}

// nearly is the part of a store that may be empty when the first entries go: sets fill
// unevenly.
const nearly = 16

// skip adds n periods equal to p that are not simulated.
func (k *stores) skip(p *Period, n int) {
	fills := false
	for i := range p.Stores {
		if x := &p.Stores[i]; x.fills() {
			k.missing[i] += uint64(x.Grown) * uint64(n)
			fills = true
		}
	}
	for range n {
		k.reach(k.at)
		k.absent[k.at] = k.absent[k.at] || fills
		k.at++
	}
}

// look records the present contents of nodes.
func (k *stores) look(now []Store) {
	if len(now) == 0 {
		return
	}
	if k.sum == nil {
		n := len(now)
		k.sum, k.began, k.missing, k.before = make([]uint64, n), make([]uint64, n), make([]uint64, n), make([]uint64, n)
	}
	k.last = now
}

// grown is what a whole step that has ended brought to stay, with what skipped periods of it
// would have brought; 0 in a store that is full.
func (k *stores) grown(step []Store) []uint64 {
	k.look(step)
	out := make([]uint64, len(step))
	for i := range step {
		if x := &step[i]; x.fills() {
			out[i] = uint64(x.Grown) + k.missing[i] - k.before[i]
		}
	}
	return out
}

// take adds a step that is not simulated; false if a store would then be full.
func (k *stores) take(grown []uint64) bool {
	for i, n := range grown {
		if x := &k.last[i]; n > 0 && x.Held+k.missing[i]+n > x.Size-x.Size/nearly {
			return false
		}
	}
	for i, n := range grown {
		k.missing[i] += n
	}
	return true
}

// doubts are stores that would have been full.
func (k *stores) doubts() (out []string) {
	for i := range k.last {
		x := &k.last[i]
		if all := x.Held + k.missing[i]; k.missing[i] > 0 && all > x.Size+x.Size/100 {
			out = append(out, fmt.Sprintf("%s has place for %d %s, and holds %d and those of parts taken as equal, %d together: up to %d that would have made room are not counted, nor what they would have cost later (want simulation.repeat: exact)", x.Where, x.Size, x.What, x.Held, all, all-x.Size))
		}
	}
	return out
}
