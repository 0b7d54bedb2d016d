package scalesim

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// oracle is one line of testdata/tool.csv: an array, a layer and what the tool
// reports. Empty figures mean that the tool fails.
type oracle struct {
	name  string
	array Array
	layer Layer
	fig   map[string]float64
	fails bool
}

func readTable(t testing.TB, path string) []map[string]string {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment, r.FieldsPerRecord = '#', -1
	rows, err := r.ReadAll()
	require.NoError(t, err)
	var out []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, v := range row {
			m[rows[0][i]] = v
		}
		out = append(out, m)
	}
	return out
}

func number(t testing.TB, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	require.NoError(t, err)
	return v
}

func oracles(t testing.TB) []oracle {
	t.Helper()
	var out []oracle
	for i, row := range readTable(t, filepath.Join("testdata", "tool.csv")) {
		at := func(k string) int { return int(number(t, row[k])) }
		o := oracle{
			name: "line " + strconv.Itoa(i),
			array: Array{Rows: at("rows"), Cols: at("cols"), Dataflow: Dataflow(row["dataflow"]), Sparse: at("sparse") == 1,
				IfmapSRAM: at("ifmap_words"), FilterSRAM: at("filter_words"), OfmapSRAM: at("ofmap_words")},
			layer: Layer{H: at("H"), W: at("W"), R: at("R"), S: at("S"), C: at("C"), N: at("N"),
				StrideH: at("stride_h"), StrideW: at("stride_w"), SparseN: at("n"), SparseM: at("m")},
			fig: map[string]float64{},
		}
		o.fails = strings.HasPrefix(row["incl"], "error")
		if !o.fails {
			for _, k := range strings.Fields("incl total stall util map cutil bi bf bo di df do is0 is1 isr fs0 fs1 fsr os0 os1 osw id0 id1 idr fd0 fd1 fdr od0 od1 odw") {
				o.fig[k] = number(t, row[k])
			}
		}
		out = append(out, o)
	}
	return out
}

func (c Compute) figures() map[string]float64 {
	return map[string]float64{
		"total": float64(c.Cycles), "util": c.Utilization, "map": c.MappingEfficiency, "cutil": c.ComputeUtilization,
		"bi": c.IfmapBandwidth, "bf": c.FilterBandwidth, "bo": c.OfmapBandwidth,
		"is0": float64(c.IfmapSRAM.First), "is1": float64(c.IfmapSRAM.Last),
		"fs0": float64(c.FilterSRAM.First), "fs1": float64(c.FilterSRAM.Last), "fsr": float64(c.FilterReads),
		"os0": float64(c.OfmapSRAM.First), "os1": float64(c.OfmapSRAM.Last), "osw": float64(c.OfmapWrites),
		"isr": float64(c.IfmapReads),
	}
}

func equalFigures(t testing.TB, want, got map[string]float64, what ...any) {
	t.Helper()
	for k, v := range got {
		w, ok := want[k]
		require.True(t, ok, k)
		if k == "isr" && w != float64(int64(w)) {
			w = float64(int64(w)) // a fraction of a read under N:M, see Deviations
		}
		require.Equal(t, w, v, append([]any{k}, what...)...)
	}
}

func TestComputeEqualsTool(t *testing.T) {
	for _, o := range oracles(t) {
		if o.fails || o.fig["stall"] != 0 {
			continue
		}
		c, err := o.array.Compute(o.layer)
		require.NoError(t, err, o.name)
		equalFigures(t, o.fig, c.figures(), o.name, o.array, o.layer)
	}
}

