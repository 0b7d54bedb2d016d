package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/layers"
	"github.com/causeway-sim/causeway/components/report/panel"
)

func init() {
	panel.Add("tensors", "Hits of each cache by tensor, and by the reuse that was expected.", panel.Panel{Section: panel.Memory, Place: 2, Draw: tensors, Names: []string{"cache-tensors", "cache-reuse"}})
}

// maxTensors bounds the bars of tensors.
const maxTensors = 24

// tensors draws accesses by outcome: of the tensors that most of them go to, like ones of
// many blocks together, and by how often hints expected them again.
func tensors(d *panel.Data) (out []chart.Figure) {
	if d.Run == nil {
		return nil
	}
	type tally struct {
		name            string
		hits, rest, off float64 // hits, misses, bypasses
		reuse           float64
	}
	byName, byReuse := map[string]*tally{}, map[float64]*tally{}
	for _, t := range d.Run.Observed.Find("tensors") {
		tensor, kind, reuse := t.Index("tensor"), t.Index("kind"), t.Index("reuse")
		raw := make([]string, len(t.Rows))
		for i := range t.Rows {
			raw[i], _ = t.Rows[i][tensor].(string)
		}
		like := layers.LikeLayers(slices.Values(raw))
		for i := range t.Rows {
			name := like(raw[i])
			if name == "" {
				name = fmt.Sprintf("kind %v", t.Rows[i][kind])
			}
			if k := fmt.Sprint(t.Rows[i][kind]); !strings.Contains(name, k) {
				name += ", " + k
			}
			a, h, b := t.Number(i, t.Index("accesses")), t.Number(i, t.Index("hits")), t.Number(i, t.Index("bypasses"))
			n := byName[name]
			if n == nil {
				n = &tally{name: name}
				byName[name] = n
			}
			r := t.Number(i, reuse)
			u := byReuse[r]
			if u == nil {
				u = &tally{name: reuseName(r), reuse: r}
				byReuse[r] = u
			}
			for _, x := range []*tally{n, u} {
				x.hits, x.rest, x.off = x.hits+h, x.rest+a-h-b, x.off+b
			}
		}
	}
	draw := func(name, title, note string, list []*tally) {
		f := chart.Figure{Name: name, Title: title, Note: note}
		f.Kind, f.Stack, f.Across, f.Y = chart.Bars, true, true, chart.Axis{Name: "line accesses", Unit: "1"}
		f.Series = []chart.Series{{Name: "hit", Color: "#009e73"}, {Name: "miss", Color: "#d55e00"}, {Name: "bypassed", Color: "#cc79a7"}}
		for _, x := range list {
			f.X.Labels = append(f.X.Labels, x.name)
			for k, v := range []float64{x.hits, x.rest, x.off} {
				f.Series[k].Y = append(f.Series[k].Y, v)
			}
		}
		f.Series = slices.DeleteFunc(f.Series, func(s chart.Series) bool { return !slices.ContainsFunc(s.Y, func(v float64) bool { return v > 0 }) })
		out = append(out, panel.OneFigure(f)...)
	}
	var names, reuses []*tally
	for _, x := range byName {
		names = append(names, x)
	}
	for _, x := range byReuse {
		reuses = append(reuses, x)
	}
	slices.SortFunc(names, func(a, b *tally) int {
		return cmp.Or(cmp.Compare(b.hits+b.rest+b.off, a.hits+a.rest+a.off), cmp.Compare(a.name, b.name))
	})
	slices.SortFunc(reuses, func(a, b *tally) int { return cmp.Compare(a.reuse, b.reuse) })
	note := ""
	if len(names) > maxTensors {
		note = fmt.Sprintf("The %d tensors with most accesses of %d.", maxTensors, len(names))
	}
	draw("cache-tensors", "Accesses of the caches by tensor", note, names[:min(maxTensors, len(names))])
	draw("cache-reuse", "Accesses by expected reuse", "How often the hint of the request expected its bytes to be asked for again.", reuses)
	return out
}

func reuseName(r float64) string {
	switch {
	case r < 1:
		return "not again, or unknown"
	case r == 1:
		return "once more"
	}
	return fmt.Sprintf("%.0f to %.0f times", r, 2*r-1)
}
