package synthetic_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/workloads/synthetic"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// played is all records of a core.
func played(t require.TestingT, l synthetic.Layer, core int) (out []trace.Record) {
	r, err := synthetic.NewReader(l, core, 64)
	require.NoError(t, err)
	var rec trace.Record
	for err = r.Next(&rec); err == nil; err = r.Next(&rec) {
		out = append(out, rec)
	}
	require.Equal(t, io.EOF, err)
	return out
}

// Every object is read once and written once, lag objects later, with any lag.
func TestUpdatesLag(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := synthetic.DefaultHotSet()
		h.Count, h.Lag = rapid.Uint64Range(1, 50).Draw(t, "count"), rapid.Uint64Range(0, 60).Draw(t, "lag")
		h.Update = rapid.Bool().Draw(t, "update")
		var reads, writes []uint64
		for _, x := range played(t, &h, 0) {
			require.EqualValues(t, 64, x.Size)
			if !x.Write {
				reads = append(reads, x.Addr)
				continue
			}
			writes = append(writes, x.Addr)
			require.LessOrEqual(t, len(reads)-len(writes), int(h.Lag), "held back")
			if len(reads) < int(h.Count) {
				require.EqualValues(t, h.Lag, len(reads)-len(writes))
			}
		}
		require.Len(t, reads, int(h.Count))
		if h.Update {
			require.Equal(t, reads, writes)
		} else {
			require.Empty(t, writes)
		}
	})
}

// The shares are those asked for, within five standard deviations; the hot set
// moves on by its own size; cores and seeds differ.
func TestHotSetDraws(t *testing.T) {
	h := synthetic.HotSet{Size: 1 << 20, Hot: 256 << 10, Share: 0.9, Object: 64, Count: 20000, Turn: 10000, Cores: 2}
	list := played(t, &h, 0)
	for k, first := range []uint64{0, 256 << 10} {
		hot := 0
		for _, x := range list[k*10000 : (k+1)*10000] {
			require.Zero(t, x.Addr%64)
			require.Less(t, x.Addr, uint64(1<<20))
			if x.Addr >= first && x.Addr < first+256<<10 {
				hot++
			}
		}
		require.InDelta(t, 9000, hot, 150)
	}
	require.NotEqual(t, list, played(t, &h, 1))
	h.Seed = 1
	require.NotEqual(t, list, played(t, &h, 0))
	h.Share, h.Hot = 0.1, h.Size // no cold part
	require.NotPanics(t, func() { played(t, &h, 0) })
}

func TestStreamIsInOrder(t *testing.T) {
	s := synthetic.Stream{Size: 256, Object: 128, Count: 3, Cores: 2}
	var got []uint64
	for _, x := range played(t, &s, 1) {
		got = append(got, x.Addr)
	}
	require.Equal(t, []uint64{256, 320, 384, 448, 256, 320}, got)
}

func TestStreamsRefuse(t *testing.T) {
	h := synthetic.HotSet{Size: 100, Hot: 200, Share: 2, Object: 64}
	require.EqualError(t, h.Check(), "size is 100B in objects of 64B (want a multiple)\nhot is 200B in objects of 64B (want a multiple, at most size)\nshare is 2 (want 0 to 1)\ncores is 0 (want 1 or more)")
	h.Object = 0
	require.ErrorContains(t, h.Check(), "object is 0B (want 1B to 1MiB)")
	s := synthetic.Stream{Size: 100, Object: 64}
	require.EqualError(t, s.Check(), "size is 100B in objects of 64B (want a multiple, of 1B to 1MiB)\ncores is 0 with 100B each (want 1 or more, within 2^63 B)")
}
