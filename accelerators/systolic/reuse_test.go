package systolic

import (
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// spy is a hook on the memory port: it notes what every request says.
type spy struct {
	f func(addr, size uint64, write bool, h memory.Hint)
}

func (s spy) Func(c sim.HookCtx) {
	if c.Pos != sim.HookPosPortMsgSend {
		return
	}
	switch m := c.Item.(type) {
	case *mem.ReadReq:
		s.f(m.Address, m.AccessByteSize, false, *memory.HintOf(m.Info))
	case *mem.WriteReq:
		s.f(m.Address, uint64(len(m.Data)), true, *memory.HintOf(m.Info))
	}
}

// Hints name the tensor that lies at the address, its role, and how often it is
// still loaded: for weights of a network that keeps them on the chip never
// again, for results by those who read them.
func TestHintsSayWhatIsKnown(t *testing.T) {
	g, err := zoo.Build("resnet18", zoo.Params{})
	require.NoError(t, err)
	b := defaultBench()
	b.spec = DefaultSpec()
	w := shareOf(t, g, b.spec)
	w.Tensors = work.Describe(g)
	e, k := b.build(t, "tile")
	loaded := make([]int64, len(g.Tensors))
	final := make([]memory.Hint, len(g.Tensors))
	k.inside().mem.AcceptHook(spy{func(addr, size uint64, write bool, h memory.Hint) {
		if h.Tensor == 0 {
			return // scratch memory
		}
		id := graph.TensorID(h.Tensor - 1)
		at := w.Base(id)
		require.GreaterOrEqual(t, addr, at)
		require.LessOrEqual(t, addr+size, at+uint64(g.Tensors[id].Bytes()))
		require.Equal(t, g.Tensors[id].Role, h.Kind)
		require.Equal(t, memory.Tensor{
			Name: g.Tensors[id].Name, Base: at, Bytes: uint64(g.Tensors[id].Bytes()), Kind: h.Kind, Sharers: h.About.Sharers,
			Accesses: h.About.Accesses, WriteOnce: h.Kind == graph.Output,
		}, *h.About)
		require.Equal(t, h.Kind == graph.Weight, h.About.Accesses > 0)
		require.LessOrEqual(t, size, uint64(b.spec.DMA.Burst))
		require.LessOrEqual(t, addr%uint64(b.spec.DMA.Burst)+size, uint64(b.spec.DMA.Burst))
		if !write {
			loaded[id] += int64(size)
			final[id] = h
		}
	}})
	require.NoError(t, work.IssueAll(k, w))
	planned := append([]int64(nil), k.inside().known[w.ID].reuse.left...)
	require.NoError(t, k.Start())
	require.NoError(t, e.Run())
	for id := range g.Tensors {
		if loaded[id] == 0 {
			continue
		}
		require.InDelta(t, planned[id], loaded[id], 0.25*float64(planned[id]), g.Tensors[id].Name)
		require.Zero(t, final[id].Reuse, g.Tensors[id].Name)
	}
}

// One requester object per slot, identifiers unique among those in flight.
func TestSlots(t *testing.T) {
	p := engine.NewPort(nil, "Core.Mem", 4)
	s := newSlots(3, p, 7)
	for range 3 {
		s.take()
	}
	require.Equal(t, 3, s.inFlight())
	require.Equal(t, uint16(7), s.all[0].hint.Core)
	got, err := s.answered("Core.Mem.1")
	require.NoError(t, err)
	require.Same(t, &s.all[1], got)
	_, err = s.answered("Core.Mem.1")
	require.EqualError(t, err, `an answer to "Core.Mem.1", which is not outstanding`)
	_, err = s.answered("Mem.1")
	require.Error(t, err)
	require.Same(t, &s.all[1], s.next())
}

func TestCrossingIsTheClocks(t *testing.T) {
	for _, a := range clocks {
		for _, b := range clocks {
			x := clock.NewCrossing(a, b)
			for n := range uint64(3000) {
				n *= 1 + n/7
				require.Equal(t, instant.After(b, instant.Of(a, n)), x.After(n), "%s to %s, %d", a, b, n)
			}
		}
	}
	require.Equal(t, clock.Crossing{Num: 1, Den: 1}, clock.NewCrossing(clock.GHz, clock.GHz))
}
