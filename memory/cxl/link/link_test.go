package link_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// end is the owner of both receivers: it notes what arrives and gives buffers back
// hold ps later.
type end struct {
	l       *link.Link
	hold    int64
	due     []release
	refs    [flit.Classes][]uint32
	io      []uint32
	last    int64
	keep    bool
	times   []link.Times
	arrived int
	left    int
}

type release struct {
	at int64
	c  flit.Class
}

func (e *end) Arrived(m *flit.Message, at link.Times) {
	e.arrived++
	if e.keep {
		e.refs[m.Class] = append(e.refs[m.Class], m.Ref)
		e.times = append(e.times, at)
	}
	e.last = at.At
	e.due = append(e.due, release{at.At + e.hold, m.Class})
}

func (e *end) Departed(*flit.Message, int64) { e.left++ }

func (e *end) ArrivedIO(_ flit.Direction, ref uint32, at link.Times) {
	e.io = append(e.io, ref)
	e.last = at.At
}

// run carries on until time until; the releases are in order of time.
func (e *end) run(until int64) {
	for {
		t := e.l.Next()
		if len(e.due) > 0 {
			t = min(t, e.due[0].at)
		}
		if t > until || t == link.Never {
			return
		}
		k := 0
		for k < len(e.due) && e.due[k].at <= t {
			e.l.Release(e.due[k].at, e.due[k].c)
			k++
		}
		e.due = e.due[:copy(e.due, e.due[k:])]
		e.l.Run(t)
	}
}

func newLink(t require.TestingT, cfg link.Config) *end {
	e := &end{}
	l, err := link.New(cfg, e)
	require.NoError(t, err)
	e.l = l
	return e
}

// One read answer on an idle link: a flit of 68 B with the header and three
// quarters of the line, a second with the rest.
func TestUnloadedTimes(t *testing.T) {
	for _, c := range []struct {
		rate, lanes int
		mode        flit.Mode
		flits       float64
		ps          float64 // of a flit
	}{
		{32, 16, flit.Flit68, 2, 68 * 8 * 130. / 128 / 512 * 1000},
		{32, 8, flit.Flit68, 2, 68 * 8 * 130. / 128 / 256 * 1000},
		{8, 1, flit.Flit68, 2, 68 * 8 * 130. / 128 / 8 * 1000},
		{16, 4, flit.Flit256, 1, 256 * 8 * 130. / 128 / 64 * 1000},
		{64, 16, flit.Flit256, 1, 2000},
		{64, 2, flit.FlitPBR, 1, 16000},
	} {
		cfg := link.DefaultConfig()
		cfg.Rate, cfg.Lanes, cfg.Mode, cfg.Limits, cfg.Latency = c.rate, c.lanes, c.mode, flit.DefaultLimits(c.mode), 7000
		e := newLink(t, cfg)
		e.keep = true
		e.l.Push(100, flit.Message{Class: flit.S2MDRS})
		e.run(link.Never - 1)
		require.Len(t, e.times, 1)
		require.InDelta(t, c.ps, cfg.FlitTime(), 1e-6)
		sent := int64(100 + math.Ceil(c.flits*c.ps-1e-9))
		cfg.Bypass = true
		require.InDelta(t, float64(c.mode.Bytes()*8*1000)/float64(c.rate*c.lanes), cfg.FlitTime(), 1e-6)
		require.Equal(t, link.Times{Start: 100, Sent: sent, At: sent + 7000}, e.times[0], fmt.Sprint(c))
	}
}

// saturate keeps every class that is named waiting, and returns the bytes of lines
// per ps that arrive in a direction.
func saturate(e *end, until int64, classes ...flit.Class) [2]float64 {
	var from [2]uint64
	start := until / 5
	for t := int64(0); t < until; t += 2000 {
		for _, c := range classes {
			for e.l.Waiting(c) < 64 {
				e.l.Push(t, flit.Message{Class: c})
			}
		}
		if t <= start && t+2000 > start {
			from = [2]uint64{e.l.Count[0].Data, e.l.Count[1].Data}
			start = t
		}
		e.run(t + 1999)
	}
	var out [2]float64
	for d := range out {
		out[d] = float64(e.l.Count[d].Data-from[d]) / float64(until-start)
	}
	return out
}

// Enough credits: the packer's rate, with its reverse direction idle and busy.
func TestSaturatedLink(t *testing.T) {
	cfg := link.DefaultConfig()
	for c := range cfg.Credits {
		cfg.Credits[c] = 1000
	}
	raw := 68 / cfg.FlitTime()
	got := saturate(newLink(t, cfg), 2e7, flit.S2MDRS)
	require.InEpsilon(t, raw*128/153, got[1], 0.002)
	got = saturate(newLink(t, cfg), 2e7, flit.S2MDRS, flit.M2SRwD)
	require.InEpsilon(t, raw*128/153, got[1], 0.002)
	require.InEpsilon(t, raw*64/85, got[0], 0.002)
}

