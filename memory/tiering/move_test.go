package tiering_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/memtest"
	"github.com/causeway-sim/causeway/memory/tiering"
)

// A page that has moved is looked up again: one walk for each of two pages, and one
// for the hot one when it has come near.
func TestMovedPagesAreLookedUp(t *testing.T) {
	s := spec("hemem", nil)
	s.Capacity = []units.Bytes{1 << 10}
	s.TLB = tiering.TLB{Entries: 4, Walk: units.InTime(30 * units.Nanosecond)}
	list := []memtest.Request{{Bytes: 64}}
	for i := range uint64(40) {
		list = append(list, memtest.Request{Cycle: 500 * (i + 1), Addr: 1 << 10, Bytes: 64})
	}
	r := newRig(t, s, &flat{latency: 50}, &flat{latency: 150})
	m, err := r.run(t, r.requester(list...))
	require.NoError(t, err)
	require.EqualValues(t, 1, m["moves"])
	require.EqualValues(t, 3, m["walks"])
}

// No more is moved than the bandwidth of moves allows, over any time.
func TestMovesAreLimited(t *testing.T) {
	for _, bits := range []units.Bandwidth{1e9, 2e9} {
		s := spec("hemem", nil)
		s.Capacity = []units.Bytes{16 << 10}
		s.Migration.Bandwidth = bits
		r := newRig(t, s, &flat{latency: 50, gap: 1}, &flat{latency: 150, gap: 1})
		q := r.requester(hot(4000, 12)...)
		q.Window = 16
		m, err := r.run(t, q)
		require.NoError(t, err)
		moved := 1024 * (m["tier0_pages_in"] + m["tier1_pages_in"])
		allowed := float64(bits) / 8e9 * float64(q.Answer[len(q.Answer)-1])
		require.LessOrEqual(t, moved, allowed)
		require.Greater(t, moved, 0.7*min(allowed, 2*12*1024), "and not much less")
	}
}

// A host with one request at a time gets all of its answers: those that wait are
// taken when there is room.
func TestOutstanding(t *testing.T) {
	s := spec("static", nil)
	s.Outstanding = 1
	r := newRig(t, s, &flat{latency: 50}, &flat{latency: 90})
	var list []memtest.Request
	for i := range uint64(20) {
		list = append(list, memtest.Request{Addr: i << 8, Bytes: 64})
	}
	q := r.requester(list...)
	_, err := r.run(t, q)
	require.NoError(t, err)
	require.Equal(t, 20, q.Done())
	for i := 1; i < 20; i++ {
		require.GreaterOrEqual(t, q.Answer[i], q.Answer[i-1]+50, "one at a time")
	}
}
