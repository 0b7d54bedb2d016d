package library

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// No transfer beats its link, and a faster link makes none slower; more bytes, tokens or SMs that
// work on as many tokens behave as they should.
func TestTransfersKeepToTheirLink(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, ok := LinksOf(rapid.SampledFrom([]string{"sm80", "sm90", "sm100", "sm103"}).Draw(t, "generation"))
		require.True(t, ok)
		c := Chip{Link: rapid.Float64Range(25e9, 2e12).Draw(t, "link")}
		p := Transfer{Func: rapid.SampledFrom(graph.Exchanges).Draw(t, "func"), Ranks: rapid.IntRange(2, 8).Draw(t, "ranks"), Bytes: float64(scaled(t, "bytes", 1, 1<<30)),
			Narrow: rapid.Bool().Draw(t, "narrow"), Tokens: scaled(t, "tokens", 1, 1<<16), Hidden: scaled(t, "hidden", 64, 8192), Picks: rapid.IntRange(1, 8).Draw(t, "picks"),
			Experts: 8 * scaled(t, "experts", 1, 64), SMs: 4 * rapid.IntRange(0, 6).Draw(t, "sms"), Size: 2}
		x, ok := l.Transfer(&c, p)
		if !ok {
			require.Empty(t, l.rules.far)
			return
		}
		switch {
		case p.Func != "dispatch" && p.Func != "combine":
			sent := p.wire()
			if p.Func == "all_reduce" || p.Func == "custom_all_reduce" { // a switch adds up
				sent = p.Bytes * float64(p.Ranks-1) / float64(p.Ranks)
			}
			require.GreaterOrEqual(t, x.Total, sent/c.Link)
		default:
			require.GreaterOrEqual(t, x.Total, x.Bytes/c.Link)
		}
		fast := c
		fast.Link *= 1.7
		y, _ := l.Transfer(&fast, p)
		require.LessOrEqual(t, y.Total, x.Total*(1+1e-9))
		p.Bytes *= 1.5
		p.Tokens += 1 + p.Tokens/2
		z, _ := l.Transfer(&c, p)
		require.GreaterOrEqual(t, z.Total, x.Total*(1-1e-9))
		if p.SMs > 0 {
			p.SMs *= 2
			w, _ := l.Transfer(&c, p)
			require.LessOrEqual(t, w.Total, z.Total*(1+1e-9))
		}
	})
}

// What each rule is made for: switches add up elements of two bytes, own kernels are ahead of NCCL
// for few bytes and leave it large ones, a token of many picks is sent to a chip once, and few
// experts are served by few warps.
func TestRulesOfTransfers(t *testing.T) {
	l, _ := LinksOf("sm90")
	c := Chip{Link: 450e9}
	time := func(p Transfer) float64 {
		x, ok := l.Transfer(&c, p)
		require.True(t, ok)
		return x.Total
	}
	of := func(fn string, bytes float64, narrow bool) float64 {
		return time(Transfer{Func: fn, Ranks: 8, Bytes: bytes, Narrow: narrow})
	}
	require.Less(t, of("all_reduce", 1<<29, false), 0.85*of("all_reduce", 1<<29, true))
	require.Less(t, of("custom_all_reduce", 1<<14, false), 0.4*of("all_reduce", 1<<14, false))
	require.InEpsilon(t, 1.037, of("custom_all_reduce", 1<<28, false)/of("all_reduce", 1<<28, false), 1e-9)
	spread := func(picks, experts, sms int) float64 {
		return time(Transfer{Func: "dispatch", Ranks: 8, Tokens: 1024, Hidden: 4096, Picks: picks, Experts: experts, SMs: sms, Size: 2})
	}
	require.Less(t, spread(64, 256, 20), 1.6*spread(8, 256, 20))
	require.Greater(t, spread(64, 256, 0), 7*spread(8, 256, 0))
	require.Greater(t, spread(2, 8, 0), 2*spread(2, 256, 0))
	for _, generation := range []string{"sm89", "sm120", "sm86", "cdna3"} {
		_, ok := LinksOf(generation)
		require.False(t, ok, generation)
	}
	a, _ := LinksOf("sm80")
	_, ok := a.Transfer(&c, Transfer{Func: "dispatch", Ranks: 8, Tokens: 1, Hidden: 1, Picks: 1, Experts: 8})
	require.False(t, ok, "none was measured")
}
