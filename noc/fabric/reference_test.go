package fabric_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/fabric/measure"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
	"github.com/causeway-sim/causeway/noc/traffic"
)

// A point is a row of a curve of BookSim.
type point struct {
	rate, latency, net, accepted, hops float64
	throughput                         bool
	sample                             int
}

func readCurve(t testing.TB, file string) []point {
	f, err := os.Open("testdata/" + file)
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	col := map[string]int{}
	for i, name := range rows[0] {
		col[name] = i
	}
	number := func(s string) float64 {
		if s == "" {
			return 0
		}
		x, err := strconv.ParseFloat(s, 64)
		require.NoError(t, err)
		return x
	}
	var out []point
	for _, row := range rows[1:] {
		p := point{
			rate: number(row[col["rate"]]), latency: number(row[col["pkt_lat"]]), net: number(row[col["net_lat"]]), accepted: number(row[col["accepted"]]), hops: number(row[col["hops"]]),
			throughput: row[col["sim_type"]] == "throughput",
		}
		for _, w := range strings.Fields(row[col["overrides"]]) {
			if n, ok := strings.CutPrefix(w, "sample_period="); ok {
				p.sample = int(number(n))
			}
		}
		require.NotZero(t, p.sample)
		out = append(out, p)
	}
	return out
}

// A scene is a network under one kind of traffic.
type scene struct {
	topology string
	spec     any
	routing  string
	rspec    any
	pattern  string
}

func (s scene) build(t testing.TB, tune func(*setting.Config)) (*fabric.Network, traffic.Pattern) {
	top, err := topology.New(s.topology, s.spec)
	require.NoError(t, err)
	alg, err := routing.New(s.routing, top, s.rspec)
	require.NoError(t, err)
	pat, err := traffic.New(s.pattern, top, 1)
	require.NoError(t, err)
	c := setting.BookSim(top, alg)
	if tune != nil {
		tune(&c)
	}
	n, err := fabric.New(c)
	require.NoError(t, err)
	return n, pat
}

var df72 = topology.DragonflySpec{P: 2, A: 4, H: 2}

// Every kept point of BookSim, within the tolerance that its place on the curve
// allows: latencies close to saturation depend on the seed. CAUSEWAY_LONG plays all points, else every second of a
// curve and full load are played.
func TestBookSimCurves(t *testing.T) {
	old := routing.UGALSpec{Threshold: 30, VCMap: "booksim"}
	own := routing.UGALSpec{Threshold: 30}
	for _, c := range []struct {
		file   string
		scene  scene
		vcs    int
		limit  float64
		upTo   float64             // highest rate whose latency is compared
		within map[float64]float64 // relative tolerance of the latency from this rate on
		sat    float64             // relative tolerance of the accepted load at rate 1
	}{
		{"df72_min_uniform.csv", scene{"dragonfly", df72, "min", nil, "uniform"}, 2, 1500, .8, map[float64]float64{0: .01, .75: .05}, .01},
		{"df72_min_adv1.csv", scene{"dragonfly", df72, "min", nil, "adv+1"}, 2, 1500, .11, map[float64]float64{0: .02, .1: .02}, .01},
		{"df72_ugal_uniform.csv", scene{"dragonfly", df72, "ugal_l", old, "uniform"}, 3, 1500, .7, map[float64]float64{0: .01, .7: .01}, 0},
		{"df72_ugal_uniform.csv", scene{"dragonfly", df72, "ugal_l", own, "uniform"}, 4, 1500, .7, map[float64]float64{0: .01, .7: .03}, 0},
		{"mesh88_uniform_vc4.csv", scene{"mesh", nil, "dor", nil, "uniform"}, 4, 500, .4, map[float64]float64{0: .02, .35: .04}, .01},
		{"mesh88_uniform_vc2.csv", scene{"mesh", nil, "dor", nil, "uniform"}, 2, 500, .1, map[float64]float64{0: .02}, .01},
		{"torus88_uniform_vc4.csv", scene{"torus", nil, "dor", nil, "uniform"}, 4, 500, .5, map[float64]float64{0: .02, .5: .04}, .01},
	} {
		for i, p := range readCurve(t, c.file) {
			if !p.throughput && p.rate > c.upTo {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d/%v", c.file, c.vcs, p.rate), func(t *testing.T) {
				if long := i%2 == 1 && !p.throughput && os.Getenv("CAUSEWAY_LONG") == ""; long || testing.Short() && p.rate > .3 {
					t.Skip("short")
				}
				t.Parallel()
				n, pat := c.scene.build(t, func(f *setting.Config) { f.VCs = c.vcs })
				rules := measure.BookSimRules()
				rules.Sample, rules.Limit = p.sample, c.limit
				if p.throughput {
					rules.Limit = 0
				}
				r, err := measure.Run(context.Background(), n, measure.Load{Pattern: pat, Rate: p.rate, Seed: 1}, rules)
				require.NoError(t, err)
				t.Logf("rate %.3g: latency %.2f (BookSim %.2f), accepted %.4f (%.4f), hops %.3f (%.3f)", p.rate, r.Latency, p.latency, r.Accepted, p.accepted, r.Hops+1, p.hops)
				if p.throughput {
					require.InEpsilon(t, p.accepted, r.Accepted, c.sat)
					require.InEpsilon(t, p.latency, r.Latency, .02, "source queues included")
					require.InEpsilon(t, p.net, r.NetLatency, .02)
					return
				}
				require.False(t, r.Saturated)
				from, within := -1., 0.
				for rate, w := range c.within {
					if rate <= p.rate && rate > from {
						from, within = rate, w
					}
				}
				require.InEpsilon(t, p.latency, r.Latency, within)
				require.InEpsilon(t, p.hops, r.Hops+1, .025)
				if p.rate >= .1 {
					require.InEpsilon(t, p.accepted, r.Accepted, .01)
				}
			})
		}
	}
}

