package page

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report/browser"
	"github.com/causeway-sim/causeway/components/report/panel"
	"github.com/causeway-sim/causeway/components/stats"
	_ "github.com/causeway-sim/causeway/components/std" // the kinds whose sources are cited
)

// sample is a run with names that a page must not take for its own language.
func sample(rows int) *panel.Data {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "layer"}, {Name: "type"}, {Name: "start", Unit: stats.Cycle}, {Name: "cycles", Unit: stats.Cycle}, {Name: "compute_cycles", Unit: stats.Cycle},
		{Name: "stall_store_cycles", Unit: stats.Cycle}, {Name: "macs", Unit: stats.One}, {Name: "memory_bytes", Unit: stats.Byte}, {Name: "where"},
	}}
	for i := range rows {
		name, kind := "conv<1></script>", "conv"
		if i > 0 {
			name, kind = "fc"+string(rune('a'+i%26))+strings.Repeat("x", i/26), []string{"gemm", "pool"}[i%2]
		}
		t.Append(name, kind, uint64(1000*i), uint64(1000-i), uint64(700-i), uint64(300), int64(64000+i), uint64(2000+7*i), "Core")
	}
	return &panel.Data{Title: "a <title>", Run: &panel.Run{Name: "a", Result: &result.Result{
		Schema: result.Schema, Version: result.Version, Identity: "0123", Status: result.Complete,
		Sentence: "Memory is the bottleneck.", Layers: t,
		Config: []byte("schema: causeway/1\nworkload: {model: resnet18, batch: 4}\nnodes:\n  - {name: Core, kind: systolic, rows: 8, cols: 8}\n  - {name: Mem, kind: memory, fidelity: bank, grade: ddr4_3200}\n" +
			"  - {name: LLC, kind: cache, fidelity: functional, policy: {name: srrip}}\nlinks:\n  - Core -> LLC.top\n  - LLC.bottom -> Mem\n"),
		Inputs:      []result.Input{{Name: "inputs:folder/a_file.tar.gz", SHA256: strings.Repeat("0123456789abcdef", 4)}},
		Assumptions: []string{"Tensors lie row by row.", "Latency is that of a measured system."},
		Metrics: []stats.Metric{{Phase: "all", Name: "total_cycles", Value: 1100, Unit: stats.Cycle}, {Phase: "all", Where: "Core", Name: "utilization", Value: 45.5, Unit: stats.Percent},
			{Phase: "all", Where: "Core", Name: "energy", Value: 5e6, Unit: stats.PJ}, {Phase: "all", Where: "Core", Name: "energy_mac", Value: 4e6, Unit: stats.PJ}},
	}, Process: result.Process{Command: []string{"causeway", "run", "my file.yaml"}}}}
}

func TestPageStandsAlone(t *testing.T) {
	b, err := Write(sample(30))
	require.NoError(t, err)
	s := string(b)
	require.Less(t, len(b), 2_000_000)
	require.NotRegexp(t, regexp.MustCompile(`(src|href)="https?://`), s)
	require.Equal(t, 3, strings.Count(s, "</script>"), "the data, the library, the script: names end none of them")
	require.Contains(t, s, "a &lt;title&gt;")
	require.Contains(t, s, "causeway run &#39;my file.yaml&#39;")
	require.NotContains(t, s, "ZgotmplZ", "a value that the template refuses")
	require.GreaterOrEqual(t, strings.Count(s, `<figure `), 6)
	_, data, _ := strings.Cut(s, `id="data">`)
	data, _, _ = strings.Cut(data, "</script>")
	var back block
	require.NoError(t, json.Unmarshal([]byte(data), &back))
	require.Equal(t, "conv<1></script>", back.Tables["layers"].Rows[0][0])
	again, err := Write(sample(30))
	require.NoError(t, err)
	require.Equal(t, b, again)
}

