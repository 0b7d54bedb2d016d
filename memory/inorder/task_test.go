package inorder_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory/inorder"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// A record keeps the events of a stream.
type record []task.Event

func (r *record) Task(_ *task.Stream, e task.Event) { *r = append(*r, e) }

// A task per request, below the one that the requester names in the hint, from the
// cycle in which the request is taken to the one in which the answer is sent.
func TestTasks(t *testing.T) {
	e := engine.New()
	m := inorder.New("Mem", e, ghz, 0, &due{latency: func(_, bytes uint64, _ bool) uint64 { return bytes }})
	r := memtest.New("Host", e, ghz, m.PortSpecs()[0].Ports[0],
		memtest.Request{Cycle: 10, Bytes: 5, Task: 77}, memtest.Request{Cycle: 20, Bytes: 100, Write: true, Task: 99}, memtest.Request{Cycle: 21, Bytes: 1})
	memtest.Wire(e, m.PortSpecs()[0].Ports[0], ghz, r)
	var got record
	s := task.NewStream(e, []task.Reporter{m}, &got)
	r.Start()
	require.NoError(t, e.Run())
	s.Close()
	begun := map[task.ID]task.Event{}
	for _, x := range got {
		if x.Phase == task.Begin {
			begun[x.ID] = x
			continue
		}
		require.Equal(t, task.End, x.Phase)
		b := begun[x.ID]
		// A read or write of so many bytes, by its parent.
		want := map[task.ID]task.Event{
			77: {Kind: task.Memory, What: task.Read, Bytes: 5},
			99: {Kind: task.Memory, What: task.Write, Bytes: 100},
			0:  {Kind: task.Memory, What: task.Read, Bytes: 1},
		}[b.Parent]
		require.Equal(t, want, task.Event{Kind: b.Kind, What: b.What, Bytes: b.Bytes})
		sent, due := map[task.ID]uint64{77: 11, 99: 21, 0: 22}[b.Parent], map[task.ID]uint64{77: 16, 99: 121, 0: 121}[b.Parent]
		require.InDelta(t, float64(sent)*1e-9, float64(b.At), 1e-15)
		require.InDelta(t, float64(due)*1e-9, float64(x.At), 1e-15)
		delete(begun, x.ID)
	}
	require.Len(t, got, 6)
	require.Empty(t, begun)
}
