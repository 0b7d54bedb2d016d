package report

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
)

// maxBars bounds how many bars a stack shows: more cannot be read on one page.
const maxBars = 40

// A stack says where cycles go: one bar for each layer or group of layers, cut
// by cause.
type stack struct {
	Columns []string // of layers.csv that a bar is cut into
	Bars    []bar
	Rest    *bar // the layers without a bar of their own; nil if all have one
}

type bar struct {
	Name   string
	Layers int // rows of layers.csv in the bar
	Parts  []float64
	Total  float64
}

var errNoLayers = errors.New("the result has no layers")

// stallPrefix marks the columns of layers.csv that hold stall cycles.
const stallPrefix = "stall_"

// stackOf sums the layer table over nodes and keeps its order.
func stackOf(t *stats.Table) (*stack, error) {
	if t == nil || len(t.Rows) == 0 {
		return nil, errNoLayers
	}
	s := &stack{}
	var cols []int
	for i, c := range t.Columns {
		cause := c.Name == "compute_cycles" || strings.HasPrefix(c.Name, stallPrefix)
		if cause && slices.ContainsFunc(t.Rows, func(row []any) bool { return number(row[i]) > 0 }) {
			cols, s.Columns = append(cols, i), append(s.Columns, c.Name)
		}
	}
	if len(cols) == 0 {
		return nil, errors.New("the layers have no stall columns")
	}
	for _, row := range t.Rows {
		b := bar{Name: fmt.Sprint(row[0]), Layers: 1, Parts: make([]float64, len(cols))}
		for k, c := range cols {
			b.Parts[k] = number(row[c])
			b.Total += b.Parts[k]
		}
		s.Bars = append(s.Bars, b)
	}
	s.Bars = gathered(s.Bars, func(name string) string { return name })
	for i := range s.Bars {
		s.Bars[i].Layers = 1 // on several nodes, but one layer
	}
	return s, nil
}

// block is the name of a layer inside one of many equal blocks: L17.gate.
var block = regexp.MustCompile(`^([A-Za-z]+)[0-9]+(\..+)$`)

// likeLayers returns what gives layers of many blocks one name, L*.gate, and
// leaves a name that only one layer would have.
func likeLayers(n int, name func(i int) string) func(string) string {
	star := func(s string) string { return block.ReplaceAllString(s, "$1*$2") }
	members := map[string]map[string]bool{}
	for i := range n {
		s := name(i)
		if members[star(s)] == nil {
			members[star(s)] = map[string]bool{}
		}
		members[star(s)][s] = true
	}
	return func(s string) string {
		if len(members[star(s)]) > 1 {
			return star(s)
		}
		return s
	}
}

// readable has at most maxBars bars: like layers of all blocks are one bar, and
// if that is not enough, the layers with least cycles are left to Rest, which is
// not drawn: it would be longer than any.
func (s *stack) readable() *stack {
	if len(s.Bars) <= maxBars {
		return s
	}
	bars := gathered(s.Bars, likeLayers(len(s.Bars), func(i int) string { return s.Bars[i].Name }))
	out := &stack{Columns: s.Columns, Bars: bars}
	if len(bars) > maxBars {
		totals := make([]float64, len(bars))
		for i, b := range bars {
			totals[i] = b.Total
		}
		slices.Sort(totals)
		least, room := totals[len(totals)-maxBars], maxBars
		out.Bars, out.Rest = nil, &bar{Parts: make([]float64, len(s.Columns))}
		for _, b := range bars {
			if b.Total >= least && room > 0 {
				out.Bars, room = append(out.Bars, b), room-1
				continue
			}
			out.Rest.add(b)
		}
	}
	return out
}

// gathered sums bars whose names rename makes equal, in the order in which they
// come first.
func gathered(bars []bar, rename func(string) string) (out []bar) {
	at := map[string]int{}
	for _, b := range bars {
		name := rename(b.Name)
		i, ok := at[name]
		if !ok {
			i = len(out)
			at[name] = i
			out = append(out, bar{Name: name, Parts: make([]float64, len(b.Parts))})
		}
		out[i].add(b)
	}
	return out
}

func (b *bar) add(o bar) {
	b.Layers += o.Layers
	b.Total += o.Total
	for i, p := range o.Parts {
		b.Parts[i] += p
	}
}

// label is the name with the number of layers that a bar stands for.
func (b bar) label() string {
	if b.Layers > 1 {
		return fmt.Sprintf("%s (%d)", b.Name, b.Layers)
	}
	return b.Name
}

// note says what the bars do not: what a star means, and what has no bar.
func (s *stack) note() string {
	var notes []string
	if slices.ContainsFunc(s.Bars, func(b bar) bool { return b.Layers > 1 }) {
		notes = append(notes, "A star stands for the number of a block; in brackets, how many layers a bar sums up.")
	}
	if s.Rest != nil {
		sum := s.Rest.Total
		for _, b := range s.Bars {
			sum += b.Total
		}
		notes = append(notes, fmt.Sprintf("%d layers with fewer cycles have no bar; they take %.1f %% of all layer cycles.", s.Rest.Layers, 100*s.Rest.Total/max(1, sum)))
	}
	return strings.Join(notes, " ")
}

// table is the whole stack as data.
func (s *stack) table(units []stats.Column) *stats.Table {
	t := &stats.Table{Columns: append([]stats.Column{{Name: "layer"}}, units...)}
	for _, b := range s.Bars {
		row := []any{b.Name}
		for _, p := range b.Parts {
			row = append(row, p)
		}
		t.Append(row...)
	}
	return t
}

// nodeStack is one bar for each node that counts its cycles by cause.
func nodeStack(ms []stats.Metric) *stack {
	isCause := func(m stats.Metric) bool {
		return m.Phase == "all" && m.Where != "" && m.Unit == stats.Cycle && m.Value > 0 &&
			(m.Name == "compute_cycles" || m.Name == "idle_cycles" || strings.HasPrefix(m.Name, stallPrefix))
	}
	s := &stack{}
	for _, m := range ms {
		if isCause(m) && !slices.Contains(s.Columns, m.Name) {
			s.Columns = append(s.Columns, m.Name)
		}
	}
	slices.SortFunc(s.Columns, func(a, b string) int { return shadeOf(a) - shadeOf(b) })
	for _, m := range ms {
		if !isCause(m) {
			continue
		}
		i := slices.IndexFunc(s.Bars, func(b bar) bool { return b.Name == m.Where })
		if i < 0 {
			i = len(s.Bars)
			s.Bars = append(s.Bars, bar{Name: m.Where, Layers: 1, Parts: make([]float64, len(s.Columns))})
		}
		s.Bars[i].Parts[slices.Index(s.Columns, m.Name)] += m.Value
		s.Bars[i].Total += m.Value
	}
	slices.SortStableFunc(s.Bars, func(a, b bar) int { return configs.CompareNames(a.Name, b.Name) })
	return s
}
