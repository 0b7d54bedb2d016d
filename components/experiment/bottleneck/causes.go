package bottleneck

import (
	"strings"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// Causes joins the cause trees of the nodes into the tree of the run.
func (run *Run) Causes(r *result.Result) *cause.Tree {
	total := 0.0
	if m, ok := r.Metric("", "total_time"); ok {
		total = m.Value
	}
	byNode := map[string][]stats.Metric{}
	for _, m := range r.Metrics {
		if m.Phase == "all" {
			byNode[m.Where] = append(byNode[m.Where], m)
		}
	}
	var trees []*cause.Tree
	rows := rowsOfNodes(r.Layers)
	for _, n := range run.Nodes {
		if c, ok := n.(system.Causal); ok {
			trees = append(trees, c.Causes())
		} else if c, ok := n.(system.Clocked); ok {
			ns, ms := c.Clock().Nanoseconds(1), byNode[n.Name()]
			t := coreTree(n.Name(), run.Home(n), ns, ms, rows[n.Name()])
			if run.Staged && len(t.Parts) > 0 {
				bubble(t, ns, total, valueOf(ms, "total_cycles")*ns, rows[n.Name()])
			}
			trees = append(trees, t)
		}
	}
	return cause.Join(total, trees)
}

// rowsOfNodes are the rows of layers of each node, which the column where names.
func rowsOfNodes(layers *stats.Table) map[string]*stats.Table {
	out := map[string]*stats.Table{}
	if layers == nil || layers.Index("where") < 0 {
		return out
	}
	where := layers.Index("where")
	of := map[string][]int32{}
	for i, row := range layers.Each() {
		if node, ok := row[where].(string); ok {
			of[node] = append(of[node], int32(i))
		}
	}
	for node, rows := range of {
		out[node] = result.Part(layers, rows)
	}
	return out
}

// valueOf is the value of a metric of a node, 0 where it has none.
func valueOf(ms []stats.Metric, name string) float64 {
	for _, m := range ms {
		if m.Name == name {
			return m.Value
		}
	}
	return 0
}

// families put causes of cores under one head. A cause of no family stands alone.
var families = []struct {
	name, words string
	has         func(c stats.Cause) bool
}{
	{"memory", "waiting for memory", func(c stats.Cause) bool {
		return strings.HasPrefix(c.Metric, stats.StallPrefix) && strings.Contains(c.Words, "memory")
	}},
}

// mostGroups bounds the groups of layers under a cause; the rest of it is theirs that are left.
const mostGroups = 5

// coreTree is the tree of a node that counts cycles by cause, with the groups of layers that have
// most of each cause. Waits for memory refer to its home. It has no parts of another node.
func coreTree(node, home string, ns float64, ms []stats.Metric, layers *stats.Table) *cause.Tree {
	t := cause.New(node, cause.Work)
	of := func(metric string) float64 { return valueOf(ms, metric) * ns }
	var heads []*cause.Tree
	for range families {
		heads = append(heads, &cause.Tree{})
	}
	for i, f := range families {
		heads[i].Name, heads[i].Words = f.name, f.words
	}
	for _, c := range nameable {
		v := of(c.Metric)
		if v == 0 {
			continue
		}
		to := t
		for i, f := range families {
			if f.has(c) {
				to = heads[i]
			}
		}
		name := strings.TrimSuffix(strings.TrimPrefix(c.Metric, stats.StallPrefix), "_cycles")
		p := to.Add(name, c.Words, v)
		if c.Metric == stats.ComputeCycles {
			arrayParts(p, of)
		}
		if len(p.Parts) == 0 {
			layerParts(p, c.Metric, ns, layers)
		}
	}
	for _, h := range heads {
		switch len(h.Parts) {
		case 0:
		case 1:
			t.Parts = append(t.Parts, h.Parts[0].Below(home))
		default:
			h.Time = h.Used()
			t.Parts = append(t.Parts, h.Below(home))
		}
	}
	return t
}

// arrayParts divides the compute cycles of a core whose array counts them by activity.
func arrayParts(p *cause.Tree, of func(metric string) float64) {
	useful, array := of("useful_cycles"), of("array_cycles")
	if useful == 0 {
		return
	}
	vector := 0.0 // its cycles lie in the mapping loss
	if array > 0 {
		vector = of(stats.ComputeCycles) - array
	}
	p.Add("useful", "with multiply-accumulates", useful)
	p.Add("mapping_loss", "with rows and columns of the array that the layers do not fill", max(0, of("mapping_loss_cycles")-vector))
	p.Add("fill", "filling the array", of("fill_cycles"))
	p.Add("drain", "draining the array", of("drain_cycles"))
	p.Add("vector", "with the vector unit alone", vector)
}

// layerParts adds the groups of layers of a node that have most of a cause.
func layerParts(p *cause.Tree, name string, ns float64, layers *stats.Table) {
	groups, _ := layerGroups(layers, column(layers, name), nil)
	for i, g := range groups {
		v := g.Weight * ns
		if i == mostGroups {
			break
		}
		p.AddAt(g.Name, g.Like, "", v)
	}
}
