package network_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A pipe is a core that delivers every message a number of cycles after it was taken;
// a held terminal gets nothing.
type pipe struct {
	shell *network.Comp
	delay func(m network.Message) uint64
	lose  int32 // the message of this ID is lost
	room  int   // messages per cycle and terminal, 0 is any number

	taken map[int]int // in this cycle
	in    []flying
	held  map[int32]bool
	holds []string
}

type flying struct {
	network.Message
	at, since uint64
}

func (k *pipe) Room(t int) bool { return k.room == 0 || k.taken[t] < k.room }
func (k *pipe) Take(cycle uint64, m network.Message) {
	k.taken[int(m.Src)]++
	k.in = append(k.in, flying{m, cycle + k.delay(m), cycle})
}
func (k *pipe) Advance(cycle uint64) (next uint64, err error) {
	next = network.Idle
	if clear(k.taken); k.room > 0 {
		next = cycle + 1 // others may wait for the next cycle
	}
	left := k.in[:0]
	for _, f := range k.in {
		switch {
		case f.ID == k.lose:
		case f.at <= cycle && !k.held[f.Dst]:
			k.shell.Arrive(f.ID, f.since+1, 3)
		default:
			left = append(left, f)
			next = min(next, max(f.at, cycle+1))
		}
	}
	if k.in = left; len(left) == 0 && cycle > 500 {
		next = network.Idle
	}
	return next, nil
}
func (k *pipe) Hold(t int, on bool) {
	k.held[int32(t)] = on
	k.holds = append(k.holds, fmt.Sprint(t, " ", on))
}
func (k *pipe) Limit(int, float64) bool { return true }
func (k *pipe) Nominal() uint64         { return 42 }
func (k *pipe) Waiting() []engine.Wait  { return []engine.Wait{{Who: "pipe"}} }
func (k *pipe) Check() error {
	if len(k.in) > 0 {
		return errors.New("messages are left in the pipe")
	}
	return nil
}

// EachChannel and CountStalls are those of a core that counts.
func (k *pipe) EachChannel(f func(router, port int, use network.Use)) {
	f(0, 0, network.Use{Busy: 3, Flits: 2, Stalls: -1})
	f(0, 1, network.Use{Busy: 7, Flits: 5, Stalls: 9})
}
func (k *pipe) CountStalls() { k.holds = append(k.holds, "counts stalls") }

// A site is a station at a terminal: it sends its list, a message per cycle, and
// takes what comes, a message every so many cycles.
type site struct {
	*sim.ComponentBase
	port   *engine.Port
	ticker *engine.Ticker
	send   []sim.Msg
	slow   uint64
	got    []sim.Msg
	at     []uint64
}

func (s *site) NotifyRecv(now sim.VTimeInSec, _ sim.Port)     { s.ticker.WakeAfter(now) }
func (s *site) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { s.ticker.WakeAfter(now) }
func (s *site) Handle(e sim.Event) error {
	now, cycle := e.Time(), s.ticker.Cycle(e.Time())
	if s.port.Len() > 0 && cycle%s.slow == 0 {
		s.got, s.at = append(s.got, s.port.Retrieve(now)), append(s.at, cycle)
	}
	if len(s.send) > 0 && s.port.CanSend() && s.port.Send(s.send[0]) == nil {
		s.send = s.send[1:]
	}
	if s.port.Len() > 0 || len(s.send) > 0 {
		s.ticker.WakeAt(cycle + 1)
	}
	return nil
}

// A note is a message with a stamp, and a cause.
type note struct {
	sim.MsgMeta
	stamp  network.Stamp
	cause  task.ID
	answer bool
}

func (n *note) Meta() *sim.MsgMeta           { return &n.MsgMeta }
func (n *note) NetworkStamp() *network.Stamp { return &n.stamp }
func (n *note) Cause() task.ID               { return n.cause }
func (n *note) NetworkAnswer() bool          { return n.answer }

// A bench is a ring of four terminals on a pipe, and a site at each.
type bench struct {
	e     *engine.Engine
	net   *network.Comp
	core  *pipe
	sites []*site
}

func newBench(t *testing.T, delay func(m network.Message) uint64) *bench {
	s := network.DefaultSpec()
	s.Header = 8
	top, err := topology.New("ring", topology.RingSpec{Size: 4})
	require.NoError(t, err)
	b := &bench{e: engine.New()}
	b.net = network.New("Net", b.e, s, top)
	b.core = &pipe{shell: b.net, delay: delay, taken: map[int]int{}, held: map[int32]bool{}, lose: -1}
	b.net.Use(b.core, nil)
	for i := range 4 {
		x := &site{ComponentBase: sim.NewComponentBase(fmt.Sprintf("Site[%d]", i)), slow: 1}
		x.ticker = engine.NewTicker(b.e, clock.GHz, x)
		x.port = engine.NewPort(x, x.Name()+".Port", 2)
		w := engine.NewWire(fmt.Sprintf("Wire[%d]", i), b.e)
		w.PlugIn(x.port, 2)
		w.PlugIn(b.net.GetPortByName(fmt.Sprintf("Terminal[%d]", i)), 2)
		b.net.Reach(x.port, i)
		x.ticker.WakeAt(0)
		b.sites = append(b.sites, x)
	}
	return b
}

