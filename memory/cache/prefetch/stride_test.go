package prefetch

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// reads is what reads of lines by one stream call for.
func reads(p *Prefetcher, stream uint64, list ...uint64) (out []uint64) {
	for _, line := range list {
		out = append(out, lines(p, Access{Line: line, Stream: stream, Slot: -1, Lines: 1})...)
	}
	return out
}

// Two equal distances in a row call for the next lines, to the end of the page, each stream for itself.
func TestStride(t *testing.T) {
	p := prefetcher(t, "stride", nil)
	require.Empty(t, reads(p, 4, 0, 7))
	require.Equal(t, []uint64{21, 28, 35}, reads(p, 4, 14))
	require.Empty(t, reads(p, 8, 100, 98))
	require.Equal(t, []uint64{28, 35, 42, 94, 92, 90}, append(reads(p, 4, 21), reads(p, 8, 96)...))
	require.Empty(t, reads(p, 4, 21), "the same line again")
	require.Empty(t, reads(p, 4, 28), "whose distance it forgets")
	require.Equal(t, []uint64{63}, reads(p, 12, 60, 61, 62), "the page ends")
	require.Empty(t, lines(p, Access{Line: 64, Stream: 12, Write: true}))

	far := prefetcher(t, "stride", StrideSpec{Degree: 2, Streams: 4, Page: 0})
	require.Equal(t, []uint64{3000, 4000}, reads(far, 4, 0, 1000, 2000), "no page")
	require.Empty(t, reads(far, 8, 1, 3), "4 streams fit, ...")
	require.Equal(t, []uint64{4000, 5000}, reads(far, 4, 3000))
	for _, other := range []uint64{12, 16, 20} {
		require.Empty(t, reads(far, other, 1))
	}
	require.Equal(t, []uint64{5000, 6000}, reads(far, 4, 4000))
	require.Empty(t, reads(far, 8, 5), "... and the one used longest ago goes")
}

// Streams are told apart by program counter, or by requester and tensor.
func TestStreamOf(t *testing.T) {
	require.Equal(t, uint64(0x400010), StreamOf(0x400010, 0, 3))
	seen := map[uint64]bool{}
	for core := range uint16(8) {
		seen[StreamOf(0x400010, core, 3)>>2] = true
		for tensor := range uint32(50) {
			seen[StreamOf(0, core, tensor)>>2] = true
		}
	}
	require.Len(t, seen, 8*51)
}
