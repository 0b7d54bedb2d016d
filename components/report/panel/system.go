package panel

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/causeway-sim/causeway/components/report/chart"
)

func init() {
	Add("system", "The nodes of the configuration and their links.", Panel{Section: System, Place: 1, Draw: system})
}

// written is what of a resolved configuration is drawn.
type written struct {
	Nodes []map[string]any `yaml:"nodes"`
	Links []any            `yaml:"links"`
}

// system draws the configuration: requesters are on the left of responders.
func system(d *Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	var c written
	if yaml.Unmarshal(d.Run.Config, &c) != nil || len(c.Nodes) == 0 {
		return nil
	}
	f := chart.Figure{Name: "system", Title: "The system", Wide: true}
	f.Note = "Nodes and links of the configuration; who asks is on the left."
	f.Kind = chart.Boxes
	var names []string
	for _, n := range c.Nodes {
		name := fmt.Sprint(n["name"])
		box := chart.Node{Name: name, Group: kindOf(n)}
		if count, ok := n["count"]; ok {
			box.Name += fmt.Sprintf(" x %v", count)
		}
		box.Lines = append(box.Lines, box.Group)
		if s := shape(n); s != "" {
			box.Lines = append(box.Lines, s)
		}
		names = append(names, name)
		f.Nodes = append(f.Nodes, box)
	}
	for _, l := range c.Links {
		from, to, text, ok := endsOf(l)
		a, b := slices.Index(names, from), slices.Index(names, to)
		if !ok || a < 0 || b < 0 || slices.ContainsFunc(f.Edges, func(e chart.Edge) bool { return e.From == a && e.To == b }) {
			continue
		}
		f.Edges = append(f.Edges, chart.Edge{From: a, To: b, Text: text})
	}
	place(f.Nodes, f.Edges)
	return []chart.Figure{f}
}

func kindOf(n map[string]any) string {
	for _, key := range []string{"kind", "group"} {
		if v, ok := n[key]; ok {
			return fmt.Sprint(v)
		}
	}
	return ""
}

// shape is what a reader asks first of a node: "128 x 128, ws", "16 ways", "hbm3".
func shape(n map[string]any) string {
	var out []string
	if r, ok := n["rows"]; ok {
		out = append(out, fmt.Sprintf("%v x %v", r, n["cols"]))
	}
	for _, key := range []string{"dataflow", "sms", "memory", "size", "grade", "preset", "topology", "routing", "policy", "channels", "bandwidth", "model", "trace", "pattern", "compute"} {
		v, ok := n[key]
		if m, named := v.(map[string]any); named {
			v, ok = m["name"]
		}
		if !ok {
			continue
		}
		s := fmt.Sprint(v)
		switch {
		case key == "channels":
			s += " channels"
		case key == "sms":
			s += " SMs"
		case key == "trace":
			s = s[strings.LastIndexByte(s, '/')+1:]
		}
		if out = append(out, s); len(out) == 3 {
			break
		}
	}
	return strings.Join(out, ", ")
}

// endsOf are the nodes that a link of a configuration joins, and its attributes.
func endsOf(l any) (from, to, text string, ok bool) {
	s := ""
	switch l := l.(type) {
	case string:
		s = l
	case map[string]any:
		s = fmt.Sprint(l["link"])
		for _, key := range []string{"latency", "bandwidth"} {
			if v, has := l[key]; has {
				text = strings.TrimPrefix(text+", "+fmt.Sprint(v), ", ")
			}
		}
	}
	a, b, ok := strings.Cut(s, "->")
	node := func(s string) string {
		s = strings.TrimSpace(s)
		if i := strings.IndexAny(s, ".["); i >= 0 {
			s = s[:i]
		}
		return s
	}
	return node(a), node(b), text, ok
}

// place puts nodes into columns: each one column to the right of its requester, along the
// longest path. A ring of links is cut where it closes. Nodes of a column are placed near
// their requesters.
func place(nodes []chart.Node, edges []chart.Edge) {
	column := make([]int, len(nodes))
	for range nodes { // longest ways have at most as many links as there are nodes
		for _, e := range edges {
			if e.From != e.To && column[e.To] <= column[e.From] && column[e.From]+1 < len(nodes) && !leads(edges, e.To, e.From) {
				column[e.To] = column[e.From] + 1
			}
		}
	}
	rows := map[int][]int{}
	for i, c := range column {
		rows[c] = append(rows[c], i)
	}
	at := make([]float64, len(nodes))
	for c := 0; c < len(nodes); c++ {
		weight := func(i int) float64 {
			sum, n := 0.0, 0.0
			for _, e := range edges {
				if e.To == i && column[e.From] < c {
					sum, n = sum+at[e.From], n+1
				}
			}
			if n == 0 {
				return 1e9
			}
			return sum / n
		}
		list := rows[c]
		slices.SortStableFunc(list, func(a, b int) int {
			switch wa, wb := weight(a), weight(b); {
			case wa < wb:
				return -1
			case wa > wb:
				return 1
			}
			return 0
		})
		for k, i := range list {
			at[i] = float64(k) - float64(len(list)-1)/2
			nodes[i].X, nodes[i].Y = float64(c), at[i]
		}
	}
}

// leads reports whether links lead from one node to another.
func leads(edges []chart.Edge, from, to int) bool {
	seen := map[int]bool{from: true}
	for list := []int{from}; len(list) > 0; {
		n := list[0]
		list = list[1:]
		if n == to {
			return true
		}
		for _, e := range edges {
			if e.From == n && !seen[e.To] {
				seen[e.To] = true
				list = append(list, e.To)
			}
		}
	}
	return false
}
