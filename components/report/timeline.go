package report

import (
	"bufio"
	"container/heap"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/causeway-sim/causeway/components/task"
)

// A Timeline writes the task stream as a trace of Chrome's JSON format, which Perfetto opens: a
// process per node and, for each kind of task, as many named tracks as tasks overlap. A task is a
// complete slice, a step an instant on its track; parent and bytes are arguments, times are in
// microseconds. Counters of each node show, by kind, bytes per time and tasks under way. A task
// that never ends has the argument unfinished.
//
// Source: Trace Event Format, Google, "Complete Events", "Instant Events", "Counter Events" and
// "Metadata Events".
type Timeline struct {
	w        *bufio.Writer
	begun    bool
	open     map[task.ID]slice
	tracks   map[track]*lanes
	counters counters
	last     int64 // ps: the latest time seen
	err      error
}

// A track is a kind of tasks of a node.
type track struct {
	node int
	kind task.Kind
}

// A slice is a task that has not ended.
type slice struct {
	track
	name, args string
	lane       int
	begin      int64 // ps
	bytes      uint64
}

// NewTimeline makes a listener that writes to w.
func NewTimeline(w io.Writer) *Timeline {
	return &Timeline{w: bufio.NewWriterSize(w, 1<<16), open: map[task.ID]slice{}, tracks: map[track]*lanes{}}
}

// Task implements task.Listener.
func (t *Timeline) Task(s *task.Stream, e task.Event) {
	t.begin(s)
	at := int64(math.Round(float64(e.At) * 1e12))
	t.last = max(t.last, at)
	x, ok := t.open[e.ID]
	switch {
	case e.Phase == task.Begin:
		name := s.Text(e.ID, e.What)
		if name == "" {
			name = e.Kind.String()
		}
		x = slice{track: track{e.ID.Node(), e.Kind}, name: quoted(name), begin: at, bytes: e.Bytes}
		x.args = fmt.Sprintf(`"task":"%#x","parent":"%#x","bytes":%d`, uint64(e.ID), uint64(e.Parent), e.Bytes)
		x.lane = t.lane(x.track, at)
		t.open[e.ID] = x
	case !ok:
	case e.Phase == task.Step:
		t.line(fmt.Sprintf(`{"ph":"i","s":"t","name":%s,"cat":%q,%s,"ts":%s,"args":{"task":"%#x"}}`,
			quoted(s.Text(e.ID, e.What)), x.kind, x.place(), micros(at), uint64(e.ID)))
	case e.Phase == task.End:
		t.end(x, at)
		delete(t.open, e.ID)
	}
}

// lane takes a free lane of a track; its first use names it.
func (t *Timeline) lane(k track, at int64) int {
	l := t.tracks[k]
	if l == nil {
		l = &lanes{}
		t.tracks[k] = l
	}
	lane, first := l.take(at)
	if first {
		name := k.kind.String()
		if lane > 0 {
			name = fmt.Sprintf("%s %d", name, lane+1)
		}
		tid := tid(k.kind, lane)
		t.line(fmt.Sprintf(`{"ph":"M","name":"thread_name","pid":%d,"tid":%d,"args":{"name":%q}}`, k.node, tid, name))
		t.line(fmt.Sprintf(`{"ph":"M","name":"thread_sort_index","pid":%d,"tid":%d,"args":{"sort_index":%d}}`, k.node, tid, tid))
	}
	return lane
}

// end writes the slice of a task.
func (t *Timeline) end(x slice, at int64) {
	t.tracks[x.track].put(x.lane, at)
	t.counters.add(x.track, x.begin, at, x.bytes)
	t.line(fmt.Sprintf(`{"ph":"X","name":%s,"cat":%q,%s,"ts":%s,"dur":%s,"args":{%s}}`,
		x.name, x.kind, x.place(), micros(x.begin), micros(at-x.begin), x.args))
}

// maxLanes bounds the lanes of a track, so that numbers of tracks do not meet.
const maxLanes = 1 << 20

func tid(k task.Kind, lane int) int { return int(k)*maxLanes + lane }

func (x slice) place() string { return fmt.Sprintf(`"pid":%d,"tid":%d`, x.node, tid(x.kind, x.lane)) }

// micros writes picoseconds as microseconds.
func micros(ps int64) string { return fmt.Sprintf("%d.%06d", ps/1e6, ps%1e6) }

// lanes are the tracks of one kind of task on one node, of which no two tasks on one overlap.
type lanes struct {
	free []freeLane // a heap: the lowest first
	used int
}

// A freeLane is free from a nanosecond on: Perfetto rounds times to whole ones.
type freeLane struct {
	lane int
	from int64 // ns
}

func (l *lanes) Len() int           { return len(l.free) }
func (l *lanes) Less(i, j int) bool { return l.free[i].lane < l.free[j].lane }
func (l *lanes) Swap(i, j int)      { l.free[i], l.free[j] = l.free[j], l.free[i] }
func (l *lanes) Push(x any)         { l.free = append(l.free, x.(freeLane)) }
func (l *lanes) Pop() any {
	last := l.free[len(l.free)-1]
	l.free = l.free[:len(l.free)-1]
	return last
}

// take returns the lowest lane if it is free, else a new one; first is set at its first use.
func (l *lanes) take(at int64) (lane int, first bool) {
	if len(l.free) > 0 && l.free[0].from <= at/1000 || l.used == maxLanes-1 && len(l.free) > 0 {
		return heap.Pop(l).(freeLane).lane, false
	}
	l.used++
	return l.used - 1, true
}

func (l *lanes) put(lane int, at int64) { heap.Push(l, freeLane{lane, (at + 999) / 1000}) }

// begin writes the head, with the names of the nodes.
func (t *Timeline) begin(s *task.Stream) {
	if t.begun {
		return
	}
	_, t.err = t.w.WriteString(`{"displayTimeUnit":"ns","traceEvents":[`)
	for i, n := range s.Nodes() {
		t.line(fmt.Sprintf(`{"ph":"M","name":"process_name","pid":%d,"args":{"name":%s}}`, i, quoted(n.Name())))
		t.line(fmt.Sprintf(`{"ph":"M","name":"process_sort_index","pid":%d,"args":{"sort_index":%d}}`, i, i))
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

// Close writes the counters and the end; it does not close the file. Without a task the file holds
// none.
func (t *Timeline) Close() error {
	if !t.begun {
		_, t.err = t.w.WriteString(`{"traceEvents":[`)
	}
	for _, id := range slices.Sorted(maps.Keys(t.open)) {
		x := t.open[id]
		x.args += `,"unfinished":true`
		t.end(x, t.last)
	}
	clear(t.open)
	t.counters.write(t.last, t.line)
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
