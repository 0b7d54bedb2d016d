package collective

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// In every round each rank meets one other, who meets it; after all rounds it has heard of
// all; and those that share a window before a round are those that its pairs come from.
func TestPairs(t *testing.T) {
	for _, o := range []Order{Near, Far, Bine} {
		for p := 1; p <= 256; p *= 2 {
			rounds := o.pairs(p)
			at := windows(rounds)
			heard, width := make([]map[int]bool, p), p
			for v := range heard {
				heard[v] = map[int]bool{v: true}
			}
			for _, to := range rounds {
				next := make([]map[int]bool, p)
				for v := range p {
					require.Equal(t, v, to[to[v]])
					require.NotEqual(t, v, to[v])
					require.Equal(t, at[v]/width, at[to[v]]/width, "%s %d: they share a window", o, p)
					require.NotEqual(t, at[v]/(width/2), at[to[v]]/(width/2), "and divide it")
					next[v] = map[int]bool{}
					for _, from := range []int{v, to[v]} {
						for u := range heard[from] {
							next[v][u] = true
						}
					}
				}
				heard, width = next, width/2
			}
			for v := range heard {
				require.Len(t, heard[v], p)
			}
			require.ElementsMatch(t, upTo(p), at, "each block has an owner")
		}
	}
	require.Equal(t, []int{1, 0, 3, 2, 5, 4, 7, 6}, Bine.pairs(8)[0])
	require.Equal(t, []int{7, 2, 1, 4, 3, 6, 5, 0}, Bine.pairs(8)[1])
	require.Equal(t, []int{3, 6, 5, 0, 7, 2, 1, 4}, Bine.pairs(8)[2])
	require.Equal(t, upTo(8), windows(Far.pairs(8)), "far leaves blocks in order")
}

// The rounds of bine trees go a third less far in all than those of neighbours first: 1, 1,
// 3, 5, 11, ... in place of 1, 2, 4, 8, 16 (SC 2025, section 3).
func TestBineGoesLessFar(t *testing.T) {
	far := func(o Order, p int) (sum int) {
		for _, to := range o.pairs(p) {
			d := (to[0] + p) % p
			sum += min(d, p-d)
		}
		return sum
	}
	require.Equal(t, 1+2+4+8+16+32+64+128, far(Near, 256))
	require.Equal(t, 1+1+3+5+11+21+43+85, far(Bine, 256))
}

// An order that there is not, and one that leaves blocks with other ranks, are errors.
func TestOrderErrors(t *testing.T) {
	_, err := New("halving_doubling", Request{Ranks: 8, Bytes: 64}, HalvingSpec{one.Pipeline, "nearest"})
	require.EqualError(t, err, `collective halving_doubling: order is "nearest" (want one of: near, far, bine)`)
	_, err = New("recursive_doubling", Request{Ranks: 8, Bytes: 64}, DoublingSpec{one.Pipeline, "nearest"})
	require.ErrorContains(t, err, `order is "nearest"`)
	_, err = New("halving_doubling", Request{Operation: AllGather, Ranks: 8, Bytes: 64}, HalvingSpec{one.Pipeline, Bine})
	require.EqualError(t, err, "collective halving_doubling: order bine has no effect on all_gather (used by: all_reduce)")
	_, err = New("ring", Request{Ranks: 8, Bytes: 64}, RingSpec{Pipeline: Pipeline{Chunks: 1, Scratch: -1}})
	require.ErrorContains(t, err, "scratch is -1")
}
