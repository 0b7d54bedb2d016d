package page

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/layers"
	"github.com/causeway-sim/causeway/components/report/panel"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// elements are indices of nodes of an array.
var elements = regexp.MustCompile(`\[[0-9]+\]`)

// belowRoof requires that nothing of a run is above what its configuration allows: no counter
// over time above its peak, no share above 100 %, no stack of shares or of times above the run.
func belowRoof(t *testing.T, r *panel.Run, figures []chart.Figure) {
	t.Helper()
	require.Empty(t, r.Observed.AboveRoof())
	bounded(t, r)
	total := 0.0
	for _, m := range r.Metrics {
		if m.Unit == stats.Percent {
			require.LessOrEqual(t, m.Value, 100*(1+1e-9), "%s.%s", m.Where, m.Name)
		}
		if m.Phase == "all" && m.Name == "total_time" {
			total = max(total, m.Value)
		}
		if did, _ := r.Metric(m.Where, "macs"); m.Phase == "all" && m.Name == "peak_macs" && did.Value > 0 && r.Observed.Series != nil {
			require.Contains(t, r.Observed.Peaks, elements.ReplaceAllString(m.Where, "")+".macs", "its work over time has a peak")
		}
	}
	for _, f := range figures {
		switch f.Kind {
		case chart.Bars:
			stacks(t, f, r, total)
		case chart.Lines:
			for _, s := range f.Series {
				for _, v := range s.Y {
					if f.Y.Unit == "%" && !math.IsNaN(v) {
						require.LessOrEqual(t, v, 100*(1+1e-9), "%s: %s", f.Name, s.Name)
					}
				}
			}
			drawnPeaks(t, f)
		}
	}
	rooflines(t, r)
}

// bounded requires that the networks, the links of CXL and the caches with time of a run have a
// peak, so that AboveRoof holds them below it.
func bounded(t *testing.T, r *panel.Run) {
	if r.Observed.Series == nil {
		return
	}
	for _, c := range r.Observed.Series.Columns[1:] {
		node, name := c[:strings.LastIndexByte(c, '.')], c[strings.LastIndexByte(c, '.')+1:]
		_, timed := r.Metric(node, "mshrs_max")
		if name == "bytes_delivered" || strings.HasPrefix(name, "wire_bytes") || timed && name == "moved_bytes" {
			require.Contains(t, r.Observed.Peaks, c)
		}
	}
}

// rooflines requires of every layer that it is below the roof of its node, with the bytes that
// came while the layer before worked charged to that one.
func rooflines(t *testing.T, r *panel.Run) {
	_, drawn, err := layers.RooflineOf(r.Layers, r.Metrics)
	if err != nil {
		return
	}
	for _, row := range drawn.All() {
		if roof, ok := row[3].(float64); ok {
			require.LessOrEqual(t, row[2], roof*(1+1e-9), "the dot of %v", row[0])
		}
	}
	l := r.Layers
	where, cycles, macs, rate := l.Index("where"), l.Index("cycles"), l.Index("macs"), l.Index("peak_macs")
	for _, row := range l.Rows {
		peak, _ := r.Metric(row[where].(string), "peak_macs")
		if rate >= 0 && stats.Number(row[rate]) > 0 {
			peak.Value = stats.Number(row[rate])
		}
		n := stats.Number(row[cycles])
		if peak.Value > 0 {
			require.LessOrEqual(t, stats.Number(row[macs]), peak.Value*n*(1+1e-9), "multiply-accumulates of %v", row[0])
		}
	}
	slopes := map[string]float64{}
	for _, m := range r.Metrics {
		if m.Phase == "all" && m.Name == "peak_bytes" {
			slopes[m.Where] = m.Value
		}
	}
	require.Empty(t, early(l, slopes, rooms(t, r.Config)))
}

// early says which layers of a node have bytes that cannot have come by their end: more than the
// memory moves up to there, or more before the layer begins than the node has room for.
func early(l *stats.Table, slopes, rooms map[string]float64) (out []string) {
	where, cycles, over := l.Index("where"), l.Index("cycles"), map[string]float64{}
	rows := slices.Collect(func(yield func([]any) bool) {
		for _, row := range l.All() {
			if !yield(row) {
				return
			}
		}
	})
	for _, row := range slices.Backward(rows) {
		node := row[where].(string)
		slope, ok := slopes[node]
		if !ok {
			continue
		}
		bytes := layers.SumOf(row, layers.TrafficColumns(l)) + over[node]
		over[node] = max(0, bytes-slope*stats.Number(row[cycles])*(1+1e-9))
		if room, ok := rooms[elements.ReplaceAllString(node, "")]; ok && over[node] > room {
			out = append(out, fmt.Sprintf("%.4g bytes of %s from %v on came before, and it has room for %.4g", over[node], node, row[0], room))
		}
	}
	for node, n := range over {
		if n > 0 {
			out = append(out, fmt.Sprintf("%.4g bytes of %s came before its first layer", n, node))
		}
	}
	return out
}

