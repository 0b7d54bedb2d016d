package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report/folder"
	"github.com/causeway-sim/causeway/components/report/panel"
	"github.com/causeway-sim/causeway/components/stats"
	_ "github.com/causeway-sim/causeway/components/std"
)

func sample() *result.Result {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "layer"}, {Name: "type"}, {Name: "cycles", Unit: stats.Cycle}, {Name: "compute_cycles", Unit: stats.Cycle},
		{Name: "stall_wait_filter_cycles", Unit: stats.Cycle}, {Name: "stall_store_cycles", Unit: stats.Cycle}, {Name: "macs", Unit: stats.One},
		{Name: "utilization", Unit: stats.Percent}, {Name: "filter_read_bytes", Unit: stats.Byte}, {Name: "ofmap_write_bytes", Unit: stats.Byte}, {Name: "where"},
	}}
	t.Append("conv<1>", "conv", uint64(1000), uint64(700), uint64(300), uint64(0), int64(64000), 50.0, uint64(2000), uint64(1000), "Core")
	t.Append("pool1", "pool", uint64(100), uint64(100), uint64(0), uint64(0), int64(0), nil, uint64(0), uint64(50), "Core")
	return &result.Result{
		Schema: result.Schema, Version: result.Version, Identity: "0123", Status: result.Complete,
		Sentence: "Memory is the bottleneck.", Layers: t, Config: []byte("schema: causeway/1\nnodes: []\n"),
		Inputs:  []result.Input{},
		Metrics: []stats.Metric{{Phase: "all", Name: "total_cycles", Value: 1100, Unit: stats.Cycle}, {Phase: "all", Where: "Core", Name: "utilization", Value: 45.5, Unit: stats.Percent}},
	}
}

func TestSummaryNamesTheCause(t *testing.T) {
	var b bytes.Buffer
	Summary(&b, sample())
	s := b.String()
	require.Contains(t, s, "conv<1>")
	require.Contains(t, s, "30.0 %")
	require.Contains(t, s, "wait filter")
	require.Contains(t, s, "1,100")
	require.Contains(t, s, "Memory is the bottleneck.")
	require.True(t, strings.HasPrefix(s, " layer    type "), "one core only: no column for it")
}

func TestSummarySaysWhatIsMissing(t *testing.T) {
	r := sample()
	r.Status, r.Reason = result.Incomplete, "interrupted"
	var b bytes.Buffer
	Summary(&b, r)
	require.True(t, strings.HasPrefix(b.String(), "INCOMPLETE: interrupted"))
}

// Many layers are shown in few rows, the elements of an array in one.
func TestSummaryOfManyLayers(t *testing.T) {
	r := sample()
	row := r.Layers.Rows[0]
	r.Layers.Rows = nil
	for i := range 40 {
		for _, name := range []string{"L%d.q", "L%d.k"} {
			l := slices.Clone(row)
			l[0], l[2] = fmt.Sprintf(name, i), uint64(100+i)
			r.Layers.Append(l...)
		}
	}
	r.Metrics, r.Config = nil, []byte("nodes: [{name: Core, kind: systolic, count: 4}]\n")
	for i := range 4 {
		where := fmt.Sprintf("Core[%d]", i)
		r.Metrics = append(r.Metrics, stats.Metric{Phase: "all", Where: where, Name: "energy", Value: 7, Unit: stats.PJ},
			stats.Metric{Phase: "all", Where: where, Name: "utilization", Value: float64(20 + 10*i), Unit: stats.Percent})
	}
	var b bytes.Buffer
	Summary(&b, r)
	require.Regexp(t, `(?m)^ L\*\.q \(40\) +conv +139 `, b.String())
	require.Contains(t, b.String(), "all 80 rows: layers.csv; of like layers")
	require.Regexp(t, `(?m)^ Core \(4\) +energy +7 +pJ`, b.String())
	require.Regexp(t, `(?m)^ Core \(4\) +utilization +20 \.\. 50 +%`, b.String())
	require.NotContains(t, b.String(), "Core[")
	require.Equal(t, []Card{{"Core (4) used, mean", "35 %", "35 %"}}, Cards(r))
}

