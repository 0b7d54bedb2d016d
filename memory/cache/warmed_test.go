package cache

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
)

// warmed is a memory that notes how it is warmed.
type warmed struct {
	*sim.ComponentBase
	got []memory.Request
}

func (w *warmed) Handle(sim.Event) error                  { return nil }
func (w *warmed) NotifyRecv(sim.VTimeInSec, sim.Port)     {}
func (w *warmed) NotifyPortFree(sim.VTimeInSec, sim.Port) {}
func (w *warmed) WarmRecall(_, _ uint64)                  {}
func (w *warmed) Warm(q memory.Request, _ sim.Port) bool {
	h := *q.Hint
	q.Hint = &h
	w.got = append(w.got, q)
	return true
}

// What a cache asks for below while it is warmed is what it would in a run: whole lines that miss, with what
// the requester tells of itself and nothing of its next uses; bytes that are written through; dirty lines
// that go, as victims.
func TestWarmingAsksBelow(t *testing.T) {
	hint := &memory.Hint{PC: 7, Core: 3, Tensor: 9, Reuse: 2, Next: []uint64{5}, Dirty: true}
	told := memory.Hint{PC: 7, Core: 3, Tensor: 9, Reuse: 2}
	read := memory.Request{Addr: 70, Bytes: 8, Hint: hint}
	write := memory.Request{Addr: 64, Bytes: 8, Write: true, Hint: hint}
	far := memory.Request{Addr: 64 + 6400, Bytes: 64, Hint: hint}
	for name, c := range map[string]struct {
		rule  string
		asked []memory.Request
		want  []memory.Request
	}{
		"a read":            {"back", []memory.Request{read, read}, []memory.Request{{Addr: 64, Bytes: 64, Hint: &told}}},
		"two lines":         {"back", []memory.Request{{Addr: 100, Bytes: 40, Hint: hint}}, []memory.Request{{Addr: 64, Bytes: 64, Hint: &told}, {Addr: 128, Bytes: 64, Hint: &told}}},
		"a dirty line goes": {"back", []memory.Request{write, far}, []memory.Request{{Addr: 64, Bytes: 64, Hint: &told}, {Addr: 64, Bytes: 64, Write: true, Hint: &memory.Hint{}}, {Addr: 6464, Bytes: 64, Hint: &told}}},
		"written through":   {"through", []memory.Request{write, far}, []memory.Request{{Addr: 64, Bytes: 8, Write: true, Hint: &told}, {Addr: 64, Bytes: 64, Hint: &told}, {Addr: 6464, Bytes: 64, Hint: &told}}},
		"written around":    {"around", []memory.Request{write, write}, []memory.Request{{Addr: 64, Bytes: 8, Write: true, Hint: &told}, {Addr: 64, Bytes: 8, Write: true, Hint: &told}}},
	} {
		s := DefaultSpec()
		s.Size, s.Ways, s.Write = 64*2, 1, c.rule
		e := engine.New()
		f, err := NewFunctional("LLC", e, s)
		require.NoError(t, err)
		m := &warmed{ComponentBase: sim.NewComponentBase("Mem")}
		top := engine.NewPort(m, "Mem.Top", 4)
		homes, err := memory.NewMap(memory.Range{Size: 1 << 30, Ports: []sim.Port{top}, Paths: []memory.Path{{Clock: clock.GHz}}})
		require.NoError(t, err)
		require.NoError(t, f.SetMap("bottom", homes))
		for _, q := range c.asked {
			f.Warm(q, f.top)
		}
		require.Len(t, m.got, len(c.want), name)
		for i, q := range m.got {
			if q.Write && q.Bytes == 64 {
				require.Equal(t, f.incl.Below, false)
				q.Hint.Victim = memory.NoVictim
			}
			require.Equal(t, c.want[i], q, "%s: %d", name, i)
		}
	}
}
