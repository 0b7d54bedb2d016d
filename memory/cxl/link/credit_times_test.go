package link

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// The dumb twin keeps the times of all credits that were spent, oldest first.
func TestRoundTripOfCredits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		credits := rapid.IntRange(1, 5).Draw(t, "credits")
		cfg := DefaultConfig()
		cfg.Credits[flit.M2SReq] = credits
		l, err := New(cfg, nil)
		require.NoError(t, err)
		h := &l.half[flit.Down]
		var twin []int64
		now, sum, respent := int64(0), uint64(0), uint64(0)
		for range rapid.IntRange(0, 20).Draw(t, "messages") {
			now += rapid.Int64Range(0, 99).Draw(t, "later")
			if n := len(twin); n >= credits {
				sum += uint64(now - twin[n-credits])
				respent++
			}
			twin = append(twin, now)
			l.note(h, flit.M2SReq, now)
			require.Equal(t, sum, l.RoundTrip(flit.Down, flit.M2SReq))
			require.Equal(t, respent, h.count.Respent[flit.M2SReq])
		}
	})
}
