package work

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
)

// An end is a component with a port: the executor of a queue, or its issuer.
type end struct {
	*sim.ComponentBase
	port *engine.Port
	got  []Done
	at   []sim.VTimeInSec
}

func (e *end) NotifyRecv(now sim.VTimeInSec, p sim.Port) {
	if e.port == p {
		for m := e.port.Retrieve(now); m != nil; m = e.port.Retrieve(now) {
			e.got, e.at = append(e.got, *m.(*Done)), append(e.at, now)
		}
	}
}
func (e *end) NotifyPortFree(sim.VTimeInSec, sim.Port) {}
func (e *end) Handle(sim.Event) error                  { return nil }

// Jobs that were issued ahead come in the order of their arrival, equal ones in that of their
// shares; before those, nothing that comes later. Only awaited ones are reported.
func TestJobsAhead(t *testing.T) {
	e := engine.New()
	x, issuer := &end{ComponentBase: sim.NewComponentBase("Core")}, &end{ComponentBase: sim.NewComponentBase("Issuer")}
	issuer.port = engine.NewPort(issuer, "Issuer.Executors", 4)
	q := NewQueue(x, "Core", engine.NewTicker(e, clock.GHz, x))
	wire := engine.NewWire("Wire", e)
	wire.Attach(q.Port(), clock.GHz, engine.EndOptions{})
	wire.Attach(issuer.port, clock.GHz, engine.EndOptions{})
	share := func(id int32, arrival units.Time, awaited ...bool) *Share {
		s := &Share{ID: id, Arrival: arrival, Issuer: issuer.port, Program: mapping.Program{Core: 7}}
		for i, a := range awaited {
			s.Program.Jobs = append(s.Program.Jobs, mapping.Job{Op: 10 * i, Part: 2, Awaited: a})
		}
		return s
	}
	require.Nil(t, q.First())
	require.False(t, q.Fixed())
	require.NoError(t, q.Ahead(share(1, 30*units.Nanosecond, false, false)))
	require.NoError(t, q.Ahead(share(2, 0, true, false, true)))
	require.NoError(t, q.Ahead(share(3, 30*units.Nanosecond, false)))
	require.EqualError(t, q.Ahead(share(2, 0, true)), "Core: share 2 is issued twice")
	require.Equal(t, 6, q.Len())
	q.issued = append(q.issued, Issued{Share: 9}) // came by message
	var order [][3]int32
	for i, ok := q.Next(); ok; i, ok = q.Next() {
		order = append(order, [3]int32{i.Share, i.Job, int32(i.Came)})
		if i.Share == 2 {
			require.True(t, i.Ahead)
			q.Done(i, 4, 5+uint64(i.Job))
		}
		require.Equal(t, len(order) < 6, q.Fixed())
	}
	require.Equal(t, [][3]int32{{2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {1, 0, 30}, {1, 1, 30}, {3, 0, 30}, {9, 0, 0}}, order)
	require.Zero(t, q.Len())
	q.Send(0, 5)
	q.Send(0, 7)
	require.NoError(t, e.Run())
	require.Len(t, issuer.got, 2)
	require.Equal(t, mapping.Token{Op: 0, Core: 7, Part: 2}, issuer.got[0].Of)
	require.Equal(t, mapping.Token{Op: 20, Core: 7, Part: 2}, issuer.got[1].Of)
	require.Equal(t, [2]uint64{4, 7}, [2]uint64{issuer.got[1].Begin, issuer.got[1].End})
}

// A job waits for the last of the joins that it comes after, and says which are not done.
func TestAfterOthers(t *testing.T) {
	e := engine.New()
	x := &end{ComponentBase: sim.NewComponentBase("Core")}
	q := NewQueue(x, "Core", engine.NewTicker(e, clock.GHz, x))
	join := func(op int32) *mapping.Join {
		return &mapping.Join{Members: []mapping.Token{{Op: op}, {Op: op, Core: 1}}}
	}
	a, b := join(1), join(2)
	at, ok := q.After(3, nil)
	require.True(t, ok)
	require.Zero(t, at)
	_, ok = q.Last(3, []*mapping.Join{a, b})
	require.False(t, ok)
	for cycle, r := range map[uint64]*Ready{40: {Share: 3, Join: b, Last: b.Members[1]}, 30: {Share: 3, Join: a, Last: a.Members[0]}, 50: {Share: 4, Join: a}} {
		require.Nil(t, q.port.Recv(r))
		require.NoError(t, q.Receive(sim.VTimeInSec(1), cycle))
		if len(q.ready) == 1 {
			_, ok = q.After(3, []*mapping.Join{a, b})
			require.False(t, ok)
		}
	}
	at, ok = q.After(3, []*mapping.Join{a, b})
	require.True(t, ok)
	require.Equal(t, uint64(40), at)
	require.Equal(t, []*mapping.Join{b}, q.Missing(4, []*mapping.Join{a, b}))
	last, ok := q.Last(3, []*mapping.Join{a, b})
	require.True(t, ok)
	require.Equal(t, b.Members[1], last)
}

// What was recorded comes by call alone.
func TestRecordedIsRefused(t *testing.T) {
	x := &end{ComponentBase: sim.NewComponentBase("Core")}
	q := NewQueue(x, "Core", engine.NewTicker(engine.New(), clock.GHz, x))
	require.Nil(t, q.port.Recv(&Issue{Recorded: &Recorded{Name: "step 3"}}))
	require.EqualError(t, q.Receive(1, 1), "Core was issued step 3 by a message: what was recorded comes by call")
}
