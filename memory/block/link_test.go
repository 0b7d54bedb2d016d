package block

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// joined is an outlet with one link as join makes them, and when its ends are due.
func joined(there, back uint64, capacity, wire, answers int) (o *Outlet, l *Link, from, to *uint64) {
	from, to = new(uint64), new(uint64)
	*from, *to = Never, Never
	o = &Outlet{room: wire, pause: 1}
	l = &Link{capacity: capacity, there: there, back: back, room: answers, out: o, from: from, to: to, settled: new(uint64)}
	o.Links = []*Link{l}
	return o, l, from, to
}

func TestRingsAgainstSlices(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var r requests
	var a answers
	var want []uint64
	for k := range uint64(5000) {
		if rng.IntN(100) < 52 {
			r.push().Addr = k
			a.push(Answer{At: k})
			want = append(want, k)
		} else if len(want) > 0 {
			require.Equal(t, want[0], r.at(0).Addr)
			r.pop()
			require.Equal(t, want[0], a.pop().At)
			want = want[1:]
		}
		require.Equal(t, len(want), r.n)
		require.Equal(t, len(want), a.n)
		for i, x := range want {
			require.Equal(t, x, r.at(i).Addr)
			require.Equal(t, x, a.at(i).At)
		}
	}
}

// A request is seen its link's latency later, not a cycle before, and the responder is
// due then. The same holds for an answer.
func TestLatencyOfALink(t *testing.T) {
	o, l, from, to := joined(3, 2, 4, 4, 4)
	require.True(t, o.CanSend(10))
	o.Send(l, 10, Request{Addr: 64, Tag: 7})
	require.EqualValues(t, 13, *to)
	l.Open(12)
	require.Zero(t, l.Len())
	require.Nil(t, l.Peek())
	require.EqualValues(t, 13, l.Due(12))
	l.Open(13)
	require.Equal(t, 1, l.Len())
	require.EqualValues(t, 64, l.Pop(13).Addr)
	require.Equal(t, Never, l.Due(13))

	l.Answer(20, 7)
	require.EqualValues(t, 22, *from)
	require.EqualValues(t, 22, l.Next())
	_, ok := l.Answered(21)
	require.False(t, ok)
	a, ok := l.Answered(22)
	require.True(t, ok)
	require.EqualValues(t, 7, a.Tag)
	require.Equal(t, Never, l.Next())
}

// A port takes what it holds; the others wait on the wire in order, and come when there
// is room.
func TestFullPort(t *testing.T) {
	o, l, _, _ := joined(1, 1, 2, 8, 4)
	for k := range uint32(5) {
		o.Send(l, 4, Request{Tag: k})
	}
	l.Open(5)
	require.Equal(t, 2, l.Len())
	require.Equal(t, Never, l.Due(5), "it has to make room first")
	for k := range uint32(5) {
		l.Open(6)
		require.Equal(t, min(2, 5-int(k)), l.Len())
		require.Equal(t, k, l.Pop(6).Tag)
	}
}

// A wire takes so many requests of a cycle; those that it could not deliver count as
// well. Who was refused is due when it may send again.
func TestRoomOfAWire(t *testing.T) {
	o, l, from, _ := joined(1, 1, 1, 2, 4)
	o.Send(l, 1, Request{})
	require.True(t, o.CanSend(1))
	o.Send(l, 1, Request{})
	require.False(t, o.CanSend(1))
	require.EqualValues(t, 2, *from, "they leave at the end of the cycle")

	*from = Never
	require.True(t, o.CanSend(2), "the port holds one, one waits on the wire")
	o.Send(l, 2, Request{})
	require.False(t, o.CanSend(3), "two wait")
	require.Equal(t, Never, *from)
	l.Pop(5)
	require.EqualValues(t, 6, *from, "the first chance after the pop")
	require.True(t, o.CanSend(6))
	*from = Never
	l.Open(7)
	l.Pop(7)
	require.Equal(t, Never, *from, "nobody was refused since")
}

func TestRoomForAnswers(t *testing.T) {
	_, l, _, _ := joined(1, 1, 1, 1, 2)
	for range 2 {
		require.True(t, l.CanAnswer(3))
		l.Answer(3, 0)
	}
	require.False(t, l.CanAnswer(3))
	require.True(t, l.CanAnswer(4))
}

// A patient requester is woken by more answers than it lets wait only.
func TestPatience(t *testing.T) {
	o, l, from, _ := joined(1, 5, 1, 1, 4)
	(&Block{out: o}).Patience(2)
	l.Answer(1, 0)
	l.Answer(2, 0)
	require.Equal(t, Never, *from)
	l.Answer(3, 0)
	require.EqualValues(t, 8, *from)
}