// A report says what a paper needs: the models by their sources, what is assumed, what is
// taken from measurements.
func TestMethods(t *testing.T) {
	m := runMethods(sample(3).Run)
	require.Contains(t, m.Methods[0], "resnet18 (batch 4)")
	require.Contains(t, m.Methods[0], "Core (systolic/tile: ")
	require.Contains(t, m.BibTeX, "@misc{jaleel2010,\n  author = {Jaleel and others},\n  title = {High performance cache replacement using re-reference interval prediction (RRIP)},\n  howpublished = {ISCA 2010")
	require.Contains(t, m.BibTeX, "used by policy srrip")
	require.Equal(t, []string{"Tensors lie row by row."}, m.Lists[0].Items)
	require.Equal(t, list{"Fitted to measurements", []string{"Latency is that of a measured system."}}, m.Lists[1])
}

func TestCitation(t *testing.T) {
	for source, want := range map[string]citation{
		"Jaleel et al., High performance cache replacement, ISCA 2010, section 4": {"jaleel2010", "Jaleel and others", "High performance cache replacement", "ISCA 2010, section 4", "2010"},
		"Megiddo and Modha, ARC: a self-tuning cache, FAST 2003, figure 4":        {"megiddo2003", "Megiddo and Modha", "ARC: a self-tuning cache", "FAST 2003, figure 4", "2003"},
		"Williams, Waterman, Patterson, Roofline: an insightful model, CACM 2009": {"williams2009", "Williams and Waterman and Patterson", "Roofline: an insightful model", "CACM 2009", "2009"},
		"T. Hoefler, C. Siebert, A. Lumsdaine, A Language, ICPP 2009":             {"hoefler2009", "T. Hoefler and C. Siebert and A. Lumsdaine", "A Language", "ICPP 2009", "2009"},
		"JESD79-4 of 2012": {"jesd7942012", "", "JESD79-4 of 2012", "", "2012"},
	} {
		require.Equal(t, want, citationOf(source))
	}
}

// The library's bytes are those that its note names.
func TestLibraryIsTheOneNoted(t *testing.T) {
	note, err := os.ReadFile("library/README.md")
	require.NoError(t, err)
	sum := sha256.Sum256([]byte(library))
	require.Contains(t, string(note), hex.EncodeToString(sum[:]))
	require.Contains(t, library, "Apache Software Foundation")
}

// show opens a page in a browser.
func show(t *testing.T, d *panel.Data) *browser.Page {
	b, err := Write(d)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(path, b, 0o600))
	p := browser.Open(t, 1300, 900)
	p.Go("file://" + path)
	return p
}

// A table shows a count as it is, and seven digits of what is none.
func TestTableShowsCounts(t *testing.T) {
	d := sample(3)
	d.Run.Layers.Rows[0][3], d.Run.Layers.Rows[1][3] = uint64(23119769), 972230.8510638297
	p := show(t, d)
	for row, want := range []string{"23,119,769", "972,230.9", "998"} {
		var s string
		p.Eval(fmt.Sprintf(`document.querySelectorAll('[data-table=layers] tbody tr')[%d].children[3].textContent`, row), &s)
		require.Equal(t, want, s)
	}
}