// closed is the count in closed form: folds times the length of a fold.
func closed(a Array, l Layer) (cycles, ifmap, filter, ofmap uint64) {
	u := func(a, b int) uint64 { return uint64(a+b-1) / uint64(b) }
	h, w := l.Ofmap()
	m, n, k := h*w, l.N, l.R*l.S*l.C
	A, B, M, N, K := uint64(a.Rows), uint64(a.Cols), uint64(m), uint64(n), uint64(k)
	switch a.Dataflow {
	case OS:
		f := u(m, a.Rows) * u(n, a.Cols)
		return f*(K+A+B-2) - 1, u(n, a.Cols) * M * K, u(m, a.Rows) * K * N, M*N + f*(A+B)
	case WS:
		f := u(k, a.Rows) * u(n, a.Cols)
		return f*(2*A+B+M-2) - 1, u(n, a.Cols) * M * K, K * N, u(k, a.Rows) * M * N
	}
	f := u(k, a.Rows) * u(m, a.Cols)
	return f*(2*A+B+N-2) - 1, K * M, u(m, a.Cols) * N * K, u(k, a.Rows) * N * M
}

func anyArray(t *rapid.T) Array {
	return Array{
		Rows: rapid.IntRange(1, 40).Draw(t, "rows"), Cols: rapid.OneOf(rapid.IntRange(1, 40), rapid.IntRange(50, 130)).Draw(t, "cols"),
		Dataflow:  rapid.SampledFrom([]Dataflow{OS, WS, IS}).Draw(t, "dataflow"),
		IfmapSRAM: rapid.IntRange(100, 3000).Draw(t, "ifmap"), FilterSRAM: rapid.IntRange(100, 3000).Draw(t, "filter"),
		OfmapSRAM: rapid.IntRange(2, 3000).Draw(t, "ofmap"),
	}
}

func anyLayer(t *rapid.T, most int) Layer {
	of := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
	if rapid.Bool().Draw(t, "gemm") {
		return GEMM("", of("m", 3*most), of("n", 2*most), of("k", 3*most))
	}
	l := Layer{H: of("h", most), W: of("w", most), C: of("c", most), N: of("n", most), StrideH: of("sh", 3), StrideW: of("sw", 3)}
	l.R, l.S = of("r", min(l.H, 5)), of("s", min(l.W, 5))
	return l
}

func TestFoldsEqualClosedForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, l := anyArray(t), anyLayer(t, 20)
		c, err := a.Compute(l)
		cycles, ifmap, filter, ofmap := closed(a, l)
		if cycles == 0 {
			require.ErrorContains(t, err, "single line")
			return
		}
		require.NoError(t, err)
		require.Equal(t, []uint64{cycles, ifmap, filter, ofmap},
			[]uint64{c.Cycles, c.IfmapReads, c.FilterReads, c.OfmapWrites})
		require.InDelta(t, float64(l.MACs())*100/float64(cycles)/float64(a.Rows*a.Cols), c.Utilization, 1e-9)
		require.LessOrEqual(t, c.MappingEfficiency, 100+1e-9)
		if x := c.Parts; c.Divided {
			require.InDelta(t, float64(c.Cycles), x.Total(), 1e-6)
			require.InDelta(t, float64(l.MACs())/float64(a.Rows*a.Cols), x.Useful, 1e-9)
			require.GreaterOrEqual(t, min(x.Useful, x.Mapping, x.Fill, x.Drain), -1e-9, "%+v", x)
		} else {
			require.Equal(t, 2, a.Rows+a.Cols, "only an array of one element has neither fill nor drain")
		}
	})
}