// note puts a message of so many bytes on its way.
func (b *bench) note(src, dst, bytes int) *note {
	n := &note{MsgMeta: sim.MsgMeta{Src: b.sites[src].port, Dst: b.sites[dst].port, TrafficBytes: bytes}}
	b.sites[src].send = append(b.sites[src].send, n)
	return n
}

func (b *bench) metrics() map[string]float64 {
	out := map[string]float64{}
	for _, x := range b.net.Stats().Metrics() {
		out[x.Name] = x.Value
	}
	return out
}

func always(cycles uint64) func(network.Message) uint64 {
	return func(network.Message) uint64 { return cycles }
}

// A message is taken a cycle after it was sent, and arrives when the core says; the
// stamp and the metrics tell.
func TestStampsAndMetrics(t *testing.T) {
	b := newBench(t, always(10))
	first, second := b.note(0, 2, 8), b.note(0, 3, 9) // 16 and 17 bytes with the header: a flit and two
	third := b.note(1, 1, 0)
	require.NoError(t, b.e.Run())
	require.Equal(t, network.Stamp{Taken: 1, Injected: 2, Arrived: 11, Hops: 3}, first.stamp)
	require.Equal(t, network.Stamp{Taken: 2, Injected: 3, Arrived: 12, Hops: 3}, second.stamp)
	require.Equal(t, network.Stamp{Taken: 1, Injected: 2, Arrived: 11, Hops: 3}, third.stamp)
	require.Equal(t, []uint64{12}, b.sites[2].at)
	require.Empty(t, b.net.Stats().Verify())
	m := b.metrics()
	for name, want := range map[string]float64{
		"messages": 3, "messages_delivered": 3, "bytes": 17, "bytes_delivered": 17, "flits": 4, "flits_delivered": 4,
		"message_latency_mean": 10, "message_latency_max": 10, "message_transit_mean": 9, "message_hops_mean": 3,
		"throughput": 17. / 11, // in 11 ns
	} {
		require.InDelta(t, want, m[name], 1e-12, name)
	}
	require.Empty(t, b.net.Waiting())
}

// Requests to memory leave in the order they came, even if the core turns it round;
// other messages do not wait.
func TestRequestsKeepTheirOrder(t *testing.T) {
	b := newBench(t, func(m network.Message) uint64 { return 60 - 10*uint64(m.ID) })
	request := func(write bool) sim.Msg {
		if write {
			return mem.WriteReqBuilder{}.WithSrc(b.sites[0].port).WithDst(b.sites[1].port).WithData(make([]byte, 4)).Build()
		}
		return mem.ReadReqBuilder{}.WithSrc(b.sites[0].port).WithDst(b.sites[1].port).WithByteSize(4).Build()
	}
	all := []sim.Msg{request(false), request(true), b.note(0, 1, 4), request(false)}
	b.sites[0].send = all
	require.NoError(t, b.e.Run())
	require.Equal(t, []sim.Msg{all[2], all[0], all[1], all[3]}, b.sites[1].got)
	require.Empty(t, b.net.Stats().Verify())
}

// Where the receiver is slow its terminal is held, and let go when the link has room;
// nothing is lost and messages keep their order. Another terminal is not held up.
func TestSlowReceiver(t *testing.T) {
	b := newBench(t, always(5))
	b.sites[2].slow = 20
	var want []sim.Msg
	for range 12 {
		want = append(want, b.note(0, 2, 4))
	}
	free := b.note(1, 3, 4)
	require.NoError(t, b.e.RunUntil(50e-9))
	w := b.net.Waiting()
	require.Equal(t, engine.Wait{Who: "Net", For: "Site[2].Port", Why: "messages find no room on the link of terminal 2"}, w[0])
	require.Equal(t, "pipe", w[1].Who, "and what the core says")
	require.NoError(t, b.e.Run())
	require.Equal(t, want, b.sites[2].got)
	require.EqualValues(t, 6, free.stamp.Arrived)
	require.Equal(t, "2 true", b.core.holds[0])
	require.Equal(t, "2 false", b.core.holds[len(b.core.holds)-1])
	require.Empty(t, b.net.Stats().Verify())
}

// A core without room leaves messages on their link.
func TestNoRoom(t *testing.T) {
	b := newBench(t, always(5))
	var all []*note
	for range 6 {
		all = append(all, b.note(0, 2, 4))
	}
	b.core.room = 1
	require.NoError(t, b.e.Run())
	for i, n := range all {
		require.EqualValues(t, i+1, n.stamp.Taken)
	}
}