// A reader sorts, filters, searches, zooms, and turns the page dark, by mouse and by keys.
func TestPageAnswers(t *testing.T) {
	p := show(t, sample(90))
	first := func() (s string) {
		p.Eval(`document.querySelector('[data-table=layers] tbody tr td').textContent`, &s)
		return s
	}
	count := func() (s string) {
		p.Eval(`document.querySelector('[data-table=layers] .count').textContent`, &s)
		return s
	}
	require.Equal(t, "conv<1></script>", first())
	require.Equal(t, "90 rows", count())
	cycles := `[data-table=layers] thead tr:first-child th:nth-child(4) button`
	p.Click(cycles) // a number: largest first
	require.Equal(t, "conv<1></script>", first())
	p.Click(cycles)
	require.Equal(t, "fclxxx", first())
	var sorted string
	p.Eval(`document.querySelector('[data-table=layers] thead th:nth-child(4)').getAttribute('aria-sort')`, &sorted)
	require.Equal(t, "ascending", sorted)
	p.Key("Enter") // the head kept the focus
	require.Equal(t, "conv<1></script>", first())

	p.Click(`[data-table=layers] .filters th:nth-child(4) input`)
	p.Type(">= 950")
	require.Equal(t, "51 of 90 rows", count())
	filter := func(text string) string {
		p.Eval(fmt.Sprintf(`(() => { const b = document.querySelector('[data-table=layers] .filters th:nth-child(4) input'); b.value = %q; b.dispatchEvent(new Event('input')); })()`, text), nil)
		return count()
	}
	require.Equal(t, "90 rows", filter("< 1,000,000"))
	require.Equal(t, "90 rows", filter("0 .. 1e6"))
	require.Equal(t, "0 of 90 rows", filter("> 1,000,000"))
	require.Equal(t, "0 of 90 rows", filter("9"), "a number is itself, and not a part of others")
	require.Equal(t, "51 of 90 rows", filter(">=950"))
	p.Click(`[data-table=layers] input[type=search]`)
	p.Type("gemm")
	require.Equal(t, "25 of 90 rows", count())

	zoom := func() (z [2]float64) {
		p.Eval(`causeway.zoomOf(causeway.charts.stalls)`, &z)
		return z
	}
	p.Wait(`document.querySelector('#stalls').scrollIntoView({behavior: 'instant'}) || causeway.charts.stalls.chart`)
	require.Equal(t, [2]float64{0, 100}, zoom())
	p.Click(`#stalls button[title="Zoom in"]`)
	require.Equal(t, [2]float64{25, 75}, zoom())
	p.Eval(`document.querySelector('#stalls .chart').focus()`, nil)
	p.Key("ArrowRight")
	require.Equal(t, [2]float64{37.5, 87.5}, zoom())
	p.Key("+")
	require.Equal(t, [2]float64{50, 75}, zoom())
	p.Click(`#stalls button[title="Show all"]`)
	require.Equal(t, [2]float64{0, 100}, zoom())
	p.Wheel(`#stalls canvas`, -200)
	p.Wait(`causeway.zoomOf(causeway.charts.stalls)[1] - causeway.zoomOf(causeway.charts.stalls)[0] < 99`)

	share := func() (n float64) {
		p.Eval(`causeway.charts.stalls.chart.getOption().series.reduce((a, s) => a + s.data[0], 0)`, &n)
		return n
	}
	require.InDelta(t, 1000, share(), 1e-9)
	p.Click(`#stalls button[title="Shares of the sum"]`)
	require.InDelta(t, 100, share(), 1e-9)

	var theme, ink string
	look := func() {
		p.Eval(`document.documentElement.dataset.theme`, &theme)
		p.Eval(`causeway.charts.stalls.chart.getOption().legend[0].textStyle.color`, &ink)
	}
	look()
	require.Equal(t, "light", theme)
	before := ink
	p.Click(`#theme`)
	look()
	require.Equal(t, "dark", theme)
	require.NotEqual(t, before, ink, "the charts follow")

	var svg, csv string
	p.Eval(`causeway.svgOf(causeway.charts.stalls)`, &svg)
	require.Contains(t, svg, "<svg")
	require.Contains(t, svg, "store")
	p.Eval(`causeway.csvOf(causeway.data.figures.stalls)`, &csv)
	require.Contains(t, csv, "layer,compute [cycle],store [cycle]\n")
	require.Contains(t, csv, "conv<1></script>,700,300\n")
	require.Empty(t, p.Problems)
	require.Empty(t, p.Requests)
}

// Every figure is drawn, and nothing is wider than the window, however narrow or wide.
func TestPageFits(t *testing.T) {
	p := show(t, sample(20))
	for _, width := range []int{500, 900, 1600} {
		p.Resize(width, 900)
		p.Eval(`window.dispatchEvent(new Event('beforeprint'))`, nil)
		p.Wait(`Object.values(causeway.charts).every(x => x.chart && x.chart.getWidth() === x.box.clientWidth)`)
		var over int
		p.Eval(`document.documentElement.scrollWidth - window.innerWidth`, &over)
		require.LessOrEqual(t, over, 0, "at %d pixels", width)
		var blank []string
		p.Eval(`Object.values(causeway.charts).filter(x => { const c = x.box.querySelector('canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; return !d.some(v => v); }).map(x => x.name)`, &blank)
		require.Empty(t, blank, "figures without a stroke")
	}
	p.Dark(true)
	p.Wait(`document.documentElement.dataset.theme === 'dark'`)
	require.Empty(t, p.Problems)
}

