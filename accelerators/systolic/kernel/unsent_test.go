package kernel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory"
)

// Memories share what a kernel moves to the byte, in proportion to their bandwidths; the last has
// what is left.
func TestMemoriesShareWhatKernelsMove(t *testing.T) {
	k := &Core{charged: []charge{{part: 0.5}, {part: 0.25}, {part: 0.25}}}
	k.sent = memory.Traffic{Reads: 9, Writes: 4, ReadBytes: 1001, WriteBytes: 7}
	var got []memory.Traffic
	var sum memory.Traffic
	for _, u := range k.Unsent() {
		got = append(got, u.Traffic)
		sum.Add(u.Traffic)
	}
	require.Equal(t, k.sent, sum)
	require.Equal(t, []memory.Traffic{{Reads: 4, Writes: 2, ReadBytes: 500, WriteBytes: 3}, {Reads: 2, Writes: 1, ReadBytes: 250, WriteBytes: 2}, {Reads: 3, Writes: 1, ReadBytes: 251, WriteBytes: 2}}, got)
}
