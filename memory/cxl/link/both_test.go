package link_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// between is the owner of both ends of a link between switches: the lowest bit of a
// message's Ref is its direction.
type between struct {
	l    *link.Link
	got  [2][flit.Classes][]uint32
	left int
}

func (b *between) Departed(*flit.Message, int64) { b.left++ }

func (b *between) Arrived(m *flit.Message, at link.Times) {
	d := flit.Direction(m.Ref & 1)
	b.got[d][m.Class] = append(b.got[d][m.Class], m.Ref)
	b.l.ReleaseOn(d, at.At, m.Class)
}

func (b *between) ArrivedIO(flit.Direction, uint32, link.Times) {}

// Between switches either direction carries the messages of hosts and devices on both
// sides: nothing is lost or overtakes its class, and all credits come back.
func TestBothWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := link.DefaultConfig()
		cfg.Mode, cfg.Rate, cfg.Both, cfg.Limits = flit.FlitPBR, 64, true, flit.DefaultLimits(flit.FlitPBR)
		cfg.Seed = rapid.Uint64().Draw(t, "seed")
		cfg.BER = [2]float64{rapid.SampledFrom([]float64{0, 1e-4}).Draw(t, "down"), rapid.SampledFrom([]float64{0, 1e-4}).Draw(t, "up")}
		for c := range cfg.Credits {
			cfg.Credits[c] = rapid.IntRange(1, 20).Draw(t, "credits")
		}
		b := &between{}
		var err error
		b.l, err = link.New(cfg, b)
		require.NoError(t, err)
		var want [2][flit.Classes][]uint32
		n := rapid.IntRange(1, 300).Draw(t, "messages")
		for i := range n {
			d := flit.Direction(rapid.IntRange(0, 1).Draw(t, "direction"))
			c := flit.Class(rapid.IntRange(0, int(flit.Classes)-1).Draw(t, "class"))
			ref := uint32(2*i) | uint32(d)
			want[d][c] = append(want[d][c], ref)
			at := b.l.Next()
			if at == link.Never || rapid.Bool().Draw(t, "at once") {
				at = 0
			}
			if at > 0 {
				b.l.Run(at)
			}
			b.l.PushOn(d, at, flit.Message{Class: c, Ref: ref})
		}
		for at := b.l.Next(); at != link.Never; at = b.l.Next() {
			b.l.Run(at)
		}
		require.Equal(t, want, b.got)
		require.Equal(t, n, b.left)
		for d := range flit.Direction(2) {
			for c := range flit.Classes {
				require.Equal(t, cfg.Credits[c], b.l.CreditsOn(d, c)+b.l.UnsettledOn(d, c), "%v %s", d, c)
				require.Zero(t, b.l.WaitingOn(d, c))
			}
		}
	})
}

func TestBothNeedsPBR(t *testing.T) {
	cfg := link.DefaultConfig()
	cfg.Both = true
	_, err := link.New(cfg, &between{})
	require.ErrorContains(t, err, "only PBR flits")
}
