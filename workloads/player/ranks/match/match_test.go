package match

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/comm"
)

// Wildcards and exact receives compete in the order they were posted, messages in
// the order they were sent.
func TestMatching(t *testing.T) {
	x := New[string, int](4)
	from := func(from int32, tag int64) Key { return Key{To: 3, From: from, Tag: tag} }
	for i, k := range []Key{from(1, 7), from(comm.AnySource, 7), from(1, comm.AnyTag), from(1, 7)} {
		_, ok := x.Post(k, i)
		require.False(t, ok)
	}
	posted := 0
	for range x.Posted() {
		posted++
	}
	require.Equal(t, 4, posted)
	for want := range 4 {
		r, ok := x.Arrive(from(1, 7), "")
		require.True(t, ok)
		require.Equal(t, want, r)
	}
	for range x.Posted() {
		t.Error("all receives were taken")
	}
	for _, m := range []struct {
		from int32
		name string
	}{{1, "a"}, {2, "b"}, {1, "c"}} {
		_, ok := x.Arrive(from(m.from, 7), m.name)
		require.False(t, ok)
	}
	require.Equal(t, 3, x.Early())
	var names string
	for m := range x.Messages(3) {
		names += m
	}
	require.Equal(t, "abc", names)
	for _, c := range []struct {
		key  Key
		want string
	}{{from(2, 7), "b"}, {from(comm.AnySource, comm.AnyTag), "a"}, {from(1, 7), "c"}} {
		m, ok := x.Post(c.key, 0)
		require.True(t, ok)
		require.Equal(t, c.want, m)
	}
	require.Zero(t, x.Early())
	require.Equal(t, 3, x.Most())
	require.Empty(t, x.early)
}

// The matcher against ten obvious lines.
func TestMatchingAsLists(t *testing.T) {
	type waiting struct {
		key Key
		id  int32
	}
	rng := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		x := New[int32, int32](1)
		var receives, early []waiting
		for id := range int32(60) {
			k := Key{From: int32(rng.IntN(2)), Tag: int64(rng.IntN(2))}
			if rng.IntN(2) == 0 {
				if rng.IntN(4) == 0 {
					k.From = comm.AnySource
				}
				if rng.IntN(4) == 0 {
					k.Tag = comm.AnyTag
				}
				want := int32(-1)
				for i, m := range early {
					if k.takes(m.key) {
						want, early = m.id, append(early[:i:i], early[i+1:]...)
						break
					}
				}
				m, ok := x.Post(k, id)
				require.Equal(t, want >= 0, ok)
				if ok {
					require.Equal(t, want, m)
				} else {
					receives = append(receives, waiting{k, id})
				}
				continue
			}
			want := int32(-1)
			for i, r := range receives {
				if r.key.takes(k) {
					want, receives = r.id, append(receives[:i:i], receives[i+1:]...)
					break
				}
			}
			r, ok := x.Arrive(k, id)
			require.Equal(t, want >= 0, ok)
			if ok {
				require.Equal(t, want, r)
			} else {
				early = append(early, waiting{k, id})
			}
		}
		require.Equal(t, len(early), x.Early())
	}
}

// Whatever ways the messages of a pair take, they are given on in the order they were
// sent; pairs do not wait for each other.
func TestOrder(t *testing.T) {
	var o Order[int]
	rng := rand.New(rand.NewPCG(5, 5))
	type sent struct {
		pair int32
		seq  uint32
		n    int
	}
	var all []sent
	for n := range 200 {
		pair, seq := o.Send(int32(n%3), 7)
		all = append(all, sent{pair, seq, n})
	}
	rng.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	next, out := []int{0, 1, 2}, 0
	for _, s := range all {
		for n, ok := s.n, o.Arrive(s.pair, s.seq, s.n); ok; n, ok = o.Next(s.pair) {
			require.Equal(t, next[n%3], n)
			next[n%3] += 3
			out++
		}
	}
	require.Equal(t, 200, out)
}

// Once the lists have grown nothing is allocated.
func TestNothingIsAllocated(t *testing.T) {
	x := New[int, int](1)
	var o Order[int]
	k := Key{}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		for i := range 5 {
			pair, seq := o.Send(0, 0)
			o.Arrive(pair, seq, i)
			x.Arrive(k, i)
		}
		for i := range 8 {
			x.Post(k, i)
		}
		for i := range 3 {
			x.Arrive(k, i)
		}
	}))
}
