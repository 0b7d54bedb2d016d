package page

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/experiment/watch"
	"github.com/causeway-sim/causeway/components/report/browser"
)

// texts lists what a chart has written, and where: [text, left, top, right, bottom].
const texts = `(name => causeway.charts[name].chart.getZr().storage.getDisplayList(true).filter(e => (e.type === 'tspan' || e.type === 'text') && !e.ignore && !e.invisible && e.style.text).map(e => {
	const r = e.getBoundingRect().clone(); if (e.transform) r.applyTransform(e.transform);
	const m = e.transform || [1, 0, 0, 1, 0, 0], a = Math.atan2(m[1], m[0]), q = e.getBoundingRect(), x = m[4] * Math.cos(a) + m[5] * Math.sin(a) + q.x, y = m[5] * Math.cos(a) - m[4] * Math.sin(a) + q.y;
	return {text: e.style.text, left: r.x, top: r.y, right: r.x + r.width, bottom: r.y + r.height, turn: Math.round(a * 1e6), along: {left: x, top: y, right: x + q.width, bottom: y + q.height}};
}))`

type text struct {
	Text string
	box
	Turn  int // of both sides
	Along box // in axes that are turned with the text
}

type box struct{ Left, Top, Right, Bottom float64 }

// apart reports whether two texts leave each other readable.
func (a text) apart(b text) bool {
	if a.Turn == b.Turn {
		return a.Along.apart(b.Along)
	}
	return a.box.apart(b.box)
}

func (a box) apart(b box) bool {
	return a.Right <= b.Left || b.Right <= a.Left || a.Bottom <= b.Top || b.Bottom <= a.Top
}

// On a narrow page no text of a dense roofline or a timeline is written over another or
// beyond the edge, and the lanes of a timeline have their whole names.
func TestNarrowPageIsReadable(t *testing.T) {
	d := sample(40)
	ts := &watch.Tasks{Nodes: []string{"Core", "Memory"}, Kinds: []string{"layer", "compute", "transaction"}, Names: []string{"conv"}}
	for i := range 6 {
		ts.Node, ts.Kind, ts.Name = append(ts.Node, i%2), append(ts.Kind, i%3), append(ts.Name, 0)
		ts.Begin, ts.Span, ts.Bytes = append(ts.Begin, float64(i)), append(ts.Span, 5), append(ts.Bytes, 0)
	}
	d.Run.Observed = &watch.Observed{Tasks: ts}
	mem := cause.New("Mem", cause.Memory)
	rows := mem.Add("rows", "waiting for rows", 60)
	rows.Add("row_open", "keeping rows open that are in the way (tRAS, tRTP, tWR)", 30).Add("twr", "for tWR", 20)
	rows.Add("precharge", "waiting for rows to close (tRP, tRC)", 30)
	mem.Add("turnaround", "turning the bus between reads and writes (tWTR, tRTW)", 40)
	d.Run.Causes = cause.Join(100, []*cause.Tree{mem})
	p := show(t, d)
	for _, width := range []int{500, 900} {
		p.Resize(width, 900)
		p.Eval(`window.dispatchEvent(new Event('beforeprint'))`, nil)
		p.Wait(`Object.values(causeway.charts).every(x => x.chart && x.chart.getWidth() === x.box.clientWidth)`)
		for _, name := range []string{"roofline", "timeline", "causes"} {
			list, most := written(p, name)
			require.NotEmpty(t, list)
			for i, a := range list {
				require.GreaterOrEqual(t, a.Left, 0.0, "%s at %d: %s", name, width, a.Text)
				require.LessOrEqual(t, a.Right, most, "%s at %d: %s", name, width, a.Text)
				require.NotContains(t, a.Text, "...", "%s at %d: cut", name, width)
				for _, b := range list[:i] {
					require.True(t, a.apart(b), "%s at %d: %v over %v", name, width, a, b)
				}
			}
		}
	}
	require.Empty(t, p.Problems)
}

