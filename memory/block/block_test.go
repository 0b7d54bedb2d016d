package block

import (
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
)

// part is what a source and a node of the tests have in common.
type part struct {
	*sim.ComponentBase
	port *engine.Port
	log  *[]string
}

func (p *part) NotifyRecv(sim.VTimeInSec, sim.Port)     {}
func (p *part) NotifyPortFree(sim.VTimeInSec, sim.Port) {}
func (p *part) Handle(sim.Event) error                  { return nil }

func (p *part) note(cycle uint64, what string) {
	*p.log = append(*p.log, fmt.Sprintf("%d %s %s", cycle, p.Name(), what))
}

// teller sends n requests, one in a cycle.
type teller struct {
	part
	block *Block
	n     uint64
	sent  uint64
}

func (s *teller) Instant(cycle uint64) uint64 {
	return instant.After(Fine, instant.Of(clock.GHz, cycle))
}

func (s *teller) Step(cycle uint64) (uint64, error) {
	for _, l := range s.block.Out().Links {
		for a, ok := l.Answered(cycle); ok; a, ok = l.Answered(cycle) {
			s.note(cycle, fmt.Sprintf("has %d", a.Tag))
		}
	}
	if s.sent == s.n {
		return Never, nil
	}
	if !s.block.Out().CanSend(cycle) {
		s.note(cycle, "waits")
		return Never, nil
	}
	o := s.block.Out()
	o.Send(o.Links[s.sent%uint64(len(o.Links))], cycle, Request{Tag: uint32(s.sent), Bytes: 64})
	s.note(cycle, fmt.Sprintf("asks %d", s.sent))
	s.sent++
	return cycle + 1, nil
}

// answerer answers a request in so many cycles, one after the other.
type answerer struct {
	part
	top   *Link
	takes uint64
	free  uint64
	deaf  bool // it wants messages
}

func (n *answerer) Asks() (*engine.Port, *memory.Map, bool) { return nil, nil, !n.deaf }
func (n *answerer) Enter(top *Link, _ *Outlet)              { n.top = top }

func (n *answerer) Step(cycle uint64) (uint64, error) {
	n.top.Open(cycle)
	if n.top.Len() > 0 && cycle >= n.free {
		q := n.top.Pop(cycle)
		n.note(cycle, fmt.Sprintf("takes %d", q.Tag))
		n.free = cycle + n.takes
		n.top.Answer(cycle, q.Tag)
	}
	if n.top.Open(cycle); n.top.Len() > 0 {
		return max(n.free, cycle+1), nil
	}
	return n.top.Due(cycle), nil
}

// bench is a source, nodes and the wire between them.
type bench struct {
	engine *engine.Engine
	source *teller
	nodes  []*answerer
	wire   *engine.Wire
	homes  *memory.Map
	log    []string
}

func newBench(t *testing.T, requests, takes uint64, capacity int, opts ...engine.Option) *bench {
	b := &bench{engine: engine.New(opts...)}
	b.source = &teller{part: part{ComponentBase: sim.NewComponentBase("Source"), log: &b.log}, n: requests}
	b.source.port = engine.NewPort(b.source, "Source.Mem", 64)
	n := &answerer{part: part{ComponentBase: sim.NewComponentBase("Node"), log: &b.log}, takes: takes}
	n.port = engine.NewPort(n, "Node.Top", capacity)
	b.nodes = []*answerer{n}
	b.wire = engine.NewWire("Wire", b.engine)
	b.wire.Attach(b.source.port, Fine, engine.EndOptions{Buffer: 1})
	b.wire.Attach(n.port, clock.GHz, engine.EndOptions{Latency: 2, Buffer: 16})
	var err error
	b.homes, err = memory.NewMap(memory.Range{Size: 1 << 20, Ports: []sim.Port{n.port}, Paths: []memory.Path{{}}})
	require.NoError(t, err)
	return b
}

func (b *bench) build() (ok bool) {
	b.source.block, ok = Build(b.source, b.source.port, b.homes, clock.GHz)
	return ok
}

