package ranks

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
	_ "github.com/causeway-sim/causeway/workloads/comm/dumpi"
	_ "github.com/causeway-sim/causeway/workloads/comm/goal"
	"github.com/causeway-sim/causeway/workloads/comm/motif"
)

// parse makes a program of GOAL text.
func parse(t testing.TB, text string) *comm.Program {
	path := filepath.Join(t.TempDir(), "p.goal")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	p, _, err := comm.Open(path, comm.Options{})
	require.NoError(t, err)
	return p
}

// play runs a program over one wire of so many cycles that joins all ranks.
func play(t testing.TB, p *comm.Program, s Spec, latency uint64) (*Comp, error) {
	e := engine.New()
	return playOn(t, e, e.Run, p, s, latency)
}

func playOn(t testing.TB, e sim.Engine, run func() error, p *comm.Program, s Spec, latency uint64) (*Comp, error) {
	c, err := New("Ranks", e, s, p)
	require.NoError(t, err)
	c.Grow("nic", len(p.Ranks))
	if w, ok := e.(interface{ Watch(engine.Waiter) }); ok {
		w.Watch(c)
	}
	wire := engine.NewWire("Link", e)
	for _, port := range c.ports {
		wire.Attach(port, c.Clock(), engine.EndOptions{Latency: latency, Buffer: s.NIC.Queue})
	}
	if len(c.ports) == 1 {
		wire.Attach(engine.NewPort(nil, "Nobody", 1), c.Clock(), engine.EndOptions{})
	}
	require.NoError(t, c.Start())
	err = run()
	if err == nil {
		for _, x := range c.Stats().Verify() {
			require.NoError(t, x)
		}
		done, total := c.Progress()
		require.Equal(t, total, done)
	}
	return c, err
}

func finishes(c *Comp) (out []uint64) {
	for i := range c.ranks {
		out = append(out, c.ranks[i].finish)
	}
	return out
}

func spec(change func(s *Spec)) Spec {
	s := DefaultSpec()
	if change != nil {
		change(&s)
	}
	return s
}

// What a message costs, part by part, over a wire of 5 cycles.
func TestTimes(t *testing.T) {
	const ping = "num_ranks 2\nrank 0 {\na: calc 10\nb: send 64b to 1 tag 1\nb requires a\n}\nrank 1 {\nb: recv 64b from 0 tag 1\nc: calc 3\nc requires b\n}\n"
	for _, c := range []struct {
		name   string
		text   string
		change func(s *Spec)
		want   []uint64
	}{
		{"nothing but the wire", ping, nil, []uint64{10, 10 + 5 + 3}},
		{"overhead at both ends", ping, func(s *Spec) { s.NIC.Overhead = units.InCycles(7) }, []uint64{17, 10 + 7 + 5 + 7 + 3}},
		{"bandwidth at both ends", ping, func(s *Spec) { s.NIC.Bandwidth = 8 * 8e9 }, []uint64{18, 10 + 8 + 5 + 3}},
		{"stored at both ends", ping, func(s *Spec) { s.NIC.Bandwidth, s.NIC.Switching = 8*8e9, "store_and_forward" }, []uint64{18, 10 + 8 + 5 + 8 + 3}},
		{"half the computation", ping, func(s *Spec) { s.Scale = 0.5 }, []uint64{5, 5 + 5 + 2}},
		{"no computation", ping, func(s *Spec) { s.Scale = 0 }, []uint64{0, 5}},
		// request, grant, data
		{"rendezvous", ping, func(s *Spec) { s.NIC.Eager = 63 }, []uint64{20, 10 + 3*5 + 3}},
		{"rendezvous with overhead", ping, func(s *Spec) { s.NIC.Eager, s.NIC.Overhead = 63, units.InCycles(2) }, []uint64{10 + 2*9 + 2, 10 + 3*9 + 3}},
		{
			"two of one unit, one of another", "num_ranks 1\nrank 0 {\na: calc 10 cpu 0\nb: calc 10 cpu 0\nc: calc 15 cpu 1\n}", nil, []uint64{20},
		},
		{
			"with the start and behind the end", "num_ranks 1\nrank 0 {\na: calc 10 cpu 0\nb: calc 3 cpu 1\nb irequires a\nc: calc 4 cpu 1\nc requires a\n}", nil, []uint64{14},
		},
		{
			"a late receive", "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\na: calc 40\nb: recv 8b from 0\nb requires a\n}", nil, []uint64{0, 40},
		},
		{
			"to itself", "num_ranks 1\nrank 0 {\nsend 8b to 0\nrecv 8b from 0\n}", nil, []uint64{1},
		},
		{
			"the interface sends in turn", "num_ranks 2\nrank 0 {\nsend 80b to 1 tag 1\nsend 80b to 1 tag 2\n}\nrank 1 {\nrecv 80b from 0 tag 2\nrecv 80b from 0 tag 1\n}",
			func(s *Spec) { s.NIC.Bandwidth = 8 * 8e9 }, []uint64{20, 20 + 5},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, err := play(t, parse(t, c.text), spec(c.change), 5)
			require.NoError(t, err)
			require.Equal(t, c.want, finishes(x))
		})
	}
}

