package direct

import (
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
)

// stub is a memory that notes what it is asked.
type stub struct {
	*sim.ComponentBase
	most    int
	refuses bool
	link    *Link
	arrived []uint64
	counted []uint64
}

func (s *stub) NotifyRecv(sim.VTimeInSec, sim.Port)     {}
func (s *stub) NotifyPortFree(sim.VTimeInSec, sim.Port) {}
func (s *stub) Handle(sim.Event) error                  { return nil }
func (s *stub) Answers() int                            { return s.most }
func (s *stub) RunsAhead() bool                         { return true }
func (s *stub) Join(l *Link) bool                       { s.link = l; return !s.refuses }
func (s *stub) Ask(at uint64, _ memory.Request, _ uint32) {
	s.arrived = append(s.arrived, at)
}
func (s *stub) Answered(left uint64, _ *Answer) { s.counted = append(s.counted, left) }

// joined is a link between clocks of 1 GHz and 1.6 GHz with a wire of two requests.
func joined(t *testing.T, s *stub, latency uint64, options ...engine.Option) (l *Link, woken *[]uint64) {
	e := engine.New(options...)
	s.ComponentBase = sim.NewComponentBase("Mem")
	from, to := engine.NewPort(s, "LLC.Bottom", 64), engine.NewPort(s, "Mem.Top", 64)
	w := engine.NewWire("Link", e)
	w.Attach(from, clock.GHz, engine.EndOptions{Buffer: 2})
	w.Attach(to, clock.Hz(1600e6), engine.EndOptions{Latency: latency, Buffer: 64})
	m, err := memory.NewMap(memory.Range{Size: 1 << 20, Ports: []sim.Port{to}, Paths: make([]memory.Path, 1)})
	require.NoError(t, err)
	woken = new([]uint64)
	return Find(from, m, false, func(cycle uint64) { *woken = append(*woken, cycle) }), woken
}

func TestRequestsArriveWhenTheirMessagesWould(t *testing.T) {
	s := &stub{most: 4}
	l, woken := joined(t, s, 3)
	require.True(t, l.Join())
	require.True(t, l.CanSend(0))
	l.Send(0, memory.Request{}, 0)
	l.Send(0, memory.Request{}, 1)
	require.Equal(t, []uint64{3, 3}, s.arrived, "the first cycle after now, and two more")
	require.False(t, l.CanSend(0))
	require.Equal(t, []uint64{1}, *woken)
	require.True(t, l.CanSend(1))
}

// Answers come by the time at which they leave, then by their order, in the cycle after
// that; the requester is woken for the first that is left. Each is counted once.
func TestAnswersComeInOrder(t *testing.T) {
	s := &stub{most: 4}
	l, woken := joined(t, s, 1)
	require.True(t, l.Join())
	l.Answer(16, 2, Answer{Tag: 2}) // 10 ns
	l.Answer(16, 1, Answer{Tag: 1})
	l.Answer(15, 3, Answer{Tag: 3}) // 9.375 ns
	l.Answer(8, 4, Answer{Tag: 4})  // 5 ns
	require.Equal(t, []uint64{11, 10, 6}, *woken)
	l.Settle(8)
	l.Settle(15)
	require.ElementsMatch(t, []uint64{8, 15}, s.counted)
	got := map[uint64][]uint32{}
	for cycle := range uint64(12) {
		for tag, ok := l.Answered(cycle); ok; tag, ok = l.Answered(cycle) {
			got[cycle] = append(got[cycle], tag)
		}
	}
	require.Equal(t, map[uint64][]uint32{6: {4}, 10: {3}, 11: {1, 2}}, got)
	require.Equal(t, []uint64{8, 15, 16, 16}, s.counted)
	require.Equal(t, []uint64{11, 10, 6, 10, 11}, *woken)
}

func TestMessagesWhereTheyAreNeeded(t *testing.T) {
	l, _ := joined(t, &stub{most: 4}, 1, engine.MessagesOnly())
	require.Nil(t, l)
	l, _ = joined(t, &stub{most: 33}, 1) // 66 answers in a cycle would not fit the port
	require.Nil(t, l)
	l, _ = joined(t, &stub{most: 4, refuses: true}, 1)
	require.False(t, l.Join())
}

// One memory of a wire is joined where the others may get messages, which share the room of the wire; two are not.
func TestOneOfSeveralMemories(t *testing.T) {
	for _, c := range []struct {
		others, both, joined bool
	}{{true, false, true}, {false, false, false}, {true, true, false}} {
		s, plain := &stub{most: 4, ComponentBase: sim.NewComponentBase("Mem")}, sim.Component(&silent{sim.NewComponentBase("Far")})
		if c.both {
			plain = &stub{most: 4, ComponentBase: sim.NewComponentBase("Far")}
		}
		e := engine.New()
		from, to, far := engine.NewPort(s, "LLC.Bottom", 64), engine.NewPort(s, "Mem.Top", 64), engine.NewPort(plain, "Far.Top", 64)
		w := engine.NewWire("Link", e)
		w.Attach(from, clock.GHz, engine.EndOptions{Buffer: 2})
		w.Attach(to, clock.GHz, engine.EndOptions{Buffer: 64})
		w.Attach(far, clock.GHz, engine.EndOptions{Buffer: 64})
		m, err := memory.NewMap(memory.Range{Size: 1 << 20, Ports: []sim.Port{to}, Paths: make([]memory.Path, 1)}, memory.Range{Base: 1 << 20, Size: 1 << 20, Ports: []sim.Port{far}, Paths: make([]memory.Path, 1)})
		require.NoError(t, err)
		l := Find(from, m, c.others, func(uint64) {})
		require.Equal(t, c.joined, l != nil)
		if l == nil {
			continue
		}
		require.True(t, l.Join())
		require.True(t, l.Shared())
		require.Nil(t, from.Send(&mem.ReadReq{MsgMeta: sim.MsgMeta{Src: from, Dst: far}}))
		require.True(t, l.CanSend(0))
		l.Send(0, memory.Request{}, 0)
		require.False(t, l.CanSend(0), "a message and a request are all that the wire takes")
	}
}

// silent is a component that is no Memory.
type silent struct{ *sim.ComponentBase }

func (*silent) NotifyRecv(sim.VTimeInSec, sim.Port)     {}
func (*silent) NotifyPortFree(sim.VTimeInSec, sim.Port) {}
func (*silent) Handle(sim.Event) error                  { return nil }

// Answers take no memory once the link has grown.
func TestAnswersDoNotAllocate(t *testing.T) {
	l, _ := joined(t, &stub{most: 4}, 1)
	l.wake = func(uint64) {}
	l.memory = &silentMemory{}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		l.Answer(8, 1, Answer{Tag: 1})
		_, _ = l.Answered(6)
	}))
}

// silentMemory is a memory that notes nothing.
type silentMemory struct{ stub }

func (*silentMemory) Answered(uint64, *Answer) {}
