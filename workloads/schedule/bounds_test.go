package schedule

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Marks, against a list: the executor with the least work comes first, of equal ones the first number, each once with the
// work that it was marked with last.
func TestMarksAreAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "executors")
		var m marks
		m.add(0, 5) // before there are any
		m.open(n)
		queue, on := make([]int, n), make([]bool, n)
		first := func() int {
			best := -1
			for e := range n {
				if on[e] && (best < 0 || queue[e] < queue[best]) {
					best = e
				}
			}
			return best
		}
		for range rapid.IntRange(1, 60).Draw(t, "changes") {
			if rapid.IntRange(0, 2).Draw(t, "take") > 0 {
				e, q := rapid.IntRange(0, n-1).Draw(t, "executor"), rapid.IntRange(0, 4).Draw(t, "queue")
				m.add(e, q)
				on[e], queue[e] = true, q
				continue
			}
			e, ok := m.take()
			want := first()
			require.Equal(t, want >= 0, ok)
			if ok {
				require.Equal(t, want, e)
				on[e] = false
			}
		}
		for want := first(); want >= 0; want = first() {
			e, ok := m.take()
			require.True(t, ok)
			require.Equal(t, want, e)
			on[e] = false
		}
		_, ok := m.take()
		require.False(t, ok)
	})
}

// A store fills that has grown by more than 3 % of what came; a skipped step is taken while a sixteenth of each store
// stays empty.
func TestStoresThatFill(t *testing.T) {
	for _, x := range []struct {
		grown int64
		came  uint64
		fills bool
		went  uint64
	}{{3, 100, false, 97}, {4, 100, true, 96}, {1, 33, true, 32}, {0, 0, false, 0}, {-5, 100, false, 105}, {9, 5, true, 0}} {
		s := Store{Grown: x.grown, Came: x.came}
		require.Equal(t, []any{x.fills, x.went}, []any{s.fills(), s.Went()}, x)
	}
	k := &stores{}
	k.begin()
	step := []Store{{Size: 160, Held: 100, Grown: 30, Came: 30}, {Size: 160, Held: 160, Grown: 0, Came: 30}}
	grown := k.grown(step)
	require.Equal(t, []uint64{30, 0}, grown, "a full store has no more")
	require.True(t, k.take([]uint64{50, 0}), "150 of 160")
	require.False(t, k.take([]uint64{1, 0}))
	require.Equal(t, []uint64{50, 0}, k.missing)
	require.True(t, k.take([]uint64{0, 0}), "nothing stays")
	require.True(t, k.take([]uint64{0, 0}))
	require.Equal(t, uint64(80), k.grown(step)[0], "with what the skipped step would have brought")
	k.begin()
	require.Equal(t, uint64(30), k.grown(step)[0], "of this pass alone")
	k.skip(&Period{Stores: step}, 3)
	require.Equal(t, []uint64{50 + 3*30, 0}, k.missing)
	require.Equal(t, 3, k.at)
	require.Equal(t, []bool{true, true, true}, k.absent)
	k.begin()
	require.True(t, k.unseen(2))
	require.False(t, k.unseen(3))
	k.skip(&Period{Stores: step[1:]}, 4)
	require.Equal(t, []bool{true, true, true, false}, k.absent, "what is not there stays so")
	k.begin()
	k.ended(&Period{Stores: step})
	require.False(t, k.absent[0])
	require.Equal(t, []uint64{30, 30}, k.sum)
	require.Equal(t, []uint64{30, 30}, k.visit[0])
	require.False(t, k.unseen(3))
	require.True(t, k.unseen(1))
}

// Periods are simulated while a store fills that will be full, or is seen again in its first passes, and of a full one until as
// much has come between two visits as it has place for, and a quarter more.
func TestHowLongStoresWait(t *testing.T) {
	filling := func(held uint64, again bool, n int) int {
		k := &stores{}
		p := &Period{After: 10, Again: again, Stores: []Store{{Where: "L2", Size: 160, Held: held, Grown: 5, Came: 5}}}
		k.look(p.Stores)
		most, store := k.wait(p, n, 2)
		require.Equal(t, most > 2, store == "L2")
		return most
	}
	require.Equal(t, 2, filling(100, false, 0), "150 of 160 at the end")
	require.Equal(t, 10, filling(101, false, 0))
	require.Equal(t, 10, filling(0, true, 2))
	require.Equal(t, 2, filling(0, true, 3))
	full := func(size, came, own uint64, after int) int {
		k := &stores{}
		p := &Period{After: after, Again: true, Stores: []Store{{Size: size, Held: size, Came: came}}}
		k.look(p.Stores)
		k.sum[0] = own
		most, _ := k.wait(p, 9, 1)
		return most
	}
	require.Equal(t, 6, full(80, 20, 0, 50), "100 and one more period of 20")
	require.Equal(t, 1, full(80, 20, 120, 50), "all has come in this pass")
	require.Equal(t, 1, full(80, 20, 100, 50), "20 are left")
	require.Equal(t, 2, full(80, 20, 99, 50))
	require.Equal(t, 4, full(80, 20, 0, 4), "no more than there are")
}