// sweepData is a sweep of n designs over two settings.
func sweepData(n int) *panel.Data {
	t := &stats.Table{Columns: []stats.Column{{Name: "point", Unit: "1"}, {Name: "identity"}, {Name: "status"}, {Name: "set:Core.rows", Unit: "1"}, {Name: "set:Core.dataflow"}, {Name: "total_time", Unit: "1"}, {Name: "energy", Unit: "1"}}}
	for i := range n {
		t.Append(float64(i), "0123456789abcdef0123456789abcdef", "complete", float64(1+i%50), []string{"os", "ws", "is", "xx", "yy", "zz", "aa", "bb", "cc", "dd"}[i/50%10], 1e6/float64(1+i), float64(i*i))
	}
	return &panel.Data{Title: "designs", Sweep: &panel.Sweep{Name: "designs", Points: t}}
}

// The report of a sweep of 500 points: small, all figures drawn, a dot says its settings.
func TestSweepPage(t *testing.T) {
	b, err := Write(sweepData(500))
	require.NoError(t, err)
	require.Less(t, len(b), 2_000_000)
	b, err = Write(sweepData(20000))
	require.NoError(t, err)
	require.Less(t, len(b), 2_000_000, "of many points, some")

	p := show(t, sweepData(500))
	p.Eval(`window.dispatchEvent(new Event('beforeprint'))`, nil)
	p.Wait(`Object.values(causeway.charts).length >= 5 && Object.values(causeway.charts).every(x => x.chart)`)
	var lead string
	p.Eval(`document.querySelector('.lead').textContent`, &lead)
	require.Equal(t, "Of 500 points, point 499 has the least time: 2,000 against 1,000,000 at the first point (500 times). Its settings: Core.rows 50, Core.dataflow dd. The least energy, 0, is at point 0: Core.rows 1, Core.dataflow os.", lead)
	var hover string
	p.Eval(`(() => { const x = causeway.charts.pareto; return x.chart.getOption().tooltip[0].formatter({seriesIndex: x.c.series.length - 1, dataIndex: 0}); })()`, &hover)
	require.Contains(t, hover, "Core.dataflow")
	require.Contains(t, hover, ">dd<")
	p.Click(`#pareto button[title="Zoom in"]`)
	var z [2]float64
	p.Eval(`causeway.zoomOf(causeway.charts.pareto)`, &z)
	require.Equal(t, [2]float64{25, 75}, z)

	// What the table of points filters out is faint in charts.
	faint := func(chart string) (n int) {
		p.Eval(fmt.Sprintf(`causeway.charts.%s.chart.getOption().series[0].data.filter(d => (d.itemStyle || d.lineStyle || {}).opacity < .1).length`, chart), &n)
		return n
	}
	require.Zero(t, faint("pareto"))
	filter := func(text string) {
		p.Eval(fmt.Sprintf(`(() => { const b = document.querySelector('[data-table=points] .filters input[aria-label="Filter set:Core.rows"], [data-table=points] .filters input[aria-label="Filter Core.rows"]'); b.value = %q; b.dispatchEvent(new Event('input')); })()`, text), nil)
	}
	filter("<= 10")
	p.Wait(`causeway.charts.pareto.chart.getOption().series[0].data.some(d => (d.itemStyle || {}).opacity < .1)`)
	require.Equal(t, 400, faint("pareto"))
	require.Equal(t, 400, faint("parallel"))
	filter("")
	p.Wait(`!causeway.charts.pareto.chart.getOption().series[0].data.some(d => (d.itemStyle || {}).opacity < .1)`)
	require.Zero(t, faint("parallel"))
	require.Empty(t, p.Problems)
	require.Empty(t, p.Requests)
}

// Every panel is in a section of the page, and no two draw a figure of one name.
func TestSectionsAreKnown(t *testing.T) {
	names := map[string]bool{}
	for _, e := range panel.All.Entries() {
		require.Contains(t, panel.Sections, e.New.Section, e.Name)
		for _, n := range e.New.Names {
			require.False(t, names[n], "two panels draw %s", n)
			names[n] = true
		}
	}
}
