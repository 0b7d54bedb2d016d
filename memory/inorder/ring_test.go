package inorder

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The dumb twin of the ring is a slice.
func TestRing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r ring
		var twin []pending
		for i := range rapid.IntRange(0, 200).Draw(t, "steps") {
			if len(twin) > 0 && rapid.IntRange(0, 2).Draw(t, "pop") == 0 {
				require.Equal(t, twin[0], *r.head())
				r.pop()
				twin = twin[1:]
			} else {
				r.push(pending{due: uint64(i)})
				twin = append(twin, pending{due: uint64(i)})
			}
			require.Equal(t, len(twin), r.n)
		}
	})
}
