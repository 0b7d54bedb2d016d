package dram_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/dram"
)

// What holds commands back adds up to the latencies of reads that come one at a time: a closed
// row, a hit and a conflict of 22 + 26, 26 and 22 + 22 + 26 clocks.
func TestHoldsOfIdleReads(t *testing.T) {
	s := noRefresh("ddr4_3200")
	cfg := s.config()
	m := s.parse()
	stride := uint64(1) << (m.Bits() - 16) * 64 // the next row of the same bank
	h := newHarness([]request{{addr: 0}, {addr: 64}, {addr: stride}})
	c, err := dram.New(cfg, h)
	require.NoError(t, err)
	for i, q := range h.reqs {
		c.Push(int64(i*1000), uint32(i), m.Decode(q.addr/64), false)
	}
	for !c.Idle() {
		c.Run(c.Next())
	}
	require.Equal(t, map[string]uint64{"row_activation": 2 * 22, "precharge": 22, "latency": 3 * 26}, c.Held())
}

// Sequential reads are held back by the data pins, random ones by the spacing of activations,
// and reads between writes by turns of the bus too.
func TestHoldsOfStreams(t *testing.T) {
	share := func(name string) map[string]float64 {
		s := noRefresh("ddr4_3200")
		cfg := s.config()
		m := s.parse()
		reqs := pattern(name)[:4000]
		h := newHarness(reqs)
		c, err := dram.New(cfg, h)
		require.NoError(t, err)
		for i, q := range reqs {
			c.Push(int64(4*i), uint32(i), m.Decode(q.addr/64), q.write)
		}
		for !c.Idle() {
			c.Run(c.Next())
		}
		held, sum := c.Held(), 0.0
		for _, n := range held {
			sum += float64(n)
		}
		out := map[string]float64{}
		for name, n := range held {
			out[name] = float64(n) / sum
		}
		return out
	}
	require.Greater(t, share("seq_r")["transfer"], 0.9)
	random := share("rand_r")
	require.Greater(t, random["activation_rate"], random["transfer"])
	require.Greater(t, share("seq_2r1w")["turnaround"], 0.01)
	require.Zero(t, share("seq_r")["turnaround"])
}
