package experiment

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
)

// Observed is what a run was seen to do, for the figures of its report: tasks, counters
// over time, what nodes noted in detail. It is in no file that results are compared by,
// and the result is the same without it.
type Observed struct {
	Tasks   *Tasks   `json:"tasks,omitempty"`
	Series  *Sheet   `json:"series,omitempty"` // growth of counters in each interval; the first column is its end in ns
	Details []Detail `json:"details,omitempty"`
	// Peaks are the most per ns of columns of Series that have a limit, by their name.
	Peaks map[string]float64 `json:"peaks,omitempty"`
	// Above names what was seen above its peak, which cannot be.
	Above   []string   `json:"above,omitempty"`
	observe *seriesLog // while the run goes
	courses []*course
}

// A Detail is a table of a node.
type Detail struct {
	Where string `json:"where"`
	Name  string `json:"name"`
	Sheet
}

// Find lists the details of that name.
func (o *Observed) Find(name string) (out []Detail) {
	if o == nil {
		return nil
	}
	for _, d := range o.Details {
		if d.Name == name {
			out = append(out, d)
		}
	}
	return out
}

// A Sheet is a table in JSON.
type Sheet struct {
	Columns []string     `json:"columns"`
	Units   []stats.Unit `json:"units"`
	Rows    [][]any      `json:"rows"` // numbers, strings, nil
}

func sheetOf(t *stats.Table) (s Sheet) {
	for _, c := range t.Columns {
		s.Columns, s.Units = append(s.Columns, c.Name), append(s.Units, c.Unit)
	}
	s.Rows = t.Rows
	return s
}

// Index is the position of a column, -1 where there is none.
func (s *Sheet) Index(column string) int {
	for i, c := range s.Columns {
		if c == column {
			return i
		}
	}
	return -1
}

// Number is a cell as a number, 0 for text and nil.
func (s *Sheet) Number(row, column int) float64 {
	if column < 0 {
		return 0
	}
	switch v := s.Rows[row][column].(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case int:
		return float64(v)
	}
	return 0
}

// JSON is the content of observed.json.
func (o *Observed) JSON() ([]byte, error) {
	b, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("observed: %w", err)
	}
	return append(b, '\n'), nil
}

// quota is how many tasks of a kind are kept of each node: few kinds are read one by one.
func quota(k task.Kind) int {
	switch k {
	case task.Layer, task.Collective:
		return 3000
	case task.Message, task.CXL, task.Request:
		return 600
	case task.Flit:
		return 0
	}
	return 400
}

// maxTasks bounds the tasks of a run.
const maxTasks = 6000

// Tasks are the first tasks of each node, a column each.
type Tasks struct {
	Nodes  []string `json:"nodes"`
	Kinds  []string `json:"kinds"`
	Names  []string `json:"names"`
	Node   []int    `json:"node"`
	Kind   []int    `json:"kind"`
	Name   []int    `json:"name"`
	Begin  Times    `json:"begin"` // ns
	Span   Times    `json:"span"`  // ns; below 0: it had not ended
	Bytes  []uint64 `json:"bytes"`
	Hidden int      `json:"hidden,omitempty"` // tasks that are not in it, or the stream was told to leave out

	// Cut are the kinds of which a node reported the first tasks and no more.
	Cut []string `json:"cut,omitempty"`

	open  map[task.ID]int
	names map[string]int
	kinds map[task.Kind]int
}

// Times are nanoseconds, in JSON to the picosecond.
type Times []float64

// MarshalJSON implements json.Marshaler.
func (t Times) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, v := range t {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, math.Round(v*1e3)/1e3, 'f', -1, 64)
	}
	return append(b, ']'), nil
}