// Messages of a pair that come out of order match in order all the same.
func TestOvertaking(t *testing.T) {
	p := parse(t, "num_ranks 2\nrank 0 {\n}\nrank 1 {\na: recv 8b from 0\nb: recv 8b from 0\nb irequires a\n}")
	c, err := New("Ranks", engine.New(), DefaultSpec(), p)
	require.NoError(t, err)
	c.start(token{1, 0, program})
	for c.ready.Len() > 0 {
		c.start(c.ready.Pop())
	}
	first, second := &Message{From: 0, To: 1}, &Message{From: 0, To: 1}
	first.pair, first.seq = c.order.Send(0, 1)
	second.pair, second.seq = c.order.Send(0, 1)
	c.now = 5
	c.inOrder(second)
	require.Equal(t, 2, c.ranks[1].depend.Left())
	c.inOrder(first)
	require.Equal(t, 0, c.ranks[1].depend.Left())
}

func TestDeadlock(t *testing.T) {
	ring := "num_ranks 3\n"
	for i := range 3 {
		ring += fmt.Sprintf("rank %d {\na: recv 8b from %d tag 4\nb: send 8b to %d tag 4\nb requires a\n}\n", i, (i+2)%3, (i+1)%3)
	}
	for _, c := range []struct {
		text   string
		eager  units.Bytes
		report []string
	}{
		{ring, 64, []string{
			"Ranks rank 0 waits for Ranks rank 2: operation 0 (recv of 8B from rank 2, tag 4) has no message",
			"in a circle: Ranks rank 0 -> Ranks rank 2 -> Ranks rank 1 -> Ranks rank 0",
		}},
		{"num_ranks 2\nrank 0 {\na: send 8b to 1\nb: recv 8b from 1\nb requires a\n}\nrank 1 {\na: send 8b to 0\nb: recv 8b from 0\nb requires a\n}\n", 4, []string{
			"Ranks rank 0 waits for Ranks rank 1: operation 0 (send of 8B to rank 1, tag 0) is long and has no receive",
			"in a circle: Ranks rank 0 -> Ranks rank 1 -> Ranks rank 0",
		}},
		{"num_ranks 2\nrank 0 {\nrecv 8b from -1 tag -1\n}\nrank 1 {\ncalc 1\n}\n", 64, []string{
			"Ranks rank 0 waits for Ranks any rank: operation 0 (recv of 8B from any rank, any tag) has no message",
		}},
	} {
		_, err := play(t, parse(t, c.text), spec(func(s *Spec) { s.NIC.Eager = c.eager }), 1)
		var stuck *engine.Stuck
		require.ErrorAs(t, err, &stuck)
		for _, line := range c.report {
			require.Contains(t, err.Error(), line)
		}
	}
	p := comm.NewProgram(3)
	for i := range 2 {
		p.Ranks[i].Add(comm.Op{Kind: comm.Collective, Coll: comm.Barrier})
		require.NoError(t, p.Ranks[i].Seal())
	}
	_, err := play(t, p, DefaultSpec(), 1)
	require.ErrorContains(t, err, "Ranks rank 1 waits for Ranks rank 2: operation 0 (barrier of 0B) lacks it")
}

func TestDisagreement(t *testing.T) {
	p := comm.NewProgram(2)
	for i := range 2 {
		p.Ranks[i].Add(comm.Op{Kind: comm.Collective, Coll: comm.AllReduce, Bytes: uint64(8 + i)})
		require.NoError(t, p.Ranks[i].Seal())
	}
	_, err := play(t, p, DefaultSpec(), 1)
	require.ErrorContains(t, err, "ranks disagree about collective 0 of communicator 0: rank 1 has all_reduce of 9B, another has all_reduce of 8B")
}