// A server of language models is judged by its answers; requests of other nodes are none.
func TestCardsOfAServer(t *testing.T) {
	r := &result.Result{Status: result.Complete, Config: []byte("nodes: [{name: Serve, kind: serve}, {name: Mem, kind: memory}]\n")}
	add := func(where, name string, v float64, unit stats.Unit) {
		r.Metrics = append(r.Metrics, stats.Metric{Phase: "all", Where: where, Name: name, Value: v, Unit: unit})
	}
	add("Mem", "requests", 1e6, stats.Request)
	add("Serve", "requests", 300, stats.Request)
	add("Serve", "tokens_per_second", 2394, stats.Unit("1/s"))
	add("Serve", "ttft_p50", 4.08e9, stats.NS)
	require.Equal(t, []Card{{"tokens per second", "2,394 /s", "2,394 1/s"},
		{"time to first token, median", "4.08 s", "4,080,000,000 ns"}}, Cards(r))
}

// Cards of several servers and schedules name their node. A quantity that one node has whole is
// shown once, as that of the system.
func TestCardsOfSeveral(t *testing.T) {
	r := &result.Result{Status: result.Complete, Config: []byte("nodes: [{name: Chat, kind: serve}, {name: Jobs, kind: schedule}, {name: Core, kind: spatial}]\n")}
	add := func(where, name string, v float64, unit stats.Unit) {
		r.Metrics = append(r.Metrics, stats.Metric{Phase: "all", Where: where, Name: name, Value: v, Unit: unit})
	}
	add("Chat", "ttft_p50", 5, stats.NS)
	add("Jobs", "latency_mean", 7, stats.NS)
	add("Core", "energy", 9, stats.PJ)
	add("", "energy", 9, stats.PJ)
	var labels []string
	for _, c := range Cards(r) {
		labels = append(labels, c.Label)
	}
	require.Equal(t, []string{"Jobs time of a request", "Chat time to first token, median", "energy"}, labels)
}

// A card cuts its value into number and unit.
func TestCardParts(t *testing.T) {
	for value, want := range map[string][2]string{"0.1 flit/node/cycle": {"0.1", "flit/node/cycle"}, "12": {"12", ""}, "as fast": {"as fast", ""}} {
		require.Equal(t, want, [2]string{Card{Value: value}.Number(), Card{Value: value}.Unit()})
	}
}

func TestPretty(t *testing.T) {
	for want, v := range map[string]any{"1,234,567": uint64(1234567), "-1,000": int64(-1000), "0.3333": 1.0 / 3, "12": 12.0, "12,346": 12345.6, "1,498": 1497.6, "": nil, "x": "x"} {
		require.Equal(t, want, Pretty(v))
	}
}

// What a run writes reads back to the same figures, and compares as equal.
func TestReadBackAndCompare(t *testing.T) {
	dir := t.TempDir()
	a := sample()
	require.NoError(t, a.WriteDir(dir, result.Process{}))
	b, err := readDir(dir)
	require.NoError(t, err)
	c := Compare(a, b)
	require.Empty(t, c.Config)
	require.Empty(t, c.Metrics.Rows)
	require.Equal(t, 2, c.Same)
	require.Equal(t, result.TableCSV(a.Layers), result.TableCSV(b.Layers))

	b.Metrics[0].Value = 2200
	b.Config = []byte("schema: causeway/1\nnodes: [x]\n")
	b.Layers.Rows[0][b.Layers.Index("cycles")] = 1500.0
	b.Layers.Rows[1][0] = "pool2"
	c = Compare(a, b)
	require.Equal(t, [][]any{{"conv<1>", uint64(1000), 1500.0, 1.5}, {"pool1", uint64(100), nil, nil}, {"pool2", nil, 100.0, nil}}, c.Layers.Rows)
	require.Equal(t, []string{"+ nodes[0]: x"}, c.Config)
	require.Equal(t, []any{"total_cycles", 1100.0, 2200.0, 2.0, "cycle"}, c.Metrics.Rows[0])
	b.Metrics = append([]stats.Metric{{Phase: "all", Where: "Other", Name: "total_cycles", Value: 7, Unit: stats.Cycle}}, b.Metrics...)
	c = Compare(a, b)
	require.Equal(t, "total_cycles", c.Metrics.Rows[0][0], "what both have comes first")
	require.Equal(t, []any{"Other.total_cycles", nil, 7.0, nil, "cycle"}, c.Metrics.Rows[len(c.Metrics.Rows)-1])

	_, err = readDir(t.TempDir())
	require.ErrorContains(t, err, "is no folder of a run")
}

