package memory

import (
	"math/big"
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
)

// The dumb twin of the serializer keeps its time as a big rational.
func TestSerializerIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := units.Bandwidth(rapid.Uint64Range(1, 1e13).Draw(t, "bit/s"))
		c := rapid.SampledFrom([]clock.Clock{clock.GHz, clock.Hz(940e6), clock.Period(416, 1e12)}).Draw(t, "clock")
		s := NewSerializer(b, c)
		perByte := new(big.Rat).SetFrac(new(big.Int).SetUint64(8*c.Den()), new(big.Int).Mul(big.NewInt(int64(b)), new(big.Int).SetUint64(c.Num())))
		free, at := new(big.Rat), uint64(0)
		for range 20 {
			at += rapid.Uint64Range(0, 1000).Draw(t, "gap")
			n := rapid.Uint64Range(1, 1<<16).Draw(t, "bytes")
			start := new(big.Rat).SetInt(new(big.Int).SetUint64(at))
			if free.Cmp(start) > 0 {
				start = free
			}
			free = new(big.Rat).Add(start, new(big.Rat).Mul(perByte, new(big.Rat).SetInt(new(big.Int).SetUint64(n))))
			want := new(big.Int).Add(free.Num(), new(big.Int).Sub(free.Denom(), big.NewInt(1)))
			want.Quo(want, free.Denom())
			require.Equal(t, want.Uint64(), s.Transfer(at, n))
			require.Equal(t, want.Uint64(), s.Free())
		}
	})
}

func TestUnlimitedSerializer(t *testing.T) {
	var s Serializer
	require.Equal(t, uint64(7), s.Transfer(7, 1<<40))
	require.Equal(t, uint64(7), s.Transfer(7, 1<<40))
}

func TestMapFindsHomes(t *testing.T) {
	p := func(n string) sim.Port { return sim.NewLimitNumMsgPort(nil, 1, n) }
	near, far0, far1 := p("Near.Top"), p("Far[0].Top"), p("Far[1].Top")
	m, err := NewMap(
		Range{Tier: "far", Base: 1 << 20, Size: 1 << 20, Interleave: 4096, Ports: []sim.Port{far0, far1}, Paths: make([]Path, 2)},
		Range{Tier: "near", Base: 0, Size: 1 << 20, Ports: []sim.Port{near}, Paths: make([]Path, 1)},
	)
	require.NoError(t, err)
	r, i, run, ok := m.Find(1<<20 - 1)
	require.True(t, ok)
	require.Equal(t, near, r.Ports[i])
	require.Equal(t, uint64(1), run)
	r, i, run, ok = m.Find(1<<20 + 4096 + 96)
	require.True(t, ok)
	require.Equal(t, far1, r.Ports[i])
	require.Equal(t, uint64(4000), run)
	_, _, _, ok = m.Find(2 << 20)
	require.False(t, ok)
	_, err = NewMap(Range{Tier: "a", Size: 10, Ports: []sim.Port{near}, Paths: make([]Path, 1)}, Range{Tier: "b", Base: 9, Size: 1, Ports: []sim.Port{near}, Paths: make([]Path, 1)})
	require.EqualError(t, err, `ranges "a" and "b" overlap at 0x9`)
}

func TestResponsesReuse(t *testing.T) {
	var pool Responses
	port := sim.NewLimitNumMsgPort(nil, 1, "P")
	req := &mem.ReadReq{AccessByteSize: 64, Info: &Hint{}}
	req.ID = "Core.1"
	first := pool.Read(req, port, 1)
	require.Equal(t, "Core.1", first.RespondTo)
	require.Zero(t, testing.AllocsPerRun(100, func() { pool.Read(req, port, 2) }))
	require.Same(t, first, pool.Read(req, port, 2))
	foreign := &mem.ReadReq{}
	require.NotSame(t, pool.Read(foreign, port, 1), pool.Read(foreign, port, 1))
}
