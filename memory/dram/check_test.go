package dram_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/buslog"
	"github.com/causeway-sim/causeway/memory/dram/ecc"
	"github.com/causeway-sim/causeway/memory/dram/standard"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// corrected is a channel of DDR4-3200 with ECC, whose commands are checked.
func corrected(t require.TestingT, s ecc.Setting, scrub int64, ref dram.RefreshMode, sink dram.Sink) *dram.Controller {
	g, _ := standard.Find("ddr4_3200")
	cfg := dram.DefaultConfig(g)
	cfg.Refresh, cfg.ECC, cfg.Scrub = ref, s, scrub
	c, err := dram.New(cfg, sink)
	require.NoError(t, err)
	check := buslog.NewChecker(g)
	c.Observe(func(r buslog.Record) { require.NoError(t, check.Check(r)) })
	return c
}

// Bursts of inline check bits equal a count by hand: one has those of eight bursts of data.
func TestBurstsOfCheckBits(t *testing.T) {
	for _, x := range []struct {
		what          string
		cache, stride int
		write         bool
		reads, writes uint64
	}{
		{"64 bursts of a row read: a burst for eight", 0, 1, false, 8, 0},
		{"64 bursts, eight apart: a burst for each", 0, 8, false, 64, 0},
		{"64 bursts written: a burst for eight is read before it is changed, and the controller holds all", 0, 1, true, 8, 0},
		{"the controller holds one, and writes it when the next comes", 1, 1, true, 8, 7},
		{"the controller holds 16 of 64", 0, 8, true, 64, 48},
		{"the same burst 64 times", 0, 0, false, 1, 0},
	} {
		sink := &counted{}
		c := corrected(t, ecc.Setting{Kind: "inline", Cache: x.cache}, 0, dram.NoRefresh, sink)
		for i := range 64 {
			at := i * x.stride
			c.Push(int64(200*i), uint32(i), address.Coord{address.Row: uint32(at / 128), address.Column: uint32(at % 128)}, x.write)
		}
		c.Finish(100_000)
		require.Equal(t, 64, sink.n, x.what)
		require.Equal(t, [2]uint64{x.reads, x.writes}, [2]uint64(c.Count.Own[2:4]), x.what)
		k := &c.Count.Commands
		require.Equal(t, 64+x.reads+x.writes, k[standard.RD]+k[standard.WR], "%s: they are on the bus", x.what)
		require.Equal(t, map[bool]uint64{false: 64, true: 0}[x.write], c.FromArrival.N, "latencies are those of requests")
	}
}

// A read is answered when its check bits have come: ACT of its row in clock 0 and of theirs tRRD_S later, then tRCD, CL and the
// burst. The next one, whose check bits are there, takes as long as without.
func TestReadsWaitForCheckBits(t *testing.T) {
	sink := &counted{}
	c := corrected(t, ecc.Setting{Kind: "inline"}, 0, dram.NoRefresh, sink)
	c.Push(0, 0, address.Coord{}, false)
	c.Push(1000, 1, address.Coord{address.Column: 1}, false)
	c.Run(5000)
	require.Equal(t, []int64{4 + 22 + 22 + 4, 1000 + 22 + 4}, sink.at)
	sink = &counted{}
	c = corrected(t, ecc.Setting{Kind: "side_band"}, 0, dram.NoRefresh, sink)
	c.Push(0, 0, address.Coord{}, false)
	c.Run(5000)
	require.Equal(t, []int64{22 + 22 + 4}, sink.at)
	require.Zero(t, c.Count.Own)
}

// The scrubber reads a burst in each interval, and check bits for eight of them.
func TestScrubberReads(t *testing.T) {
	for _, x := range []struct {
		kind   string
		checks uint64
	}{{"side_band", 0}, {"inline", 13}} {
		c := corrected(t, ecc.Setting{Kind: x.kind}, 1000, dram.AllBank, ignore{})
		c.Finish(100_500)
		require.EqualValues(t, 100, c.Count.Own[4])
		require.Equal(t, x.checks, c.Count.Own[2])
		require.EqualValues(t, 100+x.checks, c.Count.Commands[standard.RD])
	}
}

// counted is a sink that keeps when bursts are done.
type counted struct {
	n  int
	at []int64
}