// readable requires of every chart of a page that no text is written over another or beyond the
// edge, that none but turned ones is cut, and that short labels of lying bars are in one piece.
func readable(t *testing.T, p *browser.Page) {
	var all map[string]struct {
		Texts         []text
		Labels        []string
		Width, Height float64
	}
	p.Eval(`Object.fromEntries(Object.values(causeway.charts).map(x => [x.name, {texts: `+texts+`(x.name), labels: x.c.across ? x.c.x.labels.slice(0, 20).map(l => l.trim()) : [], width: x.chart.getWidth(), height: x.chart.getHeight()}]))`, &all)
	require.NotEmpty(t, all)
	var sides struct{ Over, Uneven float64 }
	p.Eval(`({over: document.documentElement.scrollWidth - document.documentElement.clientWidth, uneven: innerWidth < 1000 ? 0 : Math.max(0, ...[...document.querySelectorAll('.cols')].filter(c => c.querySelectorAll('figure').length > 2).map(c => { const b = [...c.children].map(k => k.lastElementChild.getBoundingClientRect().bottom); return Math.abs(b[0] - b[1]); }))})`, &sides)
	require.LessOrEqual(t, sides.Over, 0.0, "the page is wider than its window")
	require.LessOrEqual(t, sides.Uneven, 300.0, "a column of figures ends far above the other")
	for name, c := range all {
		have := map[string]bool{}
		for i, a := range c.Texts {
			have[strings.TrimSpace(a.Text)] = true
			require.True(t, a.Left >= -1 && a.Top >= -1 && a.Right <= c.Width+1 && a.Bottom <= c.Height+1, "%s of %g: %q is beyond the edge: %v", name, c.Width, a.Text, a.box)
			require.True(t, a.Turn != 0 || !strings.Contains(a.Text, "..."), "%s of %g: %q is cut", name, c.Width, a.Text)
			for _, b := range c.Texts[:i] {
				require.True(t, a.Text == b.Text || a.apart(b), "%s of %g: %v over %v", name, c.Width, a, b)
			}
		}
		for _, l := range c.Labels {
			require.True(t, len(l) > 16 || have[l], "%s of %g: label %q is in pieces", name, c.Width, l)
		}
	}
}

// Labels of dots cover no dot and no other label, however many there are.
func TestLabelsCoverNoDot(t *testing.T) {
	p := show(t, sample(90))
	p.Eval(`window.dispatchEvent(new Event('beforeprint'))`, nil)
	p.Wait(`Object.values(causeway.charts).every(x => x.chart)`)
	var r struct {
		Placed []struct {
			Text       string
			X, Y, W, H float64
		}
		Dots []struct{ X, Y, R float64 }
	}
	p.Eval(`(() => {
	  const dots = Array.from({length: 60}, (_, i) => ({x: 60 + 37 * i % 400, y: 40 + 53 * i % 230, r: 3 + i % 7}));
	  const tags = dots.slice(0, 25).map((d, i) => Object.assign({text: 'layer' + i, w: 45, h: 13}, d));
	  return {dots, placed: causeway.placed({x: 20, y: 20, width: 500, height: 300}, dots, [[20, 300, 500, 20]], tags).map(g => Object.assign({text: g.text}, g.box))};
	})()`, &r)
	require.Greater(t, len(r.Placed), 5)
	for i, a := range r.Placed {
		at := box{a.X, a.Y, a.X + a.W, a.Y + a.H}
		require.True(t, at.Left >= 20 && at.Right <= 520 && at.Top >= 20 && at.Bottom <= 320)
		for _, b := range r.Placed[:i] {
			require.True(t, at.apart(box{b.X, b.Y, b.X + b.W, b.Y + b.H}), "%s over %s", a.Text, b.Text)
		}
		for _, d := range r.Dots {
			require.True(t, at.apart(box{d.X - d.R, d.Y - d.R, d.X + d.R, d.Y + d.R}), "%s over a dot", a.Text)
		}
	}
	readable(t, p)
	require.Empty(t, p.Problems)
}

func written(p *browser.Page, chart string) (list []text, width float64) {
	p.Eval(texts+`('`+chart+`')`, &list)
	p.Eval(`causeway.charts['`+chart+`'].chart.getWidth()`, &width)
	return list, width
}
