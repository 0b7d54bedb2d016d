package curve

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
)

func TestBuiltInShapesAreSound(t *testing.T) {
	require.Equal(t, []string{"cxl_expander", "ddr4_3200_icelake", "ddr5_4800_graviton3", "hbm2_a64fx"}, shapeNames())
	for _, s := range shapes {
		require.NotEmpty(t, s.Source)
		for _, l := range s.Lines {
			require.NoError(t, CheckLine(l), s.Name)
		}
	}
}

func TestCheckLine(t *testing.T) {
	for want, l := range map[string]Line{
		"a share of reads of 1.5 (want 0 to 1)":                                  {1.5, []Point{{0, 1}, {1, 2}}},
		"a share of reads of NaN (want 0 to 1)":                                  {math.NaN(), []Point{{0, 1}, {1, 2}}},
		"a curve of 1 points (want at least 2)":                                  {1, []Point{{0, 1}}},
		"point 1 has load 1.1 (want 0 to 1)":                                     {1, []Point{{0, 1}, {1.1, 2}}},
		"point 0 has latency -1 ns (want 0 to 1 s)":                              {1, []Point{{0, -1}, {1, 2}}},
		"load does not rise from 0.5 to 0.5 at point 1":                          {1, []Point{{0.5, 1}, {0.5, 2}}},
		"latency falls from 3 ns to 2 ns at point 1: more load never gives less": {1, []Point{{0, 3}, {1, 2}}},
	} {
		require.EqualError(t, CheckLine(l), want)
	}
}

// The dumb twin interpolates in floats, straight from the definition.
func TestTableAgainstTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := func(reads float64) Line {
			l := Line{Reads: reads}
			load, ns := rapid.Float64Range(0, 0.1).Draw(t, "load"), rapid.Float64Range(1, 200).Draw(t, "ns")
			for range rapid.IntRange(2, 6).Draw(t, "points") {
				l.Points = append(l.Points, Point{load, ns})
				load += rapid.Float64Range(0.01, 0.15).Draw(t, "step")
				ns += rapid.Float64Range(0, 100).Draw(t, "rise")
			}
			return l
		}
		lo, hi := line(0.25), line(0.75)
		tb := newTable([]Line{hi, lo}, clock.GHz, 0)
		linear := func(l Line, rel float64) float64 {
			x := rel * l.Points[len(l.Points)-1].Load
			if x <= l.Points[0].Load {
				return l.Points[0].NS
			}
			for i := 1; i < len(l.Points); i++ {
				if a, b := l.Points[i-1], l.Points[i]; x <= b.Load || i == len(l.Points)-1 {
					return a.NS + (b.NS-a.NS)*(x-a.Load)/(b.Load-a.Load)
				}
			}
			panic("unreachable")
		}
		s, x := rapid.IntRange(0, shares).Draw(t, "share"), rapid.Uint64Range(0, full).Draw(t, "load")
		rel := float64(x) / full
		w := min(max((float64(s)/shares-0.25)/0.5, 0), 1)
		want := (1-w)*linear(lo, rel) + w*linear(hi, rel)
		got := tb.at(s, x)
		require.True(t, float64(got) > want-0.01 && float64(got) < want+1.01, "%d cycles for %g ns", got, want)
	})
}

// Points closer than the table can tell apart are one, the slower.
func TestPointsThatFallTogether(t *testing.T) {
	tb := newTable([]Line{{1, []Point{{0, 10}, {0.5, 20}, {0.5 + 1e-9, 40}, {1, 50}}}}, clock.GHz, 0)
	require.Equal(t, uint64(40), tb.at(shares, full/2))
	require.Equal(t, uint64(25), tb.at(shares, full/4))
}

func TestLatencyShift(t *testing.T) {
	l := []Line{{1, []Point{{0, 100}, {0.5, 130}, {1, 400}}}}
	tb := newTable(l, clock.GHz, -60)
	require.Equal(t, uint64(40), tb.at(shares, 0))
	require.Equal(t, uint64(55), tb.at(shares, full/4))
	require.Equal(t, uint64(340), tb.at(shares, math.MaxUint64/2))
	require.Zero(t, newTable(l, clock.GHz, -150).at(shares, 0))
}

// The dumb twin of the window keeps every request.
func TestWindowAgainstTwin(t *testing.T) {
	type access struct {
		bucket, bytes uint64
		write         bool
	}
	rapid.Check(t, func(t *rapid.T) {
		w := window{length: rapid.Uint64Range(1, 20).Draw(t, "length")}
		var all []access
		at := uint64(0)
		for range 60 {
			at += rapid.Uint64Range(0, 3*w.length).Draw(t, "gap")
			if rapid.IntRange(0, 7).Draw(t, "rest") == 0 {
				at += rapid.Uint64Range(buckets-2, buckets+2).Draw(t, "buckets") * w.length
			}
			now := at / w.length
			w.advance(at)
			var reads, sum uint64
			for _, a := range all {
				if a.bucket < now && a.bucket+buckets >= now {
					sum += a.bytes
					if !a.write {
						reads += a.bytes
					}
				}
			}
			require.Equal(t, sum, w.all)
			require.Equal(t, reads, w.reads)
			a := access{now, rapid.Uint64Range(0, 5000).Draw(t, "bytes"), rapid.Bool().Draw(t, "write")}
			w.add(a.bytes, a.write)
			all = append(all, a)
		}
	})
}