// 1,056 terminals: 125.4 at 0.3. Reference: the same program and configuration
// with k=4.
func TestBookSim1056(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	t.Parallel()
	n, pat := scene{"dragonfly", topology.DragonflySpec{P: 4, A: 8, H: 4}, "min", nil, "uniform"}.build(t, nil)
	rules := measure.BookSimRules()
	rules.Sample, rules.Limit = 500, 1500
	r, err := measure.Run(context.Background(), n, measure.Load{Pattern: pat, Rate: .3, Seed: 1}, rules)
	require.NoError(t, err)
	require.InEpsilon(t, 125.4, r.Latency, .01)
	require.InEpsilon(t, 1.72348+.96970, r.Hops, .005)
}

// Beyond saturation a measurement says so.
func TestSaturates(t *testing.T) {
	n, pat := scene{"dragonfly", df72, "min", nil, "adv+1"}.build(t, nil)
	rules := measure.BookSimRules()
	r, err := measure.Run(context.Background(), n, measure.Load{Pattern: pat, Rate: .5, Seed: 1}, rules)
	require.NoError(t, err)
	require.True(t, r.Saturated)
}

// Three samples are measured after three of warm-up, and nothing of the latter.
func TestWarmUpIsLeftOut(t *testing.T) {
	n, pat := scene{"dragonfly", df72, "min", nil, "uniform"}.build(t, nil)
	rules := measure.BookSimRules()
	r, err := measure.Run(context.Background(), n, measure.Load{Pattern: pat, Rate: .3, Seed: 1}, rules)
	require.NoError(t, err)
	require.InEpsilon(t, 3*1000*72*.3, r.Packets, .02)
	require.InDelta(t, 6000+112, r.Cycles, 50)
	require.EqualValues(t, 5, r.Min, "a packet to its own terminal")
	require.Less(t, r.Max, int64(160))
}

func TestMeasureEndsWithItsContext(t *testing.T) {
	n, pat := scene{"mesh", nil, "dor", nil, "uniform"}.build(t, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := measure.Run(ctx, n, measure.Load{Pattern: pat, Rate: .3, Seed: 1}, measure.BookSimRules())
	require.ErrorIs(t, err, context.Canceled)
}
