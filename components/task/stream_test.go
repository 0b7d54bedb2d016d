package task

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
)

type node struct {
	name string
	src  Source
}

func (n *node) Name() string   { return n.name }
func (n *node) Tasks() *Source { return &n.src }

type hand struct{ now sim.VTimeInSec }

func (h *hand) CurrentTime() sim.VTimeInSec { return h.now }

type lines []string

func (l *lines) Task(s *Stream, e Event) {
	*l = append(*l, fmt.Sprintf("%g %s %d %s %s %s", e.At, s.Nodes()[e.ID.Node()].Name(), e.ID&(1<<idBits-1), e.Phase, e.Kind, s.Text(e.ID, e.What)))
}

// Events come by time, node and ID, whatever the order in which nodes report them,
// and an event that is known ahead waits for its time.
func TestOrder(t *testing.T) {
	for _, swap := range []bool{false, true} {
		a, b, clock, got := &node{name: "A"}, &node{name: "B"}, &hand{}, &lines{}
		s := NewStream(clock, []Reporter{a, b}, got)
		first := func() {
			x := a.src.Begin(1, Layer, a.src.What("conv1"), 0, 0)
			a.src.End(5, x) // known ahead
			y := a.src.Begin(1, Burst, Read, x, 64)
			a.src.End(1, y)
		}
		second := func() { b.src.Step(1, b.src.Begin(1, Access, Write, 0, 0), Miss) }
		clock.now = 1
		if swap {
			first, second = second, first
		}
		first()
		second()
		require.Empty(t, *got, "the instant is not over")
		clock.now = 3
		b.src.Begin(3, Memory, Read, 0, 0)
		require.Len(t, *got, 5)
		s.Close()
		require.Equal(t, lines{
			"1 A 1 begin layer conv1",
			"1 A 2 begin burst read",
			"1 A 2 end none ",
			"1 B 1 begin access write",
			"1 B 1 step none miss",
			"3 B 2 begin memory read",
			"5 A 1 end none ",
		}, *got)
	}
}

func TestAnEventOfThePastIsAFault(t *testing.T) {
	n, clock := &node{name: "A"}, &hand{now: 2}
	NewStream(clock, []Reporter{n})
	require.PanicsWithValue(t, "task: A reports the begin of a task of 1 s at 2 s", func() { n.src.Begin(1, Layer, 0, 0, 0) })
	require.Panics(t, func() { NewStream(clock, []Reporter{n}) }, "two streams")
}

// Without a stream nothing is counted and nothing allocates.
func TestSilence(t *testing.T) {
	var s Source
	require.Zero(t, testing.AllocsPerRun(100, func() {
		id := s.Begin(1, Burst, Read, 0, 64)
		s.Step(1, id, Hit)
		s.End(2, id)
		s.Explain(id, Read, 1, 2, id)
	}))
	require.False(t, s.Explains())
	require.Zero(t, s.tasks+s.events)
}

// A limit keeps the first tasks of each kind of each node; what belongs to others is dropped
// with them.
func TestLimit(t *testing.T) {
	a, b, clock, got := &node{name: "A"}, &node{name: "B"}, &hand{}, &lines{}
	s := NewStream(clock, []Reporter{a, b}, got)
	s.Limit(func(k Kind) int { return map[Kind]int{Layer: 1, Burst: 2}[k] })
	for _, n := range []*node{a, b} {
		for range 3 {
			l := n.src.Begin(1, Layer, 0, 0, 0)
			x := n.src.Begin(1, Burst, Read, l, 64)
			n.src.Step(1, x, Hit)
			n.src.End(1, x)
			n.src.End(1, l)
			n.src.Begin(1, Memory, Read, 0, 0)
		}
	}
	s.Close()
	require.Len(t, *got, 2*(2+3+3))
}

func TestKinds(t *testing.T) {
	require.Len(t, kinds, int(firstOwn))
	k := NewKind("spmv")
	defer func() { kinds = kinds[:firstOwn] }()
	require.Equal(t, "spmv", k.String())
	require.Panics(t, func() { NewKind("spmv") })
	require.Equal(t, "layer", Layer.String())
	require.Equal(t, "collective", Collective.String())
}

func BenchmarkSilence(b *testing.B) {
	var s Source
	b.ReportAllocs()
	for b.Loop() {
		s.End(2, s.Begin(1, Burst, Read, 0, 64))
	}
}

// Many events of several nodes, some known ahead, come as if all were sorted at once.
func TestOrderOfMany(t *testing.T) {
	nodes := []*node{{name: "A"}, {name: "B"}, {name: "C"}}
	clock, got := &hand{}, &events{}
	s := NewStream(clock, []Reporter{nodes[0], nodes[1], nodes[2]}, got)
	draw := rand.New(rand.NewPCG(1, 1))
	var open []ID
	for range 3000 {
		clock.now += sim.VTimeInSec(draw.IntN(3) / 2) // several reports in an instant
		k := draw.IntN(len(nodes))
		id := nodes[k].src.Begin(clock.now+sim.VTimeInSec(draw.IntN(2)), Burst, Read, 0, 0)
		for range draw.IntN(4) {
			nodes[k].src.Step(clock.now+sim.VTimeInSec(draw.IntN(4)), id, What(1+draw.IntN(5)))
		}
		nodes[k].src.End(clock.now+sim.VTimeInSec(draw.IntN(20)), id)
		open = append(open, id)
	}
	s.Close()
	want := slices.Clone(*got)
	slices.SortStableFunc(want, func(a, b Event) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Phase, b.Phase))
	})
	require.True(t, slices.Equal(want, *got))
	require.Greater(t, len(*got), 2*len(open))
}

type events []Event

func (l *events) Task(_ *Stream, e Event) { *l = append(*l, e) }

// Steps without a listener are not kept; one listener to them is enough.
func TestStepless(t *testing.T) {
	for _, also := range []bool{false, true} {
		n, clock, got := &node{name: "A"}, &hand{}, &stepless{}
		s := NewStream(clock, []Reporter{n}, got)
		if also {
			s.Listen(&events{})
		}
		id := n.src.Begin(0, Access, Read, 0, 64)
		n.src.Step(0, id, Hit)
		n.src.End(0, id)
		want := 2
		if also {
			want = 3
		}
		require.Equal(t, want, s.waiting.Len())
		s.Close()
		require.Len(t, got.events, want)
	}
}

type stepless struct{ events }

func (*stepless) Stepless() {}

type asking struct {
	events
	causes []Cause
}

func (a *asking) Cause(_ *Stream, c Cause) { a.causes = append(a.causes, c) }

// Causes reach those who ask for them, at once and whatever their time; nothing is said of no
// task and of no time.
func TestCauses(t *testing.T) {
	n, clock, got := &node{name: "A"}, &hand{}, &asking{}
	s := NewStream(clock, []Reporter{n}, &events{})
	require.False(t, n.src.Explains())
	s.Listen(got)
	require.True(t, n.src.Explains())
	clock.now = 5
	id := n.src.Begin(5, Burst, Read, 0, 64)
	n.src.Explain(id, n.src.What("waits"), 1, 4, 7)
	n.src.Explain(id, Read, 4, 4, 0)
	n.src.Explain(0, Read, 1, 4, 0)
	require.Equal(t, []Cause{{Task: id, By: 7, From: 1, To: 4, What: n.src.What("waits")}}, got.causes)
	require.Equal(t, "waits", s.Text(id, got.causes[0].What))
}
