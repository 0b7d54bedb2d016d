package below

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
)

// Orders are cut where the home changes; the entries of the write buffer are those of the last piece, and what lies
// after the last byte of a memory is left out.
func TestPushCutsAtHomes(t *testing.T) {
	a, c := engine.NewPort(nil, "A.Top", 1), engine.NewPort(nil, "B.Top", 1)
	homes, err := memory.NewMap(
		memory.Range{Size: 512, Ports: []sim.Port{a, c}, Interleave: 128, Paths: make([]memory.Path, 2)},
		memory.Range{Base: 512, Size: 100, Ports: []sim.Port{c}, Paths: make([]memory.Path, 1)})
	require.NoError(t, err)
	b := New(engine.NewPort(nil, "LLC.Bottom", 1))
	b.Homes = homes
	type piece struct {
		addr, bytes uint64
		to          string
		entries     int
	}
	for _, q := range []struct {
		addr, bytes uint64
		want        []piece
	}{
		{0, 64, []piece{{0, 64, "A.Top", 3}}},
		{64, 128, []piece{{64, 64, "A.Top", 0}, {128, 64, "B.Top", 3}}},
		{384, 256, []piece{{384, 128, "B.Top", 0}, {512, 100, "B.Top", 0}}}, // the last 28 bytes have no home
		{612, 4, nil},
	} {
		require.Equal(t, len(q.want), b.Push(Order{Addr: q.addr, Bytes: q.bytes, Write: true, Purpose: Purpose{Tag: 7, Entries: 3}}))
		var got []piece
		for b.Queue.Len() > 0 {
			o := b.Queue.Pop()
			require.True(t, o.Write)
			require.Equal(t, uint32(7), o.Tag)
			got = append(got, piece{o.Addr, o.Bytes, o.Dst.Name(), o.Entries})
		}
		require.Equal(t, q.want, got)
	}
}

func TestCount(t *testing.T) {
	b := New(engine.NewPort(nil, "LLC.Bottom", 1))
	b.Count(64, false)
	b.Count(32, true)
	b.Count(8, true)
	require.Equal(t, memory.Traffic{Reads: 1, Writes: 2, ReadBytes: 64, WriteBytes: 40}, b.Sent)
	require.Zero(t, b.InFlight())
	require.Nil(t, b.Waits())
	require.False(t, b.Direct(nil))
	require.True(t, b.Hinted())
	require.ErrorContains(t, Homeless("LLC", 64, "Core"), "LLC: address 0x40, which Core asks for, has no home below")
}