// A message without a destination ends the run, and a core that loses one fails the checks.
func TestFaults(t *testing.T) {
	b := newBench(t, always(5))
	b.note(0, 2, 4).Dst = nil
	require.ErrorContains(t, b.e.Run(), "network: a *network_test.note from Site[0].Port goes to nobody, which is at no terminal")

	b = newBench(t, always(5))
	b.note(0, 2, 4)
	b.note(0, 2, 40)
	b.core.lose = 1
	require.NoError(t, b.e.Run())
	require.ErrorContains(t, errors.Join(b.net.Stats().Verify()...), "2 messages of 44 bytes taken, 1 of 40 bytes arrived, 1 sent")
}

// Answers travel in class 1, all else in class 0. A task per message lasts until the
// link takes it, below the one that sent it.
func TestClassesAndTasks(t *testing.T) {
	b := newBench(t, always(5))
	hint := &memory.Hint{Task: 31}
	read := mem.ReadReqBuilder{}.WithSrc(b.sites[0].port).WithDst(b.sites[1].port).WithByteSize(4).WithInfo(hint).Build()
	write := mem.WriteReqBuilder{}.WithSrc(b.sites[0].port).WithDst(b.sites[1].port).WithData(make([]byte, 4)).Build()
	rsp := mem.DataReadyRspBuilder{}.WithSrc(b.sites[0].port).WithDst(b.sites[1].port).WithRspTo("1").WithData(make([]byte, 4)).Build()
	b.sites[0].send = []sim.Msg{read, write, rsp}
	b.note(0, 1, 4).cause = 32
	b.note(0, 1, 4).answer = true
	var classes []int
	b.core.delay = func(m network.Message) uint64 { classes = append(classes, m.Class); return 5 }
	var got record
	s := task.NewStream(b.e, []task.Reporter{b.net}, &got)
	require.NoError(t, b.e.Run())
	s.Close()
	require.Equal(t, []int{0, 0, 1, 0, 1}, classes)
	var begun []string
	for _, x := range got {
		if x.Phase == task.Begin {
			require.Equal(t, task.Message, x.Kind)
			begun = append(begun, fmt.Sprint(s.Text(x.ID, x.What), " of ", uint64(x.Parent)))
		}
	}
	require.Equal(t, []string{"read of 31", "write of 0", "answer of 0", "send of 32", "send of 0"}, begun)
	require.Len(t, got, 10, "each ends")
}

// A record keeps the events of a stream.
type record []task.Event

func (r *record) Task(_ *task.Stream, e task.Event) { *r = append(*r, e) }

// What the system asks of a node: every other terminal is an exit, and of two ways to
// a port the one over fewer networks counts.
func TestNode(t *testing.T) {
	b := newBench(t, always(5))
	var (
		_ system.Transparent = b.net
		_ system.Neighbour   = b.net
		_ network.Terminals  = b.net
	)
	p := b.net.PortSpecs()
	require.Len(t, p, 1)
	require.Equal(t, "terminal", p[0].Name)
	require.Len(t, p[0].Ports, 4)
	require.True(t, p[0].Array && p[0].Many && p[0].Optional)
	exits, latency := b.net.Through("terminal[1]")
	require.Equal(t, []string{"terminal[0]", "terminal[2]", "terminal[3]"}, exits)
	require.EqualValues(t, 42, latency)
	require.Equal(t, 16, b.net.Width())
	require.Equal(t, 8, b.net.Header())
	require.Equal(t, clock.GHz, b.net.Clock())
	require.Equal(t, 4, b.net.Topology().Terminals())
	b.net.Assume("so it is")
	require.Equal(t, []string{"so it is"}, b.net.Assumptions())

	far := engine.NewPort(b.sites[3], "Far", 2)
	require.NoError(t, b.net.SetPeers("terminal[1]", []system.Peer{{Port: far, Hops: 2}}))
	require.NoError(t, b.net.SetPeers("terminal[2]", []system.Peer{{Port: far, Hops: 1}}))
	require.NoError(t, b.net.SetPeers("terminal[3]", []system.Peer{{Port: far, Hops: 1}}))
	require.EqualError(t, b.net.SetPeers("top", nil), `no port "top"`)
	n := b.note(0, 3, 4)
	n.Dst = far
	var to int32
	b.core.delay = func(m network.Message) uint64 { to = m.Dst; return 5 }
	b.core.lose = 1
	require.NoError(t, b.e.Run())
	require.EqualValues(t, 2, to)
}

// The table of channels names both ends of each; what the core does not count is left empty.
func TestChannels(t *testing.T) {
	b := newBench(t, always(5))
	b.net.RecordChannels()
	require.Equal(t, []string{"counts stalls"}, b.core.holds)
	c := b.net.Channels()
	require.Equal(t, [][]any{
		{0, 0, "terminal 0", "terminal", 3., uint64(2), nil},
		{0, 1, "router 1", "local", 7., uint64(5), 9.},
	}, c.Rows)
}