func TestFiguresDraw(t *testing.T) {
	figs := Figures(&panel.Data{Run: &panel.Run{Result: sample()}})
	var names []string
	for _, f := range figs {
		names = append(names, f.Name)
	}
	require.Equal(t, []string{"stalls", "roofline", "operators"}, names)
	for _, f := range figs {
		svg, err := f.Render("svg")
		require.NoError(t, err)
		d := xml.NewDecoder(bytes.NewReader(svg))
		for {
			_, err := d.Token()
			if err == io.EOF {
				break
			}
			require.NoError(t, err, f.Name)
		}
		pdf, err := f.Render("pdf")
		require.NoError(t, err)
		require.True(t, bytes.HasPrefix(pdf, []byte("%PDF")))
		png, err := f.Render("png")
		require.NoError(t, err)
		require.True(t, bytes.HasPrefix(png, []byte("\x89PNG")))
		csv, err := f.Render("csv")
		require.NoError(t, err)
		require.Contains(t, string(csv), map[string]string{"stalls": "conv<1>", "roofline": "conv<1>", "operators": "cycles,"}[f.Name])
		_, err = f.Render("bmp")
		require.ErrorContains(t, err, "want one of: svg, pdf, png, csv")
	}
	again, err := figs[0].Render("svg")
	require.NoError(t, err)
	first, err := figs[0].Render("svg")
	require.NoError(t, err)
	require.Equal(t, first, again, "drawing is deterministic")
}

// Lines of a difference name the node whose setting it is.
func TestConfigLines(t *testing.T) {
	a := []byte("workload: {batch: 1}\nnodes: [{name: Core, rows: 4, cols: 8}, {name: Mem, rows: 4}]\n")
	b := []byte("nodes: [{name: Core, rows: 4, cols: 16}, {name: Mem, rows: 4, banks: 2}]\n")
	require.Equal(t, []string{"- workload.batch: 1", "- Core.cols: 8", "+ Core.cols: 16", "+ Mem.banks: 2"}, configLines(changed(a, b)))
	require.Empty(t, configLines(changed(a, a)))
}

func TestHuman(t *testing.T) {
	for _, c := range []struct {
		v    float64
		unit stats.Unit
		want string
	}{
		{1191436, stats.NS, "1.191 ms"}, {999, stats.NS, "999 ns"}, {5.1e9, stats.PJ, "5.1 mJ"}, {4089184256, stats.One, "4.089 billion"},
		{12, stats.One, "12"}, {22.34, stats.Percent, "22.3 %"}, {1119484, stats.Cycle, "1,119,484 cycles"}, {1, stats.Request, "1 request"}, {83204, stats.One, "83,204"}, {5010, stats.Rate, "5,010 /s"}, {5e18, stats.PJ, "5,000,000 J"}, {57.19, stats.GBps, "57.19 GB/s"},
	} {
		require.Equal(t, c.want, Human(c.v, c.unit))
	}
}

// readDir reads a result back from the folder that a run has left.
func readDir(dir string) (*result.Result, error) {
	r, err := folder.Run(dir)
	if err != nil {
		return nil, err
	}
	return r.Result, nil
}
