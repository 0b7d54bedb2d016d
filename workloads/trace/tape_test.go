package trace

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A tape gives back what was put on it.
func TestTape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tape Tape
		var want []Record
		now := uint64(0)
		for range rapid.IntRange(0, 20).Draw(t, "records") {
			now += rapid.Uint64Range(0, 1<<40).Draw(t, "gap")
			few := rapid.Uint32Range(0, 2)
			r := Record{
				Time: now, Addr: rapid.Uint64().Draw(t, "addr"), Size: few.Draw(t, "size") << 30, Core: few.Draw(t, "core"),
				Tensor: few.Draw(t, "tensor"), Reuse: rapid.Uint32().Draw(t, "reuse"), PC: uint64(few.Draw(t, "pc")) << 62, Write: rapid.Bool().Draw(t, "write"),
			}
			want = append(want, r)
			tape.Append(&r)
		}
		var got []Record
		require.NoError(t, tape.Each(func(r *Record) error { got = append(got, *r); return nil }))
		require.Equal(t, want, got)
		require.EqualValues(t, len(want), tape.Len())
	})
}
