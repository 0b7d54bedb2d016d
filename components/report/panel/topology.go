package panel

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/causeway-sim/causeway/components/experiment/watch"
	"github.com/causeway-sim/causeway/components/report/chart"
)

func init() {
	Add("topology", "The routers of a network in their groups, and its channels coloured by use.", Panel{Section: Network, Place: 1, Draw: topology, Names: []string{"topology", "topology-2", "topology-3"}})
	Add("channels", "How busy the channels of a network were, from the busiest.", Panel{Section: Network, Place: 3, Draw: channels})
}

// channelTables are the channels of all networks: those that the run has written, else
// those that it was seen to use.
func channelTables(r *Run) (out []watch.Detail) {
	if r == nil {
		return nil
	}
	return r.Observed.Find("channels")
}

// maxRouters bounds a drawing of routers.
const maxRouters = 600

func topology(d *Data) (out []chart.Figure) {
	for _, t := range channelTables(d.Run) {
		if len(out) == 3 {
			break
		}
		router, to, busy, flits := t.Index("router"), t.Index("to"), t.Index("busy"), t.Index("flits")
		if router < 0 || to < 0 || busy < 0 {
			continue
		}
		f := chart.Figure{Name: "topology", Title: t.Where + ": routers and channels", Wide: true}
		if len(out) > 0 {
			f.Name = fmt.Sprintf("topology-%d", len(out)+1)
		}
		f.Note = "Channels between routers by how long they carried something; a pair has a line each way."
		f.Kind = chart.Net
		f.Value = chart.Axis{Name: "busy", Unit: "cycle"}
		n := 0
		local := map[int]float64{} // flits to and from terminals
		type pair struct{ a, b int }
		var order []pair
		sum, count := map[pair]float64{}, map[pair]int{}
		for i := range t.Rows {
			a := int(t.Number(i, router))
			n = max(n, a+1)
			other, ok := strings.CutPrefix(fmt.Sprint(t.Rows[i][to]), "router ")
			if !ok {
				local[a] += t.Number(i, flits)
				continue
			}
			b, err := strconv.Atoi(other)
			if err != nil {
				continue
			}
			p := pair{a, b}
			if count[p] == 0 {
				order = append(order, p)
			}
			n = max(n, b+1)
			sum[p], count[p] = max(sum[p], t.Number(i, busy)), count[p]+1
		}
		if n < 2 || n > maxRouters || len(order) == 0 {
			continue
		}
		f.Nodes = routers(n, topologyOf(d.Run.Config, t.Where))
		for a := range f.Nodes {
			f.Nodes[a].Lines = []string{fmt.Sprintf("%.0f flits to its terminals", local[a])}
		}
		for _, p := range order {
			e := chart.Edge{From: p.a, To: p.b, Value: sum[p]}
			if count[p] > 1 {
				e.Text = fmt.Sprintf("busiest of %d channels", count[p])
			}
			f.Edges = append(f.Edges, e)
		}
		shareOfRun(&f, &f.Value, d.Run.cyclesOf(t.Where))
		out = append(out, f)
	}
	return out
}

// topologyOf is the topology section of a network of a configuration; nil where it has
// none.
func topologyOf(config []byte, network string) map[string]any {
	var c written
	if yaml.Unmarshal(config, &c) != nil {
		return nil
	}
	for _, n := range c.Nodes {
		if n["name"] == element(network) {
			t, _ := n["topology"].(map[string]any)
			return t
		}
	}
	return nil
}

func element(name string) string {
	base, _, _ := strings.Cut(name, "[")
	return base
}

// routers places n routers: those of a grid on a grid, those of groups on a circle of
// circles, others on a circle.
func routers(n int, top map[string]any) []chart.Node {
	out := make([]chart.Node, n)
	number := func(key string) int { v, _ := top[key].(int); return v }
	var dims []int
	if list, ok := top["dims"].([]any); ok {
		for _, v := range list {
			k, _ := v.(int)
			dims = append(dims, k)
		}
	}
	group := 0 // routers of a group
	switch {
	case top["name"] == "dragonfly":
		group = number("a")
	case number("leaves") > 0:
		group = number("leaves") + number("spines")
	}
	for i := range out {
		out[i].Name = strconv.Itoa(i)
		at := 2 * math.Pi * float64(i) / float64(n)
		switch {
		case len(dims) == 2 && dims[0]*dims[1] == n:
			out[i].X, out[i].Y = float64(i%dims[0]), -float64(i/dims[0])
		case group > 1 && n%group == 0 && n > group:
			g, k := i/group, i%group
			groups := float64(n / group)
			big, small := 2*math.Pi*float64(g)/groups, 2*math.Pi*float64(k)/float64(group)
			r := 0.8 * math.Sin(math.Pi/groups) // circles of neighbours do not touch
			out[i].X, out[i].Y = 1.6*(math.Sin(big)+r*math.Sin(big+small)), math.Cos(big)+r*math.Cos(big+small)
			out[i].Group = fmt.Sprintf("group %d", g)
		default:
			out[i].X, out[i].Y = 1.6*math.Sin(at), math.Cos(at)
		}
	}
	return out
}
