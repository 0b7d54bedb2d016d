package watch

import (
	"math"
	"slices"
	"strconv"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
)

// Tasks are the first tasks of each node, in columns.
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
	Hidden int      `json:"hidden,omitempty"` // tasks left out here or by the stream

	// Cut lists the kinds of which a node reported only the first tasks.
	Cut []string `json:"cut,omitempty"`

	open  map[task.ID]int
	names map[string]int
	kinds map[task.Kind]int
}

// maxTasks bounds the tasks of a run.
const maxTasks = 6000

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

// Stepless implements task.Stepless: figures need only begin and end of a task.
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