// Throughput = min(link, credits*64/RTT), RTT from spending a credit to spending
// it again, unloaded: with one credit it is the time from message to message.
func TestCreditsBindTheLink(t *testing.T) {
	rtt := func(class flit.Class, hold int64) float64 {
		cfg := link.DefaultConfig()
		cfg.Credits[class] = 1
		e := newLink(t, cfg)
		e.hold, e.keep = hold, true
		for range 11 {
			e.l.Push(0, flit.Message{Class: class})
		}
		e.run(link.Never - 1)
		require.Len(t, e.times, 11)
		return float64(e.times[10].Start-e.times[0].Start) / 10
	}
	for _, class := range []flit.Class{flit.M2SRwD, flit.S2MDRS} {
		share := map[flit.Class]float64{flit.M2SRwD: 64. / 85, flit.S2MDRS: 128. / 153}[class]
		for _, hold := range []int64{20_000, 60_000, 200_000} {
			one := rtt(class, hold)
			for _, credits := range []int{1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256} {
				cfg := link.DefaultConfig()
				cfg.Credits[class] = credits
				e := newLink(t, cfg)
				e.hold = hold
				got := saturate(e, 3e7, class)[class.Direction()]
				want := min(68/cfg.FlitTime()*share, float64(credits)*64/one)
				t.Logf("%s hold %3d ns, %3d credits: %.3f GB/s, law %.3f (%+.2f%%)", class, hold/1000, credits, 1000*got, 1000*want, 100*(got/want-1))
				require.InEpsilon(t, want, got, 0.01)
			}
		}
	}
}

// Goodput of go-back-N: (1-p)/(1+p(N-1)), with N as measured.
func TestGoodput(t *testing.T) {
	for _, ber := range []float64{1e-7, 1e-6, 1e-5, 3e-5, 1e-4} {
		cfg := link.DefaultConfig()
		cfg.BER[flit.Up], cfg.Seed = ber, 42
		cfg.Timeout = 400 // lost answers are rare and long: more of them to count
		for c := range cfg.Credits {
			cfg.Credits[c] = 4000
		}
		e := newLink(t, cfg)
		got := saturate(e, 2e8, flit.S2MDRS)[1]
		clean := 68 / cfg.FlitTime() * 128 / 153
		p := 1 - math.Pow(1-ber, 528)
		require.InEpsilon(t, p, cfg.Wrong(flit.Up), 1e-9)
		n := &e.l.Count[1]
		N := 1.
		if n.Replays > 0 {
			N = n.ReplayWait / float64(n.Replays)
		}
		want := (1 - p) / (1 + p*(N-1))
		t.Logf("BER %g: p %.4g, N %.2f, goodput %.4f, law %.4f (%+.2f%%), %d replays", ber, p, N, got/clean, want, 100*(got/clean/want-1), n.Replays)
		require.InEpsilon(t, want, got/clean, 0.02)
		require.Greater(t, n.Replays, uint64(0))
	}
}

// Whatever errors there are, in both directions at once: everything arrives, once
// and in order, and all credits come home.
func TestNothingIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := link.DefaultConfig()
		cfg.Mode = flit.Mode(rapid.IntRange(0, int(flit.Modes)-1).Draw(t, "mode"))
		cfg.Limits = flit.DefaultLimits(cfg.Mode)
		ber := rapid.SampledFrom([]float64{0, 1e-5, 1e-4, 5e-4}).Draw(t, "ber")
		if cfg.Mode != flit.Flit68 {
			ber *= 3
		}
		cfg.BER = [2]float64{ber, ber}
		cfg.Seed = rapid.Uint64().Draw(t, "seed")
		cfg.Retry = rapid.SampledFrom([]int{9, 10, 31, 255}).Draw(t, "retry")
		cfg.Timeout = 300
		cfg.Latency = rapid.Int64Range(0, 30_000).Draw(t, "latency")
		for c := range cfg.Credits {
			cfg.Credits[c] = rapid.IntRange(1, 300).Draw(t, "credits")
		}
		e := newLink(t, cfg)
		e.keep, e.hold = true, rapid.Int64Range(0, 400_000).Draw(t, "hold")
		var want [flit.Classes][]uint32
		var io []uint32
		at := int64(0)
		for i := range uint32(rapid.IntRange(1, 300).Draw(t, "n")) {
			at += rapid.Int64Range(0, 3000).Draw(t, "gap")
			e.run(at)
			if rapid.IntRange(0, 9).Draw(t, "io") == 0 {
				e.l.PushIO(at, flit.Up, rapid.IntRange(4, 700).Draw(t, "bytes"), i)
				io = append(io, i)
				continue
			}
			c := rapid.SampledFrom([]flit.Class{flit.M2SReq, flit.M2SRwD, flit.S2MNDR, flit.S2MDRS, flit.H2DReq, flit.D2HData}).Draw(t, "class")
			want[c] = append(want[c], i)
			e.l.Push(at, flit.Message{Class: c, Ref: i})
		}
		e.run(link.Never - 1)
		require.Equal(t, want, e.refs)
		require.Equal(t, e.arrived, e.left)
		require.Equal(t, io, e.io)
		for c := range flit.Classes {
			require.Equal(t, cfg.Credits[c], e.l.Credits(c), c.String())
		}
		for i := range e.times {
			x := e.times[i]
			require.LessOrEqual(t, x.Sent+cfg.Latency, x.At)
			if ber == 0 {
				require.Equal(t, x.Sent+cfg.Latency, x.At)
			}
		}
	})
}

