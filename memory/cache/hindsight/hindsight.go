package hindsight

import (
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
)

// A Log is the lines of accesses, in their order.
type Log struct {
	index    tagstore.Index
	ways     int
	lines    []uint64
	played   int // accesses that lru and opt are of
	lru, opt uint64
}

// New makes the log of a cache of that shape.
func New(index tagstore.Index, ways int) *Log { return &Log{index: index, ways: ways} }

// Note adds an access.
func (l *Log) Note(line uint64) { l.lines = append(l.lines, line) }

// Misses returns the misses of LRU and of OPT with bypass over the accesses so far, in a cache that is
// empty before the first.
func (l *Log) Misses() (lru, opt uint64) {
	if l.played != len(l.lines) {
		l.lru, l.opt = l.play("lru"), l.play("opt_bypass")
		l.played = len(l.lines)
	}
	return l.lru, l.opt
}

// play returns the misses of a policy.
func (l *Log) play(name string) (misses uint64) {
	p, err := policy.New(name, policy.Geometry{Sets: l.index.Sets(), Ways: l.ways}, nil)
	if err != nil {
		panic(err) // the cache has the same sets and ways
	}
	var next []uint64
	if _, ok := p.(policy.NextUsePolicy); ok {
		next = l.next()
	}
	s := tagstore.New(l.index, l.ways, p)
	for i, line := range l.lines {
		t := tagstore.Touch{Access: policy.Access{Line: line}, Sectors: s.Whole()}
		if next != nil {
			t.Next = next[i]
		}
		if !s.Apply(&t).Hit {
			misses++
		}
	}
	return misses
}

// next is the number of the next access to the line of each, from 0; 0 is none.
func (l *Log) next() []uint64 {
	out, last := make([]uint64, len(l.lines)), map[uint64]uint64{}
	for i := len(l.lines) - 1; i >= 0; i-- {
		out[i] = last[l.lines[i]]
		last[l.lines[i]] = uint64(i)
	}
	return out
}