// cut notes the kinds of which nodes have reported as many tasks as they may.
func (t *Tasks) cut(nodes []system.Node) {
	for _, n := range nodes {
		r, ok := n.(task.Reporter)
		if !ok {
			continue
		}
		for _, k := range r.Tasks().Spent() {
			if name := k.String(); !slices.Contains(t.Cut, name) {
				t.Cut = append(t.Cut, name)
			}
		}
	}
	slices.Sort(t.Cut)
}

// Stepless implements task.Stepless: a figure has the begin and the end of each task.
func (t *Tasks) Stepless() {}

// Task implements task.Listener.
func (t *Tasks) Task(s *task.Stream, e task.Event) {
	switch e.Phase {
	case task.Begin:
		if len(t.Node) == maxTasks {
			t.Hidden++
			return
		}
		if t.open == nil {
			t.open, t.names, t.kinds = map[task.ID]int{}, map[string]int{}, map[task.Kind]int{}
			for _, n := range s.Nodes() {
				t.Nodes = append(t.Nodes, n.Name())
			}
		}
		k, ok := t.kinds[e.Kind]
		if !ok {
			k = len(t.Kinds)
			t.kinds[e.Kind] = k
			t.Kinds = append(t.Kinds, e.Kind.String())
		}
		text := s.Text(e.ID, e.What)
		n, ok := t.names[text]
		if !ok {
			n = len(t.Names)
			t.names[text] = n
			t.Names = append(t.Names, text)
		}
		t.open[e.ID] = len(t.Node)
		t.Node, t.Kind, t.Name = append(t.Node, e.ID.Node()), append(t.Kind, k), append(t.Name, n)
		t.Begin, t.Span, t.Bytes = append(t.Begin, float64(e.At)*1e9), append(t.Span, -1), append(t.Bytes, e.Bytes)
	case task.End:
		if i, ok := t.open[e.ID]; ok {
			t.Span[i] = float64(e.At)*1e9 - t.Begin[i]
			delete(t.open, e.ID)
		}
	}
}

// seriesLog notes by how much counters have grown in intervals of simulated time. It looks
// between events and schedules none, so that it cannot change a run. Intervals begin at
// firstStep, or the time for which parts of a network know nothing of each other (stride); where a run has more than maxRows, two become one.
type seriesLog struct {
	groups []*stats.Group
	list   []summed
	last   []uint64
	step   float64 // ns
	n      int     // intervals of step so far
	rows   [][]uint64
}

const (
	firstStep = 10.0 // ns
	maxRows   = 400
	maxSeries = 48
)

// element is what tells the elements of an array apart: Core[3].
var element = regexp.MustCompile(`\[[0-9]+\]`)

// A summed counter is that of all elements of an array.
type summed struct {
	name string
	unit stats.Unit
	of   []*uint64
}

// followed are the counters that figures over time are drawn of.
var followed = map[string]bool{
	"read_bytes": true, "write_bytes": true, "bytes": true, "bytes_delivered": true, "below_read_bytes": true, "below_write_bytes": true, "bytes_done": true,
	"requests": true, "requests_done": true, "reads": true, "writes": true, "messages": true, "messages_delivered": true, "packets": true, "packets_delivered": true,
	"hits": true, "misses": true, "bypasses": true, "bursts": true, "flits": true, "flits_delivered": true, "macs": true,
	"ifmap_read_bytes": true, "filter_read_bytes": true, "ofmap_read_bytes": true, "ofmap_write_bytes": true,
}

func newSeriesLog(groups []*stats.Group) *seriesLog {
	l := &seriesLog{groups: groups, step: firstStep}
	at := map[string]int{}
	for _, g := range groups {
		for _, c := range g.Counters() {
			if !followed[c.Name] {
				continue
			}
			name := element.ReplaceAllString(c.Where, "") + "." + c.Name
			i, ok := at[name]
			if !ok {
				if len(l.list) == maxSeries {
					continue
				}
				i = len(l.list)
				at[name] = i
				l.list = append(l.list, summed{name: name, unit: c.Unit})
			}
			l.list[i].of = append(l.list[i].of, c.N)
		}
	}
	l.last = make([]uint64, len(l.list))
	return l
}

