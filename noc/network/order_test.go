package network

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Whatever order messages arrive in, they leave in the order they entered.
func TestOrderIsKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := newOrder()
		n := rapid.IntRange(1, 30).Draw(t, "messages")
		type msg struct {
			flow int32
			seq  uint32
		}
		msgs := make([]msg, n+1)
		for id := 1; id <= n; id++ {
			at, seq := o.enter(rapid.Int32Range(0, 1).Draw(t, "src"), rapid.Int32Range(0, 1).Draw(t, "dst"))
			msgs[id] = msg{at, seq}
		}
		left := map[int32]uint32{}
		count := 0
		pass := func(id int32) {
			require.Equal(t, left[msgs[id].flow], msgs[id].seq)
			left[msgs[id].flow]++
			count++
		}
		for _, i := range rapid.Permutation(seq(n)).Draw(t, "arrivals") {
			id := int32(i)
			if o.leave(msgs[id].flow, msgs[id].seq, id) {
				pass(id)
				for next := o.next(msgs[id].flow); next != 0; next = o.next(msgs[id].flow) {
					pass(next)
				}
			}
		}
		require.Equal(t, n, count)
	})
}

func seq(n int) []int {
	var out []int
	for i := range n {
		out = append(out, i+1)
	}
	return out
}