func TestErrors(t *testing.T) {
	good := Array{Rows: 4, Cols: 4, Dataflow: OS, IfmapSRAM: 1024, FilterSRAM: 1024, OfmapSRAM: 1024}
	for _, c := range []struct {
		name   string
		array  Array
		layer  Layer
		errors []string
	}{
		{"dataflow", Array{Rows: 4, Cols: 0, Dataflow: "rs"}, GEMM("g", 4, 4, 4),
			[]string{"cols is 0", `dataflow is "rs" (want one of: os, ws, is)`}},
		{"filter over ifmap", good, Layer{Name: "c", H: 3, W: 9, R: 5, S: 10, C: 1, N: 1, StrideH: 1, StrideW: 1},
			[]string{"filter height 5 is larger than ifmap height 3", "filter width 10 is larger"}},
		{"zero", good, Layer{Name: "z", H: 3, W: 3, R: 1, S: 1, N: 1, StrideH: 0, StrideW: 1},
			[]string{"channels is 0", "stride height is 0"}},
		{"ratio", Array{Rows: 4, Cols: 4, Dataflow: OS, Sparse: true}, Layer{H: 3, W: 3, R: 1, S: 1, C: 1, N: 1, StrideH: 1, StrideW: 1, SparseN: 5, SparseM: 4},
			[]string{"sparsity is 5:4"}},
		{"single line", Array{Rows: 1, Cols: 1, Dataflow: OS}, GEMM("one", 1, 1, 1), []string{"single line"}},
		{"huge", good, GEMM("huge", 1<<30, 1<<30, 1<<30), []string{"1e17"}},
		{"huge window", good, Layer{H: 1 << 20, W: 1 << 20, R: 1 << 20, S: 1, C: 1 << 12, N: 1, StrideH: 1, StrideW: 1}, []string{"has more than 2147483647"}},
	} {
		_, err := c.array.Compute(c.layer)
		for _, e := range c.errors {
			require.ErrorContains(t, err, e, c.name)
		}
	}
}

// AlexNet, from the table of its layers, as the NOTES of the reference runs
// count it: 67,567 cycles, output stationary on 128x128.
func TestPublishedTotals(t *testing.T) {
	for _, c := range []struct {
		file        string
		rows        int
		dataflow    Dataflow
		total       uint64
		description string
	}{
		{"conv_nets/alexnet.csv", 128, OS, 67567, "full run of the tool"},
		{"mlperf/Resnet50.csv", 32, OS, 4434168, ""},
		{"mlperf/Resnet50.csv", 32, WS, 5753486, ""},
		{"mlperf/Resnet50.csv", 32, IS, 5608356, ""},
		{"conv_nets/alexnet_part.csv", 32, WS, 112283, "golden test of the tool"},
	} {
		var sum uint64
		for _, l := range topology(t, c.file) {
			r, err := (Array{Rows: c.rows, Cols: c.rows, Dataflow: c.dataflow}).Compute(l)
			require.NoError(t, err)
			sum += r.Cycles
		}
		require.Equal(t, c.total, sum, c.file)
	}
}

// topology reads a well formed topology file of the inputs; it skips the test
// when the file is not there.
func topology(t testing.TB, name string) []Layer {
	t.Helper()
	root := os.Getenv("CAUSEWAY_INPUTS")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared", "inputs")
	}
	path := filepath.Join(root, "scalesim", filepath.FromSlash(name))
	b, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("no input %s", path)
	}
	var layers []Layer
	for i, line := range strings.Split(string(b), "\n") {
		fields := strings.Split(strings.TrimSpace(line), ",")
		if i == 0 || len(fields) < 5 {
			continue
		}
		at := func(k int) int { return int(number(t, fields[k])) }
		if strings.Contains(name, "GEMM") {
			layers = append(layers, GEMM(fields[0], at(1), at(2), at(3)))
			continue
		}
		layers = append(layers, Layer{Name: fields[0], H: at(1), W: at(2), R: at(3), S: at(4), C: at(5), N: at(6), StrideH: at(7), StrideW: at(7)})
	}
	return layers
}

func TestLinesOfATile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := demand{rows: rapid.IntRange(1, 30).Draw(t, "rows"), cols: rapid.IntRange(1, 30).Draw(t, "cols"), skew: rapid.Bool().Draw(t, "skew")}
		var perLine [100]int
		for r := range d.rows {
			for c := range d.cols {
				n := r
				if d.skew {
					n += c
				}
				perLine[n]++
			}
		}
		pos := uint64(0)
		for n := range d.lines() {
			require.Equal(t, pos, d.before(n))
			require.LessOrEqual(t, perLine[n], d.width())
			for range perLine[n] {
				require.Equal(t, n, d.lineOf(pos))
				pos++
			}
		}
		require.Equal(t, d.size(), pos)
	})
}