// The source acts after the nodes of its cycle, sees their answers at once, and waits
// while a full port keeps what the wire holds.
func TestCyclesOfABlock(t *testing.T) {
	b := newBench(t, 4, 4, 1)
	require.True(t, b.build())
	b.source.block.Start(0)
	require.NoError(t, b.engine.Run())
	require.Equal(t, []string{
		"0 Source asks 0",
		"1 Source asks 1",
		"2 Node takes 0", "2 Source has 0", "2 Source asks 2",
		"3 Source waits",
		"6 Node takes 1", "6 Source has 1", "6 Source asks 3",
		"10 Node takes 2", "10 Source has 2",
		"14 Node takes 3", "14 Source has 3",
	}, b.log)
	require.EqualValues(t, instant.After(Fine, instant.Of(clock.GHz, 14)), instant.AtOrBefore(Fine, b.engine.CurrentTime()), "the run ends with the last of it")
}

// witness notes in the log when it acts.
type witness struct{ b *bench }

func (w witness) Handle(e sim.Event) error {
	w.b.log = append(w.b.log, fmt.Sprintf("witness at %.0f", float64(e.Time())*1e9))
	return nil
}

// What others do in between happens in its turn, though the block runs ahead in a loop.
func TestOthersActInTheirTurn(t *testing.T) {
	plain := newBench(t, 6, 3, 4)
	require.True(t, plain.build())
	plain.source.block.Start(0)
	require.NoError(t, plain.engine.Run())

	seen := newBench(t, 6, 3, 4)
	require.True(t, seen.build())
	for _, at := range []uint64{3, 7, 8, 11} {
		seen.engine.Schedule(sim.NewEventBase(instant.Of(clock.GHz, at)+5e-10, witness{seen}))
	}
	seen.source.block.Start(0)
	require.NoError(t, seen.engine.Run())
	var rest []string
	last, witnesses := uint64(0), 0
	for _, line := range seen.log {
		var cycle uint64
		if _, err := fmt.Sscanf(line, "%d", &cycle); err == nil {
			rest, last = append(rest, line), cycle
			if witnesses > 0 {
				require.Greater(t, cycle, []uint64{3, 7, 8, 11}[witnesses-1], seen.log)
			}
			continue
		}
		require.LessOrEqual(t, last, []uint64{3, 7, 8, 11}[witnesses], seen.log)
		witnesses++
	}
	require.Equal(t, 4, witnesses)
	require.Equal(t, plain.log, rest)
}

// Where anything wants messages, there is no block.
func TestBuildRefuses(t *testing.T) {
	require.True(t, newBench(t, 1, 1, 1).build())
	for name, change := range map[string]func(*bench){
		"a node that wants messages": func(b *bench) { b.nodes[0].deaf = true },
		"somebody looks at a port":   func(b *bench) { b.nodes[0].port.AcceptHook(hook{}) },
		"somebody looks at the wire": func(b *bench) { b.wire.AcceptHook(hook{}) },
		"somebody looks at events":   func(b *bench) { b.engine.AcceptHook(hook{}) },
		"a second requester": func(b *bench) {
			other := engine.NewPort(&b.source.part, "Other.Mem", 1)
			b.wire.Attach(other, Fine, engine.EndOptions{Buffer: 1})
		},
		"another clock": func(b *bench) {
			n := &answerer{part: b.nodes[0].part}
			n.port = engine.NewPort(n, "Slow.Top", 1)
			b.wire = engine.NewWire("Slow", b.engine)
			b.source.port = engine.NewPort(b.source, "Source.Slow", 1)
			b.wire.Attach(b.source.port, Fine, engine.EndOptions{Buffer: 1})
			b.wire.Attach(n.port, clock.Hz(5e8), engine.EndOptions{Latency: 2})
			b.homes, _ = memory.NewMap(memory.Range{Size: 1 << 20, Ports: []sim.Port{n.port}, Paths: []memory.Path{{}}})
		},
	} {
		b := newBench(t, 1, 1, 1)
		change(b)
		require.False(t, b.build(), name)
		require.False(t, b.engine.Carried(), name)
	}
	require.False(t, newBench(t, 1, 1, 1, engine.MessagesOnly()).build())
}

type hook struct{}

func (hook) Func(sim.HookCtx) {}