// stride makes the first intervals last at least so long, before any has begun.
func (l *seriesLog) stride(t sim.VTimeInSec) {
	if l != nil && l.n == 0 {
		l.step = max(l.step, float64(t)*1e9)
	}
}

// next is the end of the interval that goes on.
func (l *seriesLog) next() sim.VTimeInSec { return sim.VTimeInSec(float64(l.n+1) * l.step * 1e-9) }

// note ends the interval.
func (l *seriesLog) note() {
	for _, g := range l.groups {
		g.Settle(float64(l.next()))
	}
	l.n++
	row := make([]uint64, len(l.list))
	for i := range l.list {
		sum := uint64(0)
		for _, n := range l.list[i].of {
			sum += *n
		}
		row[i], l.last[i] = sum-l.last[i], sum
	}
	l.rows = append(l.rows, row)
	if len(l.rows) < maxRows {
		return
	}
	for i := 0; i < maxRows/2; i++ {
		a, b := l.rows[2*i], l.rows[2*i+1]
		for k := range a {
			a[k] += b[k]
		}
		l.rows[i] = a
	}
	l.rows, l.n, l.step = l.rows[:maxRows/2], l.n/2, 2*l.step
}

// sheet is what was noted, without counters that never grew and those that a course stands
// for.
func (l *seriesLog) sheet(courses []*course) *Sheet {
	s := &Sheet{Columns: []string{"time"}, Units: []stats.Unit{stats.NS}}
	var keep []int
	for i, c := range l.list {
		if l.last[i] > 0 && !replaced(courses, c.name) {
			keep = append(keep, i)
			s.Columns, s.Units = append(s.Columns, c.name), append(s.Units, c.unit)
		}
	}
	if len(keep)+len(courses) == 0 || len(l.rows) < 2 {
		return nil
	}
	for i, r := range l.rows {
		row := []any{float64(i+1) * l.step}
		for _, k := range keep {
			row = append(row, r[k])
		}
		s.Rows = append(s.Rows, row)
	}
	for _, c := range courses {
		c.into(s)
	}
	return s
}

// leftover is an engine that knows whether anything is scheduled.
type leftover interface{ Left() bool }

// observing prepares what a run is seen to do: nil where no report is asked for.
func (x *Experiment) observing(a *assembly) *Observed {
	if !x.options.Observe {
		return nil
	}
	o := &Observed{Tasks: &Tasks{}, courses: watch(a.nodes())}
	if _, ok := a.driver.(leftover); ok {
		var groups []*stats.Group
		for _, n := range a.nodes() {
			groups = append(groups, n.Stats())
		}
		o.observe = newSeriesLog(groups)
	}
	for _, n := range a.nodes() {
		if d, ok := n.(system.Detailed); ok {
			d.RecordDetail()
		}
	}
	return o
}

// ended collects what was seen.
func (o *Observed) ended(a *assembly) {
	if o.observe != nil {
		o.courses = append(o.courses, ofLayers(a, o.courses)...)
		o.Series = o.observe.sheet(o.courses)
		o.Peaks = peaks(o.courses, o.Series)
	}
	o.Tasks.cut(a.nodes())
	if len(o.Tasks.Node) == 0 {
		o.Tasks = nil
	}
	for _, n := range a.nodes() {
		if d, ok := n.(system.Detailed); ok {
			if name, t := d.Detail(); t != nil && len(t.Rows) > 0 {
				o.Details = append(o.Details, Detail{n.Name(), name, sheetOf(t)})
			}
		}
		if c, ok := n.(channeled); ok {
			if t := c.Channels(); t != nil && len(t.Rows) > 0 && len(t.Rows) <= maxTasks {
				o.Details = append(o.Details, Detail{n.Name(), "channels", sheetOf(t)})
			}
		}
	}
}
