package link_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// Errors one way and both ways, up to one flit in twenty: goodput is
// (1-x)(1-p)/(1+p(N-1)), N and x measured. N is the shortest replay, and the timeouts of
// lost requests and answers.
func TestGoodputWithLostRequests(t *testing.T) {
	for _, c := range []struct {
		ber     [2]float64 // to device, to host
		timeout int
		span    float64 // ps
	}{
		{[2]float64{0, 1e-5}, 4096, 2e9},
		{[2]float64{0, 1e-4}, 4096, 8e9},
		{[2]float64{1e-6, 1e-6}, 4096, 4e8},
		{[2]float64{1e-5, 1e-5}, 400, 4e8},
		{[2]float64{1e-5, 1e-5}, 4096, 1e9},
		{[2]float64{3e-5, 1e-6}, 4096, 1e9},
		{[2]float64{1e-4, 1e-4}, 400, 4e8},
		{[2]float64{1e-4, 1e-4}, 4096, 8e9},
	} {
		cfg := link.DefaultConfig()
		cfg.BER, cfg.Seed, cfg.Timeout = c.ber, 42, c.timeout
		for k := range cfg.Credits {
			cfg.Credits[k] = 4000
		}
		e := newLink(t, cfg)
		got := saturate(e, int64(c.span), flit.S2MDRS)[1] / (68 / cfg.FlitTime() * 128 / 153)
		n := &e.l.Count[flit.Up]
		p, q := cfg.Wrong(flit.Up), cfg.Wrong(flit.Down)
		N := n.ReplayWait / float64(n.Replays)
		x := n.Extra / (c.span / cfg.FlitTime())
		law := (1 - x) * (1 - p) / (1 + p*(N-1))
		t.Logf("BER %g, timeout %d: p %.4g, N %.1f, x %.4f, goodput %.4f, law %.4f (%+.2f%%), %d replays", c.ber, c.timeout, p, N, x, got, law, 100*(got/law-1), n.Replays)
		require.InEpsilon(t, law, got, 0.02)
		if c.ber[0] == 0 {
			require.Zero(t, x)
		}
		// 17 flit times at the least; a request is lost with q, an answer with p
		lost := 1 - (1-p)*(1-q)
		want := 17 + float64(c.timeout)*lost/(1-lost)
		if n.Replays > 1000 && c.ber[0] == 0 {
			require.InEpsilon(t, want, N, 4*math.Sqrt((want-17)/float64(c.timeout)/float64(n.Replays))*float64(c.timeout)/want)
		}
	}
}