// rooms are the bytes that nodes hold of tensors: buffers of arrays, L2 of GPUs.
func rooms(t *testing.T, config []byte) map[string]float64 {
	root, err := configs.ParseValue("config.resolved.yaml", config)
	require.NoError(t, err)
	out := map[string]float64{}
	var add func(nodes configs.Value, prefix string)
	add = func(nodes configs.Value, prefix string) {
		for _, n := range nodes.Items() {
			name := prefix + n.Get("name").Text()
			if g := n.Get("group"); g.Exists() {
				add(root.Get("groups").Get(g.Text()).Get("nodes"), name+".")
			}
			for _, v := range []configs.Value{n.Get("l2_size"), n.Get("sram").Get("ifmap"), n.Get("sram").Get("filter"), n.Get("sram").Get("ofmap")} {
				if b, err := units.ParseBytes(v.Text()); v.Exists() && err == nil {
					out[name] += float64(b)
				}
			}
		}
	}
	add(root.Get("nodes"), "")
	return out
}

// The check of early bytes fails where a layer has more than its time and the room before it
// allow, though all layers together have room for all bytes.
func TestEarlyBytesAreSaid(t *testing.T) {
	table := func(bytes ...float64) *stats.Table {
		l := &stats.Table{Columns: []stats.Column{{Name: "layer"}, {Name: "cycles"}, {Name: "memory_bytes"}, {Name: "where"}}}
		for i, n := range bytes {
			l.Append(fmt.Sprintf("l%d", i), 100.0, n, "Core[0]")
		}
		return l
	}
	slopes, room := map[string]float64{"Core[0]": 10}, map[string]float64{"Core": 800}
	require.Empty(t, early(table(1000, 1000, 1000), slopes, room))
	require.Empty(t, early(table(200, 1000, 1800), slopes, room), "a tile of the next layer came before it")
	require.Equal(t, []string{"900 bytes of Core[0] from l2 on came before, and it has room for 800"}, early(table(0, 0, 1900), slopes, room))
	require.Equal(t, []string{"500 bytes of Core[0] came before its first layer"}, early(table(1000, 1000, 1500), slopes, room))
	require.Equal(t, []string{"500 bytes of Core[0] came before its first layer"}, early(table(1500, 0, 0), slopes, nil))
}

// stacks requires of bars in percent, or of bars of nodes in time or cycles, that none is above
// the run.
func stacks(t *testing.T, f chart.Figure, r *panel.Run, total float64) {
	for i, label := range f.X.Labels {
		sum := 0.0
		for _, s := range f.Series {
			if f.Y.Unit == "%" {
				require.LessOrEqual(t, s.Y[i], 100*(1+1e-9), "%s: %s of %s", f.Name, s.Name, label)
			}
			sum += s.Y[i]
		}
		switch {
		case !f.Stack:
		case f.Y.Unit == "%":
			require.LessOrEqual(t, sum, 100*(1+1e-9), "%s: %s", f.Name, label)
		case f.Y.Unit == "ns" && total > 0:
			require.LessOrEqual(t, sum, total*(1+1e-9), "%s: %s", f.Name, label)
		case f.Name == "stalls-nodes":
			m, ok := r.Metric(label, "total_cycles")
			require.True(t, ok, label)
			require.LessOrEqual(t, sum, m.Value*(1+1e-9), "%s: %s", f.Name, label)
		}
	}
}

// drawnPeaks requires that no line is above the one that a figure draws as its peak.
func drawnPeaks(t *testing.T, f chart.Figure) {
	for _, p := range f.Series {
		node, _, ok := strings.Cut(p.Name, " peak: ")
		if !ok {
			continue
		}
		at := slices.IndexFunc(f.Series, func(s chart.Series) bool { return s.Name == node })
		require.GreaterOrEqual(t, at, 0, "%s has a peak for %s and no line", f.Name, node)
		require.LessOrEqual(t, slices.Max(f.Series[at].Y), p.Y[0]*(1+1e-6), "%s: %s", f.Name, node)
	}
}
