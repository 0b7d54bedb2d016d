package replay

import (
	"container/heap"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A machine plays schedules on a channel.Network, in cycles.
type machine struct {
	net    channel.Config
	before int                   // cycles of an endpoint before each send
	after  int                   // cycles of an endpoint after each receive
	read   int                   // cycles before a send that waits for nothing
	launch int                   // cycles before the first send of a chunk
	reduce func(bytes int64) int // cycles of a sum
	count  bool                  // follow costs
	window int                   // messages on the way from one rank to another; 0 is endless
}

type timer struct {
	at       uint64
	seq      int
	kind     int
	rank, op int32
}

type timers []timer

func (h timers) Len() int { return len(h) }
func (h timers) Less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].seq < h[j].seq
}
func (h timers) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *timers) Push(x any)   { *h = append(*h, x.(timer)) }
func (h *timers) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// Kinds of timers.
const (
	issue = iota // the operation may start
	put          // hand the message to the network
	done
)

type play struct {
	machine
	t       testing.TB
	s       *collective.Schedule
	net     *channel.Network
	tracker *collective.Tracker
	timers  timers
	seq     int
	now     uint64
	chunk   []int64 // by rank: end of the chunks begun
	to      []int32 // by tag: receiving operation
	open    []bool  // by tag: the receiver waits
	come    []bool  // by tag
	from    [][2]int32
	busy    map[[2]int32]int
	queue   map[[2]int32][]int32
	last    uint64
	cost    [][]cost // by rank and operation, if it is not nil
	hops    []int    // by tag
}

// A cost is what the operations that led to one have in common with the study of
// wafer-scale reduction: messages one after the other, and their hops.
type cost struct{ depth, length int }

// follow adds up the longest chain of messages that an operation waited for.
func (p *play) follow(rank, i int32) {
	op := &p.s.Ops[rank][i]
	var c cost
	longer := func(x cost, messages, hops int) {
		c.depth, c.length = max(c.depth, x.depth+messages), max(c.length, x.length+hops)
	}
	for _, a := range op.After {
		longer(p.cost[rank][a], 0, 0)
	}
	if op.Kind == collective.Recv || op.Kind == collective.Reduce {
		from := p.from[op.Tag]
		longer(p.cost[from[0]][from[1]], 1, p.hops[op.Tag])
	}
	p.cost[rank][i] = c
}

// run plays a schedule and returns the cycle in which the last operation is done.
func (m machine) run(t testing.TB, s *collective.Schedule) (uint64, *play) {
	net, err := channel.New(m.net)
	require.NoError(t, err)
	messages, _ := s.Messages()
	p := &play{machine: m, t: t, s: s, net: net, tracker: collective.NewTracker(s),
		chunk: make([]int64, s.Ranks()), to: make([]int32, messages), open: make([]bool, messages), come: make([]bool, messages),
		from: make([][2]int32, messages), busy: map[[2]int32]int{}, queue: map[[2]int32][]int32{}}
	for r, ops := range s.Ops {
		for i, op := range ops {
			if op.Kind == collective.Send {
				p.from[op.Tag] = [2]int32{int32(r), int32(i)}
			} else if op.Kind != collective.Copy {
				p.to[op.Tag] = int32(i)
			}
		}
	}
	if m.count {
		p.hops = make([]int, messages)
		for _, ops := range s.Ops {
			p.cost = append(p.cost, make([]cost, len(ops)))
		}
	}
	p.tracker.Start(p.ready)
	next := net.Advance(0, p.arrived)
	for {
		at := next
		if len(p.timers) > 0 {
			at = min(at, p.timers[0].at)
		}
		if at == channel.None {
			break
		}
		p.now = at
		for again := true; again; {
			again = false
			for len(p.timers) > 0 && p.timers[0].at <= p.now {
				p.fire(heap.Pop(&p.timers).(timer))
			}
			next = net.Advance(p.now, p.arrived)
			again = len(p.timers) > 0 && p.timers[0].at <= p.now
		}
	}
	require.Zero(t, p.tracker.Left(), "operations are left")
	require.NoError(t, net.Check())
	return p.last, p
}

func (p *play) after(cycles int, kind int, rank, op int32) {
	heap.Push(&p.timers, timer{p.now + uint64(cycles), p.seq, kind, rank, op})
	p.seq++
}

func (p *play) ready(rank, i int32) {
	op := &p.s.Ops[rank][i]
	if end := op.Off + op.Bytes; p.launch > 0 && op.Kind == collective.Send && end > p.chunk[rank] {
		for _, c := range p.s.Chunks { // scratch is in none
			if c.Off <= op.Off && op.Off < c.End() {
				p.chunk[rank] = c.End()
				p.after(p.launch, issue, rank, i)
				return
			}
		}
	}
	p.start(rank, i)
}

func (p *play) start(rank, i int32) {
	op := &p.s.Ops[rank][i]
	switch op.Kind {
	case collective.Send:
		key := [2]int32{rank, op.Peer}
		if p.window > 0 && p.busy[key] == p.window {
			q := append(p.queue[key], i)
			for k := len(q) - 1; k > 0 && q[k] < q[k-1]; k-- {
				q[k], q[k-1] = q[k-1], q[k]
			}
			p.queue[key] = q
			return
		}
		p.busy[key]++
		wait := p.before
		if len(op.After) == 0 {
			wait += p.read
		}
		p.after(wait, put, rank, i)
	case collective.Copy:
		p.after(0, done, rank, i)
	default:
		p.open[op.Tag] = true
		if p.come[op.Tag] {
			p.finish(rank, i)
		}
	}
}

// finish makes the sum of a message that has come.
func (p *play) finish(rank, i int32) {
	op := &p.s.Ops[rank][i]
	wait := p.machine.after
	if op.Kind == collective.Reduce && p.reduce != nil {
		wait += p.reduce(op.Bytes)
	}
	p.after(wait, done, rank, i)
}

func (p *play) fire(t timer) {
	switch t.kind {
	case issue:
		p.start(t.rank, t.op)
	case put:
		op := &p.s.Ops[t.rank][t.op]
		p.net.Send(channel.Message{ID: op.Tag, Src: t.rank, Dst: op.Peer, Bytes: op.Bytes}, p.now)
	case done:
		p.last = max(p.last, p.now)
		if p.cost != nil {
			p.follow(t.rank, t.op)
		}
		p.tracker.Done(t.rank, t.op, p.ready)
	}
}

func (p *play) arrived(a channel.Arrival) {
	from := p.from[a.ID]
	if p.cost != nil {
		p.hops[a.ID] = a.Hops
		if p.cost[from[0]][from[1]] == (cost{}) {
			p.follow(from[0], from[1])
		}
	}
	op := &p.s.Ops[from[0]][from[1]]
	key := [2]int32{from[0], op.Peer}
	p.busy[key]--
	if q := p.queue[key]; len(q) > 0 {
		p.queue[key] = q[1:]
		p.start(from[0], q[0])
	}
	p.after(0, done, from[0], from[1])
	p.come[a.ID] = true
	if p.open[a.ID] {
		p.finish(op.Peer, p.to[a.ID])
	}
}

func mesh(t testing.TB, w, h int) (topology.Topology, routing.Algorithm) {
	top, err := topology.New("mesh", topology.GridSpec{Dims: []int{w, h}})
	require.NoError(t, err)
	alg, err := routing.New("dor", top, nil)
	require.NoError(t, err)
	return top, alg
}