func reference(t testing.TB, reads float64, file string) ([]Sample, Line) {
	text, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	s, err := ParseCSV(file, string(text))
	require.NoError(t, err)
	l := Line{Reads: reads}
	for _, p := range clean(s) {
		l.Points = append(l.Points, Point{p.MBps / 43650, p.NS})
	}
	return s, l
}

// Every measured point of the reference comes out again: traffic of its
// bandwidth and share of reads meets its latency. Beyond the knee, where 1 %
// of bandwidth is 100 ns, the bound is on the bandwidth instead.
func TestCurveIsReproduced(t *testing.T) {
	for _, c := range []struct {
		file  string
		reads int // of 100
	}{{"r90.csv", 90}, {"r58.csv", 58}} {
		samples, line := reference(t, float64(c.reads)/100, c.file)
		const peak = units.Bandwidth(43650 * 8e6)
		ps := clock.Period(1, 1e12) // so that cycles round nothing
		for _, p := range samples {
			if p.MBps > 0.98*line.Points[len(line.Points)-1].Load*43650 {
				continue
			}
			tm := newTiming(newTable([]Line{line}, ps, 0), peak, ps, 1e6/buckets)
			var sum float64
			const n, warm = 20000, 2000
			gap := 64e6 / p.MBps // ps between lines of 64 B
			for i := range n {
				at := uint64(float64(i) * gap)
				due := tm.Due(at, 64, i*c.reads/100 == (i+1)*c.reads/100)
				if i >= warm {
					sum += float64(due-at) / 1e3
				}
			}
			require.InEpsilon(t, p.NS, sum/(n-warm), 0.01, "%s at %g MB/s", c.file, p.MBps)
		}
	}
}

// More of the same traffic never makes an answer earlier, and answers keep the
// order of arrival.
func TestMonotoneAndInOrder(t *testing.T) {
	shape, _ := findShape("hbm2_a64fx")
	rapid.Check(t, func(t *rapid.T) {
		tb := newTable(shape.Lines, clock.GHz, 0)
		a, b := newTiming(tb, 64*8e9, clock.GHz, 50), newTiming(tb, 64*8e9, clock.GHz, 50)
		at, prev := uint64(0), uint64(0)
		for range 300 {
			at += rapid.Uint64Range(0, 30).Draw(t, "gap")
			n := rapid.Uint64Range(0, 1024).Draw(t, "bytes")
			extra := rapid.Uint64Range(0, 1024).Draw(t, "extra")
			if rapid.Bool().Draw(t, "more") {
				b.Due(at, extra, false)
			}
			x, y := a.Due(at, n, false), b.Due(at, n+extra/2, false)
			require.LessOrEqual(t, x, y)
			require.GreaterOrEqual(t, x, prev)
			require.GreaterOrEqual(t, x, at)
			prev = x
		}
	})
}

func TestParseCSV(t *testing.T) {
	got, err := ParseCSV("f", "bw_MBps,latency_ns\n\n# a note\n10,5\n 20.5\t6 \r\n1e3, 7\n")
	require.NoError(t, err)
	require.Equal(t, []Sample{{10, 5}, {20.5, 6}, {1000, 7}}, got)
	for text, want := range map[string]string{
		"":                        "f:1:1: 0 points (want at least 2)",
		"1,2":                     "f:1:1: 1 points (want at least 2)",
		"1,2\n3":                  "f:2:1: 1 values (want bandwidth in MB/s and latency in ns)",
		"1,2\n3,4,5":              "f:2:1: 3 values (want bandwidth in MB/s and latency in ns)",
		"1,2\n3,x4":               `f:2:3: "x4" is no latency in ns`,
		"1,2\n-3,4":               `f:2:1: "-3" is no bandwidth in MB/s`,
		"1,2\nNaN,4":              `f:2:1: "NaN" is no bandwidth in MB/s`,
		"1,2\nbw_MBps,latency_ns": `f:2:1: "bw_MBps" is no bandwidth in MB/s`,
	} {
		_, err := ParseCSV("f", text)
		require.EqualError(t, err, want)
	}
}

func TestCleanOrdersAndRises(t *testing.T) {
	require.Equal(t, []Sample{{1, 5}, {2, 9}, {3, 9}},
		clean([]Sample{{3, 7}, {2, 4}, {1, 5}, {2, 9}}))
}

func FuzzParseCSV(f *testing.F) {
	f.Add("bw_MBps,latency_ns\n1,2\n3,4")
	f.Add("1 2\n3\t4\n# x")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseCSV("f", text)
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "f:"))
			return
		}
		prev := Sample{-1, -1}
		for _, p := range clean(s) {
			require.Greater(t, p.MBps, prev.MBps)
			require.GreaterOrEqual(t, p.NS, prev.NS)
			prev = p
		}
	})
}
