package transit

import (
	"cmp"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/cxl/link"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// The dumb twin of a set is a map.
func TestSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		s, twin := NewSet(n), map[int]bool{}
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			i := rapid.IntRange(0, n-1).Draw(t, "i")
			if rapid.Bool().Draw(t, "add") {
				s.Add(uint16(i))
				twin[i] = true
			} else {
				s.Remove(i)
				delete(twin, i)
			}
		}
		var got, want []int
		for i := s.Next(0); i >= 0; i = s.Next(i + 1) {
			got = append(got, i)
		}
		for i := range twin {
			want = append(want, i)
		}
		slices.Sort(want)
		require.Equal(t, want, got)
	})
}

// Engines that run components at once add at once.
func TestSetAddsAtOnce(t *testing.T) {
	s := NewSet(256)
	var w sync.WaitGroup
	for k := range 8 {
		w.Go(func() {
			for i := k; i < 256; i += 8 {
				s.Add(uint16(i))
			}
		})
	}
	w.Wait()
	for i := range 256 {
		require.Equal(t, i, s.Next(i))
	}
}

// Events come in order of time, and of scheduling where times are equal, whether they
// have effects outside or not.
func TestScheduleOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSchedule()
		type entry struct {
			at int64
			id int32
		}
		var twin []entry
		for id := range int32(rapid.IntRange(0, 50).Draw(t, "events")) {
			at := rapid.Int64Range(1, 9).Draw(t, "at")
			s.Add(at, 0, Event{ID: id, Step: Step(rapid.Uint8Range(0, uint8(Access)).Draw(t, "step"))})
			twin = append(twin, entry{at, id})
		}
		slices.SortStableFunc(twin, func(a, b entry) int { return int(a.at - b.at) })
		for _, want := range twin {
			require.Equal(t, want.at, s.Next())
			e, at := s.pop()
			require.Equal(t, want, entry{at, e.ID})
		}
		require.EqualValues(t, link.Never, s.Next())
	})
}

// Events that are foreseen have the order that they would have if they were scheduled when
// what they are for arrives: before all others of that time.
func TestForeseenOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSchedule()
		var twin []due
		for id := range int32(rapid.IntRange(1, 60).Draw(t, "events")) {
			at := rapid.Int64Range(5, 12).Draw(t, "at")
			x := due{at: at, order: order{rapid.Int64Range(0, 4).Draw(t, "scheduled"), 1 << 63}, Event: Event{ID: id, Step: Step(rapid.Uint8Range(0, uint8(Access)).Draw(t, "step"))}}
			if rapid.Bool().Draw(t, "foreseen") {
				x.order.tie = uint64(rapid.IntRange(0, 3).Draw(t, "link"))<<41 | uint64(id)
				s.addAsAt(x.order.at, x.order.tie)
			}
			s.Add(at, x.order.at, x.Event)
			s.addAsNow()
			twin = append(twin, x)
		}
		slices.SortStableFunc(twin, func(a, b due) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order.at, b.order.at), cmp.Compare(a.order.tie, b.order.tie))
		})
		for _, want := range twin {
			e, at := s.pop()
			require.Equal(t, want.Event, e)
			require.Equal(t, want.at, at)
		}
	})
}

// A place is used again, by a line that differs from the one before by its turn.
func TestLines(t *testing.T) {
	var x Lines
	require.True(t, x.Idle())
	i, l := x.New()
	l.Addr, l.Done, l.Early, l.Over = 64, true, true, true
	turn := l.Turn
	x.FreeIfEnded(i)
	require.False(t, x.Idle(), "the memory has not stored it")
	l.Stored = true
	x.FreeIfEnded(i)
	require.True(t, x.Idle())
	k, l := x.New()
	require.Equal(t, i, k)
	require.Equal(t, turn+1, l.Turn)
	require.Zero(t, l.Addr)
}

func TestQueue(t *testing.T) {
	var x Lines
	var q Queue
	for range 3 {
		i, _ := x.New()
		q.Push(&x, i)
	}
	for want := range int32(3) {
		require.Equal(t, want, q.Head())
		require.Equal(t, want, q.Pop(&x))
	}
	q.Push(&x, 1)
	require.EqualValues(t, 1, q.Pop(&x))
	require.Zero(t, q.Len())
}

// The parts of a breakdown reach from its start to its mark without a gap.
func TestBreakdown(t *testing.T) {
	var b Breakdown
	b.Begin(100)
	b.Add(Host, 130)
	b.Add(Device, 150)
	b.AddMemory(170, 200) // the memory took it after 20 ps
	b.AddAll(&[Parts]int64{Wire: 5, Return: 6})
	require.Equal(t, [Parts]int64{Host: 30, Device: 20, DRAMQueue: 20, DRAM: 30, Wire: 5, Return: 6}, b.Parts)
	sum := int64(0)
	for _, v := range b.Parts {
		sum += v
	}
	require.Equal(t, b.Mark-b.Start, sum)
	b = Breakdown{Mark: 10}
	b.AddMemory(0, 30) // it did not say
	require.Equal(t, [Parts]int64{DRAM: 20}, b.Parts)
	b = Breakdown{Mark: 10}
	b.AddMemory(99, 30) // later than its answer
	require.Equal(t, [Parts]int64{DRAMQueue: 20}, b.Parts)
}

func TestClass(t *testing.T) {
	for _, c := range []struct {
		t    Transaction
		want flit.Class
	}{
		{Transaction{}, flit.M2SReq}, {Transaction{Write: true}, flit.M2SRwD}, {Transaction{Up: true}, flit.S2MDRS}, {Transaction{Up: true, Write: true}, flit.S2MNDR},
		{Transaction{Up: true, Note: 1, Carries: flit.D2HReq}, flit.D2HReq},
	} {
		require.Equal(t, c.want, (&Line{Transaction: c.t}).Class())
	}
}
