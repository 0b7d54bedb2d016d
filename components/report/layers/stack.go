package layers

import (
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
)

// MaxBars bounds how many bars a stack shows: more cannot be read on one page.
const MaxBars = 40

// A Stack says where cycles go: one bar for each layer or group of layers, cut
// by cause.
type Stack struct {
	Columns []string // of layers.csv that a bar is cut into
	Bars    []Bar
	Rest    *Bar // the layers without a bar of their own; nil if all have one
}

// A Bar is what the cycles of a layer, a group of layers, or a node went to.
type Bar struct {
	Name   string
	Layers int       // rows of layers.csv in the bar
	Parts  []float64 // cycles, one for each of the Stack's Columns
	Total  float64   // cycles, the sum of Parts
}

var errNoLayers = errors.New("the result has no layers")

// Rows returns the rows of a layer table that are layers, each with its index in the table. Rows of ranks
// and of other nodes have no layer's name and are left out.
func Rows(t *stats.Table) iter.Seq2[int, []any] {
	return func(yield func(int, []any) bool) {
		for i, row := range t.Each() {
			if row[0] != nil && !yield(i, row) {
				return
			}
		}
	}
}

// Names returns the names of layers in rows, which are their first cells.
func Names(rows iter.Seq2[int, []any]) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, row := range rows {
			if !yield(fmt.Sprint(row[0])) {
				return
			}
		}
	}
}

// Count is the number of rows that are layers.
func Count(t *stats.Table) (n int) {
	for range Rows(t) {
		n++
	}
	return n
}

// StackOf returns a bar for each layer, in the order of the table; a layer on several nodes is one bar. It
// is an error if the table has no layers or no columns of stalls.
func StackOf(t *stats.Table) (*Stack, error) {
	if t == nil || t.Len() == 0 {
		return nil, errNoLayers
	}
	var stalls []int
	known := t.Index(stats.ComputeCycles) >= 0
	for i, c := range t.Columns {
		if strings.HasPrefix(c.Name, stats.StallPrefix) {
			stalls, known = append(stalls, i), true
		}
	}
	if !known {
		return nil, errors.New("the layers have no stall columns")
	}
	s := &Stack{Columns: slices.Clone(computeColumns)}
	for _, i := range stalls {
		s.Columns = append(s.Columns, t.Columns[i].Name)
	}
	bars := map[string]int{}
	for _, row := range Rows(t) {
		parts := divided(func(name string) (float64, bool) {
			i := t.Index(name)
			return numberAt(row, i), i >= 0 && row[i] != nil
		})
		b := Bar{Name: fmt.Sprint(row[0]), Layers: 1, Parts: parts[:]}
		for _, i := range stalls {
			b.Parts = append(b.Parts, stats.Number(row[i]))
		}
		for _, p := range b.Parts {
			b.Total += p
		}
		if i, ok := bars[b.Name]; ok {
			s.Bars[i].add(b)
			s.Bars[i].Layers = 1 // on several nodes, or in several requests, but one layer
			continue
		}
		bars[b.Name] = len(s.Bars)
		s.Bars = append(s.Bars, b)
	}
	s.dropEmpty()
	return s, nil
}

// numberAt is the number in column i, 0 where there is none.
func numberAt(row []any, i int) float64 {
	if i < 0 {
		return 0
	}
	return stats.Number(row[i])
}

// dropEmpty leaves out the columns that no bar has a part in.
func (s *Stack) dropEmpty() {
	var keep []int
	for c := range s.Columns {
		if slices.ContainsFunc(s.Bars, func(b Bar) bool { return b.Parts[c] > 0 }) {
			keep = append(keep, c)
		}
	}
	pick := func(parts []float64) []float64 {
		out := make([]float64, len(keep))
		for k, c := range keep {
			out[k] = parts[c]
		}
		return out
	}
	var columns []string
	for _, c := range keep {
		columns = append(columns, s.Columns[c])
	}
	s.Columns = columns
	for i := range s.Bars {
		s.Bars[i].Parts = pick(s.Bars[i].Parts)
	}
}

// block is the name of a layer inside one of many equal blocks: L17.gate.
var block = regexp.MustCompile(`^([A-Za-z]+)[0-9]+(\..+)$`)

