package layout

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/glob"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Layout says how the elements of an activation lie in memory.
type Layout string

// The layouts. A tensor has the same bytes in each of them.
const (
	// Rows is the order of the tensor's shape, row after row. A row of an image is one of a channel.
	Rows Layout = "row"
	// Tiled is a matrix in square blocks, whose side is the longer side of the array: row of blocks after
	// row of blocks, and the elements of a block row by row.
	Tiled Layout = "tiled"
	// ChannelsLast has all channels of a pixel next to each other.
	ChannelsLast Layout = "channels_last"
)

// Names lists the layouts as configurations write them.
var Names = []string{string(Rows), string(Tiled), string(ChannelsLast)}

// ConfigValues lists the names, for schemas and messages.
func (Layout) ConfigValues() []string { return Names }

// Layouts maps patterns of tensors' names to layouts. The longest pattern that matches a name holds, and a
// tensor without one lies in rows. The pattern * leaves tensors in rows that cannot lie otherwise;
// with any other pattern such a tensor is an error. A configuration may give one layout in place of
// patterns, which is that of *.
type Layouts map[string]Layout

// UnmarshalConfig implements configs.Unmarshaler; Spec.check looks the names up.
func (l *Layouts) UnmarshalConfig(v configs.Value) error {
	*l = Layouts{}
	if v.Kind() == configs.List {
		return v.Errorf(Names, "a list: want one layout, or a mapping from patterns of names to layouts")
	}
	if v.Kind() != configs.Map {
		(*l)[everything] = Layout(v.Text())
		return nil
	}
	if len(v.Keys()) == 0 {
		return v.Errorf(Names, "an empty mapping: want one layout, or patterns of names with a layout each")
	}
	for _, p := range v.Keys() {
		(*l)[p] = Layout(v.Get(p).Text())
	}
	return nil
}

// everything is the pattern that takes what can lie so.
const everything = "*"

// of is the pattern that holds for a name; "" is none.
func (l Layouts) of(name string) (pattern string) {
	for _, p := range slices.Sorted(maps.Keys(l)) {
		if (p == name || glob.Match(p, name)) && (pattern == "" || len(p) > len(pattern) || p == name) && pattern != name {
			pattern = p
		}
	}
	return pattern
}

// An Arrangement is the layout of a tensor. The zero value is Rows.
type Arrangement struct {
	Last  bool  // the layout is ChannelsLast
	Block int64 // the layout is Tiled, with blocks of so many elements a side; 0: it is not
}

// Arrange returns the arrangement of each tensor of g, in order; nil if l is empty. Blocks have side elements a
// side. Tensors that an operator reads and writes element by element have the same arrangement. left says
// for each layout how many tensors the pattern * leaves in rows, and why.
func (l Layouts) Arrange(g *graph.Graph, side int64) (out []Arrangement, left []string, errs []error) {
	if len(l) == 0 {
		return nil, nil, nil
	}
	t := newTies(g)
	out = make([]Arrangement, len(g.Tensors))
	named := make(map[graph.TensorID]string) // by root: the pattern
	used, weights := map[string]bool{}, map[string]string{}
	for i := range g.Tensors {
		x := &g.Tensors[i]
		p := l.of(x.Name)
		if p == "" {
			continue
		}
		if x.Role == graph.Weight {
			weights[p] = x.Name
			continue
		}
		used[p] = true
		root := t.root(graph.TensorID(i))
		switch q, ok := named[root]; {
		case !ok || q == everything:
			named[root] = p
		case p != everything && l[p] != l[q]:
			errs = append(errs, fmt.Errorf("mapping.layout: %s is %s, and a tensor that an operator reads or writes beside it, element by element, is %s (want one for both)", x.Name, l[p], l[q]))
		}
	}
	for _, p := range slices.Sorted(maps.Keys(l)) {
		switch name, weight := weights[p]; {
		case used[p] || p == everything:
		case weight:
			errs = append(errs, fmt.Errorf("mapping.layout: %s is a weight: those lie in the order in which the cores read them", name))
		default:
			errs = append(errs, fmt.Errorf("mapping.layout: no activation is called %q (such as %s)", p, suchAs(p, activations(g))))
		}
	}
	rest := map[string]int{}
	for i := range g.Tensors {
		id := graph.TensorID(i)
		p, ok := named[t.root(id)]
		if !ok || g.Tensors[i].Role == graph.Weight {
			continue
		}
		why := ""
		switch l[p] {
		case Tiled:
			if why = t.untiled[t.root(id)]; why == "" {
				out[i] = Arrangement{Block: side}
			}
		case ChannelsLast:
			if why = t.unlast[t.root(id)]; why == "" {
				out[i] = Arrangement{Last: true}
			}
		}
		if why != "" && p != everything {
			errs = append(errs, fmt.Errorf("mapping.layout: %s cannot be %s: %s", g.Tensors[i].Name, l[p], why))
		} else if why != "" {
			rest[why]++
		}
	}
	for _, why := range slices.Sorted(maps.Keys(rest)) {
		what := "1 tensor stays"
		if n := rest[why]; n > 1 {
			what = fmt.Sprintf("%d tensors stay", n)
		}
		left = append(left, fmt.Sprintf("mapping.layout: %s in rows: %s", what, why))
	}
	return out, left, errs
}

// activations lists the names that a pattern may match.
func activations(g *graph.Graph) (out []string) {
	for i := range g.Tensors {
		if g.Tensors[i].Role != graph.Weight {
			out = append(out, g.Tensors[i].Name)
		}
	}
	return out
}

// suchAs is the name nearest to a pattern, or the first few where none is near.
func suchAs(pattern string, names []string) string {
	if n := configs.Nearest(pattern, names); n != "" {
		return n
	}
	return strings.Join(names[:min(len(names), 3)], ", ")
}
