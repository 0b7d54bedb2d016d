package replay

import (
	"container/heap"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// An endpoint as the TTO artifact has it (hmc.py, message_buffer.py), for the
// algorithms that it runs in steps: written from its rules to see what of the
// difference between its figures and ours comes from these.
//
//   - A node does its sends step by step. Of the first step that has any left, those
//     that are ready take interfaces, in the order of the list; with strict, a step
//     begins only when all interfaces are free.
//   - A send holds its interface until its messages of 8 KiB have been handed over: all
//     but the last 53, which fit the buffers (32 of the interface, 16 of the network,
//     5 in the injection queue).
//   - The gather starts when a node has done all its sends of the reduction, and has
//     the sums that it waits for.
//   - Sums are made one after the other, in two cycles each. (What they take beyond,
//     a cycle for 4,096 parameters, is a thousandth of the message's.)
type artifact struct {
	interfaces int
	strict     bool
	late       int // cycle in which a node begins that has nothing to send in the first step
	nodes      []anode
}

// Messages that the buffers of an interface take, and those that the network takes of
// one: four virtual channels of 318 flits, messages of 17.
const (
	queue  = 53
	inside = 4 * 318 / 17
)

// A flow of a source is what a send can wait for.
type afrom struct{ flow, from int }

type asend struct {
	to, flow int
	messages int
	needs    []afrom
}

type anode struct {
	phases [2][][]asend // sums and gather, by step
	last   []afrom      // what has to be summed up before the gather
}

type aplay struct {
	*artifact
	net     *channel.Network
	state   []astate
	timers  timers
	seq     int
	now     uint64
	end     uint64
	message []amessage
	got     []map[afrom]bool
	summed  []uint64 // when the adder of a node is free
}

type astate struct {
	phase, step int
	left        []asend // of the step
	fresh       bool    // the step has not begun
	ni          []ani
}

type ani struct {
	queue []int32 // messages handed over that the network has not taken yet
	in    int     // messages in the network
	send  asend
	left  int // of the send, to be handed over
}

type amessage struct {
	src, ni, dst, flow int
	messages           int // of the send
	phase              int
	end                bool
}

func (a *artifact) run(t testing.TB, top topology.Topology, alg routing.Algorithm) uint64 {
	net, err := channel.New(channel.Config{
		Topology: top, Routing: alg, Width: 512, Packet: 8192, Header: 512, Router: 3,
		Terminal: channel.Link{Latency: 1, Rate: 512}, Local: channel.Link{Latency: 1, Rate: 512.0 / 21},
	})
	require.NoError(t, err)
	p := &aplay{artifact: a, net: net, state: make([]astate, len(a.nodes)), summed: make([]uint64, len(a.nodes))}
	for n := range a.nodes {
		p.got = append(p.got, map[afrom]bool{})
		p.state[n] = astate{fresh: true, ni: make([]ani, a.interfaces), step: -1}
		p.next(n)
	}
	for n := range a.nodes {
		if len(a.nodes[n].phases[0][0]) == 0 {
			p.wake(n, uint64(a.late))
			continue
		}
		p.act(n)
	}
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
		next = net.Advance(at, p.arrived)
		for len(p.timers) > 0 && p.timers[0].at <= at {
			x := heap.Pop(&p.timers).(timer)
			p.act(int(x.rank))
		}
		next = min(next, net.Advance(at, p.arrived))
	}
	for n := range p.state {
		require.Equal(t, 2, p.state[n].phase, "node %d is stuck in step %d", n, p.state[n].step)
	}
	return p.end
}

func (p *aplay) wake(n int, at uint64) {
	heap.Push(&p.timers, timer{at: at, seq: p.seq, rank: int32(n)})
	p.seq++
}

// next takes the next step that has sends, if there is one in the phase.
func (p *aplay) next(n int) {
	s := &p.state[n]
	for s.phase < 2 && len(s.left) == 0 {
		steps := p.nodes[n].phases[s.phase]
		if s.step+1 >= len(steps) {
			return
		}
		s.step++
		s.left, s.fresh = slices.Clone(steps[s.step]), true
	}
}

func (p *aplay) idle(n int) bool {
	return !slices.ContainsFunc(p.state[n].ni, func(x ani) bool { return x.left > 0 })
}

func (p *aplay) ready(n int, needs []afrom) bool {
	return !slices.ContainsFunc(needs, func(x afrom) bool { return !p.got[n][x] })
}

// act does what a node can do.
func (p *aplay) act(n int) {
	s := &p.state[n]
	for {
		p.hand(n)
		if s.phase < 2 && len(s.left) == 0 {
			if !p.idle(n) || s.phase == 0 && !p.ready(n, p.nodes[n].last) {
				return
			}
			s.phase++
			s.step = -1
			p.next(n)
			continue
		}
		if s.phase == 2 || p.strict && s.fresh && !p.idle(n) {
			return
		}
		s.fresh = false
		began := false
		for i := range s.ni {
			k := slices.IndexFunc(s.left, func(x asend) bool { return p.ready(n, x.needs) })
			if k < 0 || s.ni[i].left > 0 {
				continue
			}
			s.ni[i].send, s.ni[i].left = s.left[k], s.left[k].messages
			s.left = slices.Delete(s.left, k, k+1)
			began = true
			if len(s.left) == 0 {
				break
			}
		}
		if !began {
			return
		}
		p.next(n)
	}
}

// hand puts messages into the buffers, and these into the network.
func (p *aplay) hand(n int) {
	s := &p.state[n]
	for i := range s.ni {
		x := &s.ni[i]
		for {
			if x.left > 0 && len(x.queue) < queue {
				x.left--
				p.message = append(p.message, amessage{src: n, ni: i, dst: x.send.to, flow: x.send.flow, phase: s.phase, end: x.left == 0, messages: x.send.messages})
				x.queue = append(x.queue, int32(len(p.message)-1))
				continue
			}
			if len(x.queue) > 0 && x.in < inside {
				m := x.queue[0]
				x.queue = x.queue[1:]
				x.in++
				k := &p.message[m]
				// From the schedule to the network: three events. At the other end any of its interfaces.
				p.net.Send(channel.Message{ID: m, Src: int32(n*p.interfaces + i), Dst: int32(k.dst*p.interfaces + i), Bytes: 8192}, p.now+3)
				continue
			}
			break
		}
	}
}

func (p *aplay) arrived(a channel.Arrival) {
	m := p.message[a.ID]
	x := &p.state[m.src].ni[m.ni]
	x.in--
	p.wake(m.src, a.Cycle)
	if !m.end {
		return
	}
	at := a.Cycle + 1
	if m.phase == 0 {
		p.summed[m.dst] = max(p.summed[m.dst], at) + 1 + uint64(m.messages+1)/2
		at = p.summed[m.dst]
	}
	p.end = max(p.end, at)
	p.got[m.dst][afrom{m.flow, m.src}] = true
	p.wake(m.dst, at)
}

// put adds a send in a step of a phase.
func (n *anode) put(phase, step int, s asend) {
	for len(n.phases[phase]) <= step {
		n.phases[phase] = append(n.phases[phase], nil)
	}
	n.phases[phase][step] = append(n.phases[phase][step], s)
}
