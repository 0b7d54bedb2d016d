package page

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/report/browser"
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/panel"
)

// inputs is the folder of others' files, where it is here.
func inputs() string {
	if dir := os.Getenv("CAUSEWAY_INPUTS"); dir != "" {
		return dir
	}
	dir := filepath.Join("..", "..", "..", "..", "shared", "inputs")
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	return dir
}

// smaller are settings of examples that take minutes as they stand. Of llm-cluster enough
// layers are left that some are taken as equal, with keys and values in the pool: what is
// under way on a link when counters are extended once was taken for requests without
// an answer.
var smaller = map[string][]string{
	"llama3_far":      {"workload.model=gpt2", "context=512"},
	"llama3_memories": {"workload.model=gpt2", "context=512"},
	"llm-cluster":     {"chips=2", "prompt=16", "output=2", "kv_tier=cxl", "workload.layers=0..3"},
}

// unlike are examples with unlike figures, of which all that is written is held readable, on a
// narrow page too.
var unlike = map[string]bool{"amg": true, "cxl-pool": true, "dragonfly": true, "gpu": true}

// No example is without a picture: each has three figures at least, of panels that say
// their names, and its report is small. In a browser every
// figure is drawn, without an error and without a network: of every third page, and with
// CAUSEWAY_LONG of all.
func TestEveryExampleHasFigures(t *testing.T) {
	files, err := filepath.Glob("../../../configs/examples/*.yaml")
	require.NoError(t, err)
	require.Greater(t, len(files), 15)
	known := panel.Figures()
	var p *browser.Page // one for all; the figures are checked without one too
	if !testing.Short() && browser.Here() {
		p = browser.Open(t, 1300, 900)
	}
	dir := t.TempDir()
	for i, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		if sweep.IsFile(file) || testing.Short() && strings.Contains(name, "_") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if text, err := os.ReadFile(file); err == nil && strings.Contains(string(text), "inputs:") && inputs() == "" {
				t.Skip("its input files are not here")
			}
			x, err := experiment.Load(file, experiment.Options{Set: smaller[name], Inputs: inputs(), Observe: true})
			require.NoError(t, err)
			res, proc, err := x.Run(context.Background(), nil)
			require.NoError(t, err)
			d := &panel.Data{Title: name, Run: &panel.Run{Name: name, Result: res, Process: proc}}
			var figures []chart.Figure
			seen := map[string]bool{}
			for _, s := range panel.Draw(d) {
				for _, f := range s.Figures {
					require.Contains(t, known, f.Name)
					require.False(t, seen[f.Name], "%s is there twice", f.Name)
					seen[f.Name] = true
					require.NotEmpty(t, f.Title)
					figures = append(figures, f)
				}
			}
			belowRoof(t, d.Run, figures)
			require.GreaterOrEqual(t, len(figures), 3)
			require.True(t, slices.ContainsFunc(figures, func(f chart.Figure) bool { return f.Name != "system" && f.Kind != chart.Boxes }), "a measured one")
			b, err := Write(d)
			require.NoError(t, err)
			require.Less(t, len(b), 2_000_000)
			if p != nil && (unlike[name] || i%3 == 0 || os.Getenv("CAUSEWAY_LONG") != "") {
				file := filepath.Join(dir, name+".html")
				require.NoError(t, os.WriteFile(file, b, 0o600))
				p.Go("file://" + file)
				p.Eval(`window.dispatchEvent(new Event('beforeprint'))`, nil)
				p.Wait(`Object.values(causeway.charts).length > 2 && Object.values(causeway.charts).every(x => x.chart)`)
				if unlike[name] {
					readable(t, p)
					p.Resize(500, 900)
					p.Eval(`window.dispatchEvent(new Event('beforeprint'))`, nil)
					p.Wait(`Object.values(causeway.charts).every(x => x.chart && x.chart.getWidth() === x.box.clientWidth)`)
					readable(t, p)
					p.Resize(1300, 900)
				}
				require.Empty(t, p.Problems)
				require.Empty(t, p.Requests)
			}
		})
	}
}
