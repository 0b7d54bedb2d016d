package memory_test

import (
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
)

// Calls end in any order; messages and their names are used again.
func TestCalls(t *testing.T) {
	port, far := engine.NewPort(nil, "Core.Mem", 4), engine.NewPort(nil, "Mem.Top", 4)
	c := memory.NewCalls[int](port)
	require.Nil(t, c.Waits())
	answer := func(id string) (*memory.Call[int], error) {
		r := &mem.DataReadyRsp{RespondTo: id}
		return c.Answered(r)
	}
	ids := map[int]string{}
	for i := range 12 {
		x := c.Take()
		x.Note = i
		m := x.Message(i%2 == 1, uint64(i)*64, 64, far, 1)
		ids[i] = m.Meta().ID
		require.Equal(t, i%2 == 1, x.Wrote())
		require.Equal(t, sim.Port(port), m.Meta().Src)
		if r, ok := m.(*mem.ReadReq); ok {
			require.Same(t, &x.Hint, memory.HintOf(r.Info))
		}
	}
	require.Equal(t, 12, c.InFlight())
	require.Equal(t, "Core.Mem.11", ids[11])
	require.Equal(t, sim.Port(far), c.Waits())
	for _, i := range []int{11, 1, 4} {
		x, err := answer(ids[i])
		require.NoError(t, err)
		require.Equal(t, i, x.Note)
	}
	from, to := func() (uint64, uint64) { x, _ := answer(ids[2]); return x.Span() }()
	require.Equal(t, [2]uint64{128, 192}, [2]uint64{from, to})
	require.Equal(t, 8, c.InFlight())
	for _, id := range []string{ids[4], "Core.Mem.12", "Other.Mem.3", "Core.Mem.", "", "3", "Core.Mem.99999999999999999999"} {
		_, err := answer(id)
		require.ErrorContains(t, err, "which is not outstanding", id)
	}
	require.Equal(t, ids[2], c.Take().Message(false, 0, 1, far, 2).Meta().ID, "the last one free")
	_, err := c.Answered(&memory.ErrorRsp{RespondTo: ids[0]})
	require.ErrorContains(t, err, "Core.Mem: a request failed")
	require.Panics(t, func() { _, _ = c.Answered(&mem.ReadReq{}) })
}

// A call in steady state takes no memory.
func TestCallsDoNotAllocate(t *testing.T) {
	port := engine.NewPort(nil, "Core.Mem", 4)
	c := memory.NewCalls[int](port)
	rsp := &mem.DataReadyRsp{RespondTo: "Core.Mem.0"}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		c.Take().Message(false, 64, 64, port, 0)
		_, _ = c.Answered(rsp)
	}))
}
