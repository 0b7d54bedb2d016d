package dram_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram"
)

var benchmarks = []struct{ config, pattern, mode string }{
	{"ddr4_open_AllBank", "seq_r", "open:12"}, {"ddr4_open_AllBank", "rand_r", "open:12"},
	{"ddr4_open_AllBank", "rand_r", "open:16"}, {"ddr4_open_AllBank", "rand_r", "open:32"},
	{"ddr4_close_AllBank", "rand_r", "open:16"},
	{"ddr4_open_AllBank", "seq_r", "open:4"}, {"ddr4_open_AllBank", "rand_r", "open:4"},
	{"ddr4_open_AllBank", "rand_r", "closed:64"}, {"ddr4_open_AllBank", "rand_2r1w", "closed:64"},
	{"ddr4_close_AllBank", "seq_r", "open:4"}, {"ddr5_open_AllBank", "rand_r", "closed:64"},
}

// Requests per second of one core: the traces of the peers, from the trace in
// memory to the last answer. The peers reach (medians, Ramulator and DRAMsim3)
// 370 k and 206 k from open:12 to open:32, 150 k and 107 k saturated.
func BenchmarkTraces(b *testing.B) {
	for _, c := range benchmarks {
		b.Run(c.config+"/"+c.pattern+"/"+c.mode, func(b *testing.B) {
			b.ReportAllocs()
			s := settings[c.config]
			cfg := s.config()
			m := address.New(s.mapped, cfg.Grade.Organisation.Geometry(1))
			reqs := pattern(c.pattern)
			for range b.N {
				b.StopTimer()
				h := newHarness(reqs)
				d, err := dram.New(cfg, h)
				require.NoError(b, err)
				b.StartTimer()
				h.run(d, m, c.mode)
			}
			b.ReportMetric(float64(b.N*len(reqs))/b.Elapsed().Seconds(), "requests/s")
		})
	}
}

// ignore is a sink without memory.
type ignore struct{}

func (ignore) Accepted(uint32, int64) {}
func (ignore) Done(uint32, int64)     {}

// In steady state nothing is allocated.
func TestNoAllocation(t *testing.T) {
	for _, s := range []setting{settings["ddr4_open_AllBank"], settings["ddr5_close_AllBank"], settings["c_close"]} {
		cfg := s.config()
		m := address.New(s.mapped, cfg.Grade.Organisation.Geometry(1))
		c, err := dram.New(cfg, ignore{})
		require.NoError(t, err)
		reqs, i, at := pattern("rand_2r1w"), 0, int64(0)
		step := func() {
			r := reqs[i%len(reqs)]
			c.Push(at, uint32(i), m.Decode(r.addr/64), r.write)
			c.Run(at)
			i, at = i+1, at+16
		}
		for range 1000 {
			step()
		}
		require.Zero(t, testing.AllocsPerRun(10000, step))
	}
}