func (*counted) Accepted(uint32, int64) {}
func (s *counted) Done(_ uint32, at int64) {
	s.n++
	s.at = append(s.at, at)
}

// Bursts at random clocks are all served, with legal commands, whatever the controller holds.
func TestECCServesAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sink := &counted{}
		s := ecc.Setting{Kind: rapid.SampledFrom([]string{"inline", "side_band"}).Draw(t, "kind"), Cache: rapid.IntRange(1, 20).Draw(t, "cache")}
		c := corrected(t, s, rapid.SampledFrom([]int64{0, 100, 3000}).Draw(t, "scrub"), dram.RefreshMode(rapid.SampledFrom([]int{0, 3}).Draw(t, "refresh")), sink)
		n, at := rapid.IntRange(1, 200).Draw(t, "bursts"), int64(0)
		for i := range n {
			at += rapid.SampledFrom([]int64{0, 0, 1, 30, 500}).Draw(t, "gap")
			c.Push(at, uint32(i), address.Coord{address.Bank: uint32(rapid.IntRange(0, 3).Draw(t, "bank")), address.Row: uint32(rapid.IntRange(0, 2).Draw(t, "row")), address.Column: uint32(rapid.IntRange(0, 127).Draw(t, "column"))}, rapid.Bool().Draw(t, "write"))
			if rapid.Bool().Draw(t, "run") {
				c.Run(at)
			}
		}
		c.Run(at + 100_000)
		require.Equal(t, n, sink.n)
		for _, done := range sink.at {
			require.LessOrEqual(t, done, at+100_000)
		}
	})
}

// A write of a part of a burst reads the burst before. The node says what ECC took, and energies are those of nine chips where
// there were eight.
func TestNodeWithECC(t *testing.T) {
	s := dram.DefaultSpec()
	s.Refresh.Mode, s.Map = "none", plainMap
	list := []memtest.Request{{Bytes: 64, Write: true}, {Cycle: 500, Bytes: 8, Addr: 64, Write: true}, {Cycle: 1000, Bytes: 100, Addr: 200, Write: true}, {Cycle: 1500, Bytes: 8, Addr: 512}}
	_, without := drive(t, s, 1, list...)
	require.NotContains(t, without, "check_reads")
	s.ECC.Kind = "side_band"
	_, n := drive(t, s, 1, list...)
	require.Equal(t, []float64{0, 0, 0, 3}, []float64{n["check_reads"], n["check_writes"], n["scrub_reads"], n["modify_reads"]}, "200 to 300 is a part of two bursts")
	require.Equal(t, without["commands_rd"]+3, n["commands_rd"])
	require.InEpsilon(t, without["energy_write"]*9/8, n["energy_write"], 1e-9)
	s.ECC.Kind = "inline"
	_, n = drive(t, s, 1, list...)
	require.Equal(t, []float64{2, 0, 0, 3}, []float64{n["check_reads"], n["check_writes"], n["scrub_reads"], n["modify_reads"]})
	require.InEpsilon(t, without["energy_write"], n["energy_write"], 1e-9)
}

// The key ecc has keys that need each other, and a grade with pins.
func TestECCOfKeys(t *testing.T) {
	for keys, want := range map[string]string{
		"{ecc: {kind: side_band, scrub: 1us}}":               "",
		"{ecc: {kind: inline, cache: 4, scrub: 1us}}":        "",
		"{ecc: {kind: parity}}":                              "parity",
		"{ecc: {kind: side_band, cache: 4}}":                 "ecc.cache: has no effect with kind side_band (used by: inline)",
		"{ecc: {scrub: 1us}}":                                "ecc: scrub goes with check bits",
		"{ecc: {kind: inline, scrub: 10ns}}":                 "ecc: a burst of the scrubber every 16 clocks (want more than a row cycle, 74)",
		"{grade: lpddr5_6400, ecc: {kind: side_band}}":       "ecc: lpddr5_6400 has no pins for check bits (want inline)",
		"{grade: lpddr5_6400, ecc: {kind: inline}}":          "",
		"{grade: hbm2, ecc: {kind: side_band, scrub: 10us}}": "",
	} {
		_, err := ofKeys(t, "", keys)
		if want == "" {
			require.NoError(t, err, keys)
			continue
		}
		require.ErrorContains(t, err, want, keys)
	}
}
