package cache_test

import (
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache"
)

// A sender sends messages at once and notes in which cycle of 1 GHz each answer
// comes.
type sender struct {
	*sim.ComponentBase
	port   *engine.Port
	ticker *engine.Ticker
	came   map[string]uint64
}

func newSender(e sim.Engine) *sender {
	s := &sender{ComponentBase: sim.NewComponentBase("Sender"), came: map[string]uint64{}}
	s.port = engine.NewPort(s, "Sender.Mem", 16)
	s.ticker = engine.NewTicker(e, clock.GHz, s)
	return s
}

func (s *sender) NotifyRecv(now sim.VTimeInSec, _ sim.Port)     { s.ticker.WakeAfter(now) }
func (s *sender) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) {}

func (s *sender) Handle(e sim.Event) error {
	for m := s.port.Retrieve(e.Time()); m != nil; m = s.port.Retrieve(e.Time()) {
		s.came[m.(sim.Rsp).GetRspTo()] = s.ticker.Cycle(e.Time())
	}
	return nil
}

func (s *sender) send(t *testing.T, id string, dst sim.Port, m sim.Msg) {
	*m.Meta() = sim.MsgMeta{ID: id, Src: s.port, Dst: dst}
	require.Nil(t, s.port.Send(m))
}

// Control requests are carried out after what came before them: two dirty lines
// and a clean one, then an operation, then reads of all three.
func TestControl(t *testing.T) {
	for _, c := range []struct {
		op            memory.ControlOp
		addr, bytes   uint64
		hits, written float64
		dirty         float64 // afterwards
	}{
		{memory.Clean, 0, 0, 3, 128, 0},
		{memory.Flush, 0, 0, 0, 128, 0},
		{memory.Invalidate, 0, 0, 0, 0, 0},
		{memory.Flush, 64, 1, 2, 64, 64},
		{memory.Invalidate, 100, 64, 1, 0, 64},
	} {
		for _, build := range []func(e *engine.Engine) node{
			func(e *engine.Engine) node { return newTimed(t, e, cache.DefaultTimedSpec()) },
			func(e *engine.Engine) node {
				f, err := cache.NewFunctional("LLC", e, cache.DefaultSpec())
				require.NoError(t, err)
				return f
			},
		} {
			e := engine.New()
			llc := build(e)
			m := newFlat(e, 50)
			onMemory(t, e, llc, m)
			s := newSender(e)
			top := llc.GetPortByName("Top")
			w := engine.NewWire("Link", e)
			w.Attach(top, clock.GHz, engine.EndOptions{Buffer: 16})
			w.Attach(s.port, clock.GHz, engine.EndOptions{Buffer: 16})
			s.send(t, "a", top, &mem.WriteReq{Address: 0, Data: memory.Zeros(128)})
			s.send(t, "b", top, &mem.ReadReq{Address: 128, AccessByteSize: 64})
			s.send(t, "d", top, &memory.ControlReq{Op: c.op, Addr: c.addr, Bytes: c.bytes})
			s.send(t, "e", top, &mem.ReadReq{Address: 0, AccessByteSize: 192})
			require.NoError(t, e.Run())
			require.Len(t, s.came, 4)
			require.Empty(t, llc.Stats().Verify())
			got := metrics(llc.Stats())
			require.Equal(t, c.hits, got["hits"], "%+v", c)
			require.Equal(t, c.written, metrics(m.Stats())["write_bytes"], "%+v", c)
			require.Equal(t, c.dirty, got["dirty_bytes"], "%+v", c)
			require.EqualValues(t, 1, got["controls"])
			if c.written > 0 {
				require.Greater(t, s.came["d"], uint64(50), "memory has it")
			}
		}
	}
}
