package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/causeway-sim/causeway/components/task"
)

// A Timeline writes the task stream as a trace of Chrome's JSON format, which Perfetto
// opens: a process per node, an asynchronous slice per task (b, n for a step, e), its
// parent and bytes among the arguments, times in microseconds.
//
// Source: Trace Event Format, Google, "Async Events" and "Metadata Events".
type Timeline struct {
	w     *bufio.Writer
	begun bool
	open  map[task.ID]string // what identifies the slice: name, category, process
	err   error
}

// NewTimeline makes a listener that writes to w.
func NewTimeline(w io.Writer) *Timeline {
	return &Timeline{w: bufio.NewWriterSize(w, 1<<16), open: map[task.ID]string{}}
}

// Task implements task.Listener.
func (t *Timeline) Task(s *task.Stream, e task.Event) {
	t.begin(s)
	slice, ok := t.open[e.ID]
	args := ""
	switch e.Phase {
	case task.Begin:
		name := s.Text(e.ID, e.What)
		if name == "" {
			name = e.Kind.String()
		}
		node := e.ID.Node()
		slice = fmt.Sprintf(`"name":%s,"cat":%q,"id":"%#x","pid":%d,"tid":%d`, quoted(name), e.Kind, uint64(e.ID), node, e.Kind)
		t.open[e.ID] = slice
		args = fmt.Sprintf(`,"args":{"parent":"%#x","bytes":%d}`, uint64(e.Parent), e.Bytes)
	case task.Step:
		args = fmt.Sprintf(`,"args":{"step":%s}`, quoted(s.Text(e.ID, e.What)))
	case task.End:
		delete(t.open, e.ID)
	}
	if ok || e.Phase == task.Begin {
		t.line(fmt.Sprintf(`{"ph":"%c",%s,"ts":%.6f%s}`, "bne"[e.Phase], slice, float64(e.At)*1e6, args))
	}
}

// begin writes the head, with the names of the nodes.
func (t *Timeline) begin(s *task.Stream) {
	if t.begun {
		return
	}
	_, t.err = t.w.WriteString(`{"displayTimeUnit":"ns","traceEvents":[`)
	for i, n := range s.Nodes() {
		t.line(fmt.Sprintf(`{"ph":"M","name":"process_name","pid":%d,"args":{"name":%s}}`, i, quoted(n.Name())))
	}
}

func (t *Timeline) line(text string) {
	if t.begun {
		text = "," + text
	}
	t.begun = true
	if _, err := t.w.WriteString("\n" + text); t.err == nil {
		t.err = err
	}
}

// Close writes the end; it does not close the file. Without a task the file holds
// none.
func (t *Timeline) Close() error {
	if !t.begun {
		_, t.err = t.w.WriteString(`{"traceEvents":[`)
	}
	if _, err := t.w.WriteString("\n]}\n"); t.err == nil {
		t.err = err
	}
	if err := t.w.Flush(); t.err == nil {
		t.err = err
	}
	return t.err
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // a string never fails
	return string(b)
}