// Every pattern and every collective ends, for several numbers of ranks, whatever
// the protocol; and what is sent is received.
func TestPatterns(t *testing.T) {
	for _, name := range motif.All.Names() {
		for _, n := range []int{1, 2, 5, 12} {
			p, err := motif.Make(name, n, nil)
			require.NoError(t, err)
			require.NoError(t, p.Check())
			for _, q := range comm.Pairs(p) {
				require.Equal(t, q.Sent, q.Received, "%s %d", name, n)
				require.Equal(t, q.SentBytes, q.ReceiveBytes, "%s %d", name, n)
			}
			for _, eager := range []units.Bytes{0, 1 << 40} {
				c, err := play(t, p, spec(func(s *Spec) { s.NIC.Eager = eager }), 3)
				require.NoError(t, err, "%s of %d ranks", name, n)
				if n > 1 {
					require.Positive(t, c.count.messages, name)
				}
			}
		}
	}
}

// A real program of 27 ranks, with the bytes that the trace says.
func TestAMG(t *testing.T) {
	dir := os.Getenv("CAUSEWAY_INPUTS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "inputs")
	}
	p, _, err := comm.Open(filepath.Join(dir, "dumpi", "df_AMG_n27_dumpi.tar.gz"), comm.Options{})
	if err != nil && strings.Contains(err.Error(), "no such file") {
		t.Skip("no dumpi/df_AMG_n27_dumpi.tar.gz")
	}
	require.NoError(t, err)
	c, err := play(t, p, DefaultSpec(), 1000)
	require.NoError(t, err)
	require.EqualValues(t, 15524, c.count.messages)
	require.EqualValues(t, 13584368, c.count.bytes)
	require.Positive(t, c.count.control)
}

// Results are the same with Akita's engine.
func TestEngines(t *testing.T) {
	p, err := motif.Make("lammps", 8, motif.LAMMPS{Steps: motif.Steps{Steps: 2, Compute: 100 * units.Nanosecond}, Atoms: 1000, Skin: 0.2, Rebuild: 2, Thermo: 1, Atom: 24})
	require.NoError(t, err)
	s := spec(func(s *Spec) { s.NIC.Bandwidth, s.NIC.Eager = 8*4e9, 1000 })
	want, err := play(t, p, s, 3)
	require.NoError(t, err)
	for _, e := range []sim.Engine{sim.NewSerialEngine(), sim.NewParallelEngine()} {
		a := engine.Adopt(e)
		got, err := playOn(t, a, a.Run, p, s, 3)
		require.NoError(t, err)
		require.Equal(t, finishes(want), finishes(got))
	}
	shuffled := engine.New(engine.Shuffle(5))
	got, err := playOn(t, shuffled, shuffled.Run, p, s, 3)
	require.NoError(t, err)
	require.Equal(t, finishes(want), finishes(got))
}

// In steady state a message costs no allocation: the second half of a long run has
// next to none.
func TestSteadyState(t *testing.T) {
	for _, eager := range []units.Bytes{0, 1 << 20} {
		p, err := motif.Make("halo3d", 27, motif.Halo{Steps: motif.Steps{Steps: 200, Compute: 10 * units.Nanosecond}, Cells: []int{4, 4, 4}, Cell: 8})
		require.NoError(t, err)
		e := engine.New()
		c := wired(t, e, p, spec(func(s *Spec) { s.NIC.Eager = eager }))
		require.NoError(t, e.RunUntil(1e-6))
		sent := c.count.messages
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		require.NoError(t, e.Run())
		runtime.ReadMemStats(&after)
		sent = c.count.messages - sent
		require.Greater(t, sent, uint64(5000))
		require.Less(t, after.Mallocs-before.Mallocs, sent/100, "of %d messages", sent)
	}
}

// wired is a player over one wire of two cycles, ready to run.
func wired(t testing.TB, e sim.Engine, p *comm.Program, s Spec) *Comp {
	c, err := New("Ranks", e, s, p)
	require.NoError(t, err)
	c.Grow("nic", len(p.Ranks))
	wire := engine.NewWire("Link", e)
	for _, port := range c.ports {
		wire.Attach(port, c.Clock(), engine.EndOptions{Latency: 2, Buffer: 4})
	}
	require.NoError(t, c.Start())
	return c
}

func BenchmarkMessages(b *testing.B) {
	p, err := motif.Make("halo3d", 27, motif.Halo{Steps: motif.Steps{Steps: max(1, b.N/54)}, Cells: []int{4, 4, 4}, Cell: 8, Periodic: true})
	require.NoError(b, err)
	e := engine.New()
	c := wired(b, e, p, DefaultSpec())
	b.ReportAllocs()
	b.ResetTimer()
	require.NoError(b, e.Run())
	b.ReportMetric(float64(c.count.messages)/b.Elapsed().Seconds(), "messages/s")
	b.ReportMetric(float64(c.count.messages), "messages")
}