// LikeLayers returns what gives layers of many blocks one name, L*.gate, and
// leaves a name that only one layer would have.
func LikeLayers(names iter.Seq[string]) func(string) string {
	stars := map[string]string{}
	star := func(s string) string {
		like, ok := stars[s]
		if !ok {
			like = block.ReplaceAllString(s, "$1*$2")
			stars[s] = like
		}
		return like
	}
	members := map[string]map[string]bool{}
	for s := range names {
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

// Readable has at most MaxBars bars: like layers of all blocks are one bar, and
// if that is not enough, the layers with least cycles are left to Rest, which is
// not drawn: it would be longer than any.
func (s *Stack) Readable() *Stack {
	if len(s.Bars) <= MaxBars {
		return s
	}
	bars := gathered(s.Bars, LikeLayers(func(yield func(string) bool) {
		for _, b := range s.Bars {
			if !yield(b.Name) {
				return
			}
		}
	}))
	out := &Stack{Columns: s.Columns, Bars: bars}
	if len(bars) > MaxBars {
		totals := make([]float64, len(bars))
		for i, b := range bars {
			totals[i] = b.Total
		}
		slices.Sort(totals)
		least, room := totals[len(totals)-MaxBars], MaxBars
		out.Bars, out.Rest = nil, &Bar{Parts: make([]float64, len(s.Columns))}
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
func gathered(bars []Bar, rename func(string) string) (out []Bar) {
	at := map[string]int{}
	for _, b := range bars {
		name := rename(b.Name)
		i, ok := at[name]
		if !ok {
			i = len(out)
			at[name] = i
			out = append(out, Bar{Name: name, Parts: make([]float64, len(b.Parts))})
		}
		out[i].add(b)
	}
	return out
}

func (b *Bar) add(o Bar) {
	b.Layers += o.Layers
	b.Total += o.Total
	for i, p := range o.Parts {
		b.Parts[i] += p
	}
}

// Label is the name with the number of layers that a bar stands for.
func (b Bar) Label() string {
	if b.Layers > 1 {
		return fmt.Sprintf("%s (%d)", b.Name, b.Layers)
	}
	return b.Name
}

// Note says what the bars do not: what a star means, and what has no bar.
func (s *Stack) Note() string {
	var notes []string
	if slices.ContainsFunc(s.Bars, func(b Bar) bool { return b.Layers > 1 }) {
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

// NodeStack is one bar for each node that counts its cycles by cause.
func NodeStack(ms []stats.Metric) *Stack {
	isCause := func(name string) bool { return name == stats.IdleCycles || strings.HasPrefix(name, stats.StallPrefix) }
	s := &Stack{Columns: slices.Clone(computeColumns)}
	values := map[string]map[string]float64{}
	var nodes []string
	listed := map[string]bool{}
	for _, m := range ms {
		if m.Phase != "all" || m.Where == "" || m.Unit != stats.Cycle {
			continue
		}
		if values[m.Where] == nil {
			values[m.Where] = map[string]float64{}
		}
		values[m.Where][m.Name] = m.Value
		counts := m.Value > 0 && (m.Name == stats.ComputeCycles || isCause(m.Name))
		if counts && !listed[m.Where] {
			listed[m.Where] = true
			nodes = append(nodes, m.Where)
		}
		if counts && isCause(m.Name) && !slices.Contains(s.Columns, m.Name) {
			s.Columns = append(s.Columns, m.Name)
		}
	}
	slices.SortStableFunc(s.Columns, func(a, b string) int { return shadeOf(a) - shadeOf(b) })
	slices.SortStableFunc(nodes, configs.CompareNames)
	for _, n := range nodes {
		get := func(name string) (float64, bool) { v, ok := values[n][name]; return v, ok }
		parts := divided(get)
		b := Bar{Name: n, Layers: 1}
		for _, name := range s.Columns {
			v := 0.0
			if i := slices.Index(computeColumns, name); i >= 0 {
				v = parts[i]
			} else {
				v, _ = get(name)
			}
			b.Parts = append(b.Parts, v)
			b.Total += v
		}
		s.Bars = append(s.Bars, b)
	}
	s.dropEmpty()
	return s
}
