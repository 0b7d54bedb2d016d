package cache_test

import (
	"math"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// One request at a time, the derived metrics are those of the requester's own log: ratios, bandwidth,
// latencies, energy and area. The tallies of slices and of kinds add up to the accesses.
func TestDerivedMetricsAreThoseOfTheLog(t *testing.T) {
	often(t, 5, func(t *rapid.T) {
		s := randomSpec(t)
		s.Detail = []string{"slice", "kind"}
		perByte := units.Energy(3e-12)
		s.Energy.Byte = &perByte
		list := requests(t, 40, 3000)
		for name, build := range fidelities(t, s) {
			e := engine.New()
			r := memtest.New("Core", e, clock.GHz, nil, list...)
			r.Window = 1
			c := build(e)
			detailed := rapid.Bool().Draw(t, "a table of tensors")
			if detailed {
				c.(system.Detailed).RecordDetail()
			}
			got, below := drive(t, e, c, 30, r)
			sum, longest, bytes := 0.0, 0.0, [2]uint64{}
			for i, q := range list {
				took := float64(r.Answer[i] - r.Send[i] - 2) // a cycle on the link each way
				sum, longest = sum+took, max(longest, took)
				if q.Write {
					bytes[1] += q.Bytes
				} else {
					bytes[0] += q.Bytes
				}
			}
			n := len(list)
			near := func(want float64, metric string) {
				require.InDelta(t, want, got[metric], 1e-9*max(1, want), "%s: %s", name, metric)
			}
			near(sum/float64(n), "latency_mean")
			near(longest, "latency_max")
			near(float64(bytes[0]), "read_bytes")
			near(float64(bytes[1]), "write_bytes")
			if span := float64(r.Answer[n-1] - 1 - (r.Send[0] + 1)); span > 0 {
				near(float64(bytes[0]+bytes[1])/span, "bandwidth")
			}
			near(got["hits"]/got["accesses"], "hit_rate")
			near(got["misses"]/got["accesses"], "miss_ratio")
			near(below["reads"], "below_reads")
			near(below["writes"], "below_writes")
			near(below["read_bytes"], "below_read_bytes")
			near(below["write_bytes"], "below_write_bytes")
			near(3*(got["read_bytes"]+got["write_bytes"]+below["read_bytes"]+below["write_bytes"]), "energy")
			area, _ := energy.SRAMArea(s.Energy.Process, s.Size)
			unit := 0.0
			if s.Policy.Name == "dco" {
				unit = 0.064 // as published
				near(unit, "area_policy")
			}
			near(area+unit, "area")
			if _, table := c.(system.Detailed).Detail(); detailed {
				rows := [3]float64{} // accesses, hits and bypasses of all tensors
				for _, row := range table.All() {
					for i := range rows {
						rows[i] += float64(row[3+i].(uint64))
					}
				}
				require.Equal(t, [3]float64{got["accesses"], got["hits"], got["bypasses"]}, rows, name)
			} else {
				require.Nil(t, table)
			}
			sums := map[string]float64{}
			for metric, v := range got {
				if kind, _, ok := strings.Cut(metric, "_"); ok && strings.HasSuffix(metric, "_accesses") {
					sums[kind] += v
				}
			}
			require.Equal(t, map[string]float64{"slice": got["accesses"], "kind": got["accesses"]}, sums, name)
		}
	})
}

// The analytical view of a cache: banks times their width, and each memory below once, with the
// slowest way there and back.
func TestMachine(t *testing.T) {
	s := cache.DefaultTimedSpec()
	s.Slices, s.Banks, s.Width = 4, 2, 32
	e := engine.New()
	c := newTimed(t, e, s)
	near, far := sim.Port(engine.NewPort(c, "Near", 1)), sim.Port(engine.NewPort(c, "Far", 1))
	half := clock.Hz(5e8)
	ways := []memory.Path{{Clock: clock.GHz, Request: 3, Response: 5, Latency: 40, Bandwidth: 8e9}, {Clock: half, Request: 2, Response: 7, Latency: 30, Bandwidth: 16e9}}
	homes, err := memory.NewMap(
		memory.Range{Size: 1 << 20, Interleave: 4096, Ports: []sim.Port{near, far}, Paths: ways},
		memory.Range{Base: 1 << 20, Size: 1 << 20, Ports: []sim.Port{near}, Paths: ways[:1]})
	require.NoError(t, err)
	require.NoError(t, c.SetMap("bottom", homes))
	m, policy := c.Machine()
	require.Equal(t, "lru", policy)
	require.EqualValues(t, 1<<20, m.Capacity)
	require.InEpsilon(t, 4*2*32e9, m.Cache, 1e-12)
	require.InEpsilon(t, 3e9, m.Memory, 1e-12, "a memory with two ranges counts once")
	require.InEpsilon(t, (2*32+7+20)*1e-9, m.Latency, 1e-12)
	latency, bandwidth := c.Nominal()
	require.EqualValues(t, 20, latency)
	require.InEpsilon(t, 8*4*2*32e9, float64(bandwidth), 1e-12)

	ways[0].Bandwidth = 0
	homes, err = memory.NewMap(memory.Range{Size: 1 << 20, Ports: []sim.Port{near}, Paths: ways[:1]})
	require.NoError(t, err)
	require.NoError(t, c.SetMap("bottom", homes))
	m, _ = c.Machine()
	require.True(t, math.IsInf(m.Memory, 1), "bandwidth 0 is no limit")
}