// Cache and mem share the link with io by turns.
func TestSharesOfIO(t *testing.T) {
	for _, share := range [][2]int{{1, 1}, {3, 1}, {1, 2}, {8, 1}} {
		cfg := link.DefaultConfig()
		cfg.Share = share
		for c := range cfg.Credits {
			cfg.Credits[c] = 1000
		}
		e := newLink(t, cfg)
		for i := range uint32(2000) {
			e.l.PushIO(0, flit.Up, 256+24, i)
		}
		got := saturate(e, 3e6, flit.S2MDRS)[1]
		full := 68 / cfg.FlitTime() * 128 / 153
		require.InEpsilon(t, float64(share[0])/float64(share[0]+share[1]), got/full, 0.01, fmt.Sprint(share))
	}
}

// A retry buffer smaller than the way to the Ack and back bounds the rate: its
// flits per round trip.
func TestRetryBufferBinds(t *testing.T) {
	cfg := link.DefaultConfig()
	cfg.Latency = 50_000
	for _, cfg.Retry = range []int{16, 33, 40, 64, 100} {
		for c := range cfg.Credits {
			cfg.Credits[c] = 100_000
		}
		e := newLink(t, cfg)
		e.hold = 1e12 // no credits go back: the other direction has Acks only
		got := saturate(e, 2e7, flit.S2MDRS)[1]
		full := 68 / cfg.FlitTime() * 128 / 153
		// One place of the buffer is for an Ack, window are for data. Places become
		// free by eights: flit 8k, acknowledged, lets those up to 8k+window go, the
		// last eight of which are new. The r-th of them is the last of an eight again.
		window := cfg.Retry - 1
		r := 8 - window%8
		trip := 2*float64(cfg.Latency) + (2+float64(r-1))*cfg.FlitTime()
		law := min(1, float64(window-8+r)*cfg.FlitTime()/trip)
		t.Logf("buffer %d: %.4f of the link, law %.4f", cfg.Retry, got/full, law)
		require.InEpsilon(t, law, got/full, 0.01)
	}
}

func TestBadConfig(t *testing.T) {
	cfg := link.DefaultConfig()
	cfg.Rate, cfg.Lanes, cfg.BER[0], cfg.Retry = 12, 3, 1, 4
	cfg.Credits[flit.S2MDRS] = 0
	_, err := link.New(cfg, nil)
	require.EqualError(t, err, "rate 12 GT/s (want one of: 8, 16, 32, 64)\n"+
		"3 lanes (want one of: 1, 2, 4, 8, 16)\n"+
		"no credits of S2MDRS: nothing of it could be sent\n"+
		"retry buffer of 4 flits with an Ack every 8 (want more than that, at most 1023)\n"+
		"bit error rate 1 (want 0 to less than 1)")
	cfg = link.DefaultConfig()
	cfg.Rate = 64
	require.EqualError(t, cfg.Check(), "64 GT/s has flits of 256 B only")
}

func BenchmarkReads(b *testing.B) {
	cfg := link.DefaultConfig()
	e := &end{hold: 50_000}
	l, err := link.New(cfg, e)
	require.NoError(b, err)
	e.l = l
	b.ReportAllocs()
	t := int64(0)
	for e.arrived < b.N {
		for l.Waiting(flit.S2MDRS) < 16 {
			l.Push(t, flit.Message{Class: flit.S2MDRS})
		}
		t += 10_000
		e.run(t)
	}
}

func TestNoGarbage(t *testing.T) {
	cfg := link.DefaultConfig()
	cfg.BER = [2]float64{1e-6, 1e-6}
	e := newLink(t, cfg)
	now := int64(0)
	step := func() {
		for e.l.Waiting(flit.S2MDRS) < 16 {
			e.l.Push(now, flit.Message{Class: flit.S2MDRS})
		}
		now += 100_000
		e.run(now)
	}
	for range 100 {
		step()
	}
	require.Zero(t, testing.AllocsPerRun(20, step))
}
