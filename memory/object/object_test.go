package object_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/object"
	"github.com/causeway-sim/causeway/memory/policy"
)

// An access of a drawn trace.
type access struct {
	id   uint64
	size uint32
}

// drawn are accesses to few objects; sizes stay, but for one in change accesses (0: none).
func drawn(t *rapid.T, most uint32, change int) []access {
	sizes := map[uint64]uint32{}
	var out []access
	for i, id := range rapid.SliceOfN(rapid.Uint64Range(0, 40), 1, 500).Draw(t, "objects") {
		if sizes[id] == 0 || change > 0 && i%change == 0 {
			sizes[id] = rapid.Uint32Range(1, most).Draw(t, "size")
		}
		out = append(out, access{id, sizes[id]})
	}
	return out
}

// No rule holds more than it may, and one that has been asked for a kept object twice in
// a row has it.
func TestRulesKeepWithinTheirBytes(t *testing.T) {
	for _, name := range object.All.Names() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				capacity := rapid.Uint64Range(1, 300).Draw(t, "capacity")
				c, err := object.New(name, capacity)
				require.NoError(t, err)
				for _, a := range drawn(t, 200, 7) {
					hit := c.Access(a.id, a.size)
					require.LessOrEqual(t, c.Used(), capacity)
					if hit {
						require.True(t, c.Access(a.id, a.size), "a hit makes nothing leave")
					}
				}
			})
		})
	}
}

// Objects of size 1 make every rule the policy of one set.
func TestObjectsOfOneByteAreLines(t *testing.T) {
	for _, name := range object.All.Names() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				least := 1
				if name == "s3fifo" {
					least = 20 // below, libCacheSim's small queue has no room for one
				}
				ways := rapid.IntRange(least, 60).Draw(t, "ways")
				p, err := policy.New(name, policy.Geometry{Sets: 1, Ways: ways}, nil)
				require.NoError(t, err)
				c, err := object.New(name, uint64(ways))
				require.NoError(t, err)
				set := oneSet{p: p, ways: ways, way: map[uint64]int{}, line: map[int]uint64{}}
				for i, id := range rapid.SliceOfN(rapid.Uint64Range(0, uint64(3*ways)), 1, 600).Draw(t, "lines") {
					if id%2 == 0 {
						id /= 4 // some are hot
					}
					require.Equal(t, set.access(id), c.Access(id, 1), "access %d", i)
				}
			})
		})
	}
}

// oneSet is a cache of one set around a policy.
type oneSet struct {
	p    policy.Policy
	ways int
	way  map[uint64]int
	line map[int]uint64
}

func (s *oneSet) access(line uint64) bool {
	a := policy.Access{Line: line}
	if w, ok := s.way[line]; ok {
		s.p.Hit(0, w, a)
		return true
	}
	w := len(s.way)
	if w == s.ways {
		w = s.p.Victim(0, a)
		s.p.Evict(0, w)
		delete(s.way, s.line[w])
	}
	s.way[line], s.line[w] = w, line
	s.p.Fill(0, w, a)
	return false
}

// Distances in bytes tell the hits of LRU in a list in the order of use, for caches that
// are smaller than objects too, and when objects change their sizes.
func TestStackDistancesInBytesEqualBruteForce(t *testing.T) {
	for _, change := range []int{0, 90} {
		rapid.Check(t, func(t *rapid.T) {
			capacities := []uint64{1, 7, 20, 33, 34, 90, 250, 1000}
			s := object.NewStack(capacities)
			kept := make([][]access, len(capacities)) // used last, first
			for n, a := range drawn(t, 60, change) {
				hits := s.Access(a.id, a.size)
				for i, capacity := range capacities {
					at := slices.IndexFunc(kept[i], func(x access) bool { return x.id == a.id })
					require.Equal(t, at >= 0, hits[i], "access %d, %d B", n, capacity)
					x := a
					if at >= 0 {
						x = kept[i][at]
						kept[i] = slices.Delete(kept[i], at, at+1)
					}
					if uint64(x.size) > capacity {
						continue
					}
					kept[i] = slices.Insert(kept[i], 0, x)
					for bytes(kept[i]) > capacity {
						kept[i] = kept[i][:len(kept[i])-1]
					}
				}
			}
		})
	}
}

func bytes(all []access) (n uint64) {
	for _, a := range all {
		n += uint64(a.size)
	}
	return n
}

// More objects than the first tree has room for: times are given anew.
func TestStackIsRenumbered(t *testing.T) {
	s := object.NewStack([]uint64{100_000})
	c, err := object.New("lru", 100_000)
	require.NoError(t, err)
	for i := range uint64(40_000) {
		id := mixed(i) % 9000
		size := uint32(1 + mixed(id)%30)
		require.Equal(t, c.Access(id, size), s.Access(id, size)[0], "access %d", i)
	}
}

// fifo_mep by hand, 60 bytes: points at 2, 4 and 6, the last stretch has 54.
func TestEvictionPointsInBytes(t *testing.T) {
	c, err := object.New("fifo_mep", 60)
	require.NoError(t, err)
	require.False(t, c.Access('a', 2))
	require.True(t, c.Access('a', 2))
	require.False(t, c.Access('b', 56)) // a and b pass all points, for which b is too large
	require.False(t, c.Access('c', 2))  // the cache is full
	require.False(t, c.Access('d', 2))  // c, at the first point, was not used
	require.False(t, c.Access('c', 2))  // so it left; remembered, it enters the last stretch: a, used, is spared and b leaves
	require.True(t, c.Access('a', 2))
	require.True(t, c.Access('c', 2))
	require.False(t, c.Access('b', 56))
}

func BenchmarkObjects(b *testing.B) {
	as := objects("small")
	for _, name := range append(object.All.Names(), "stack") {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			s := object.NewStack([]uint64{1_000_000})
			c, _ := object.New("lru", 1_000_000)
			if name != "stack" {
				c, _ = object.New(name, 1_000_000)
			}
			for i := range b.N {
				if a := as[i%len(as)]; name == "stack" {
					s.Access(a.Addr, a.Size)
				} else {
					c.Access(a.Addr, a.Size)
				}
			}
		})
	}
}
