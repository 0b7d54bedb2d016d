package coherent

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory/cxl/coherence"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// An Agent is a device's cache of its host's memory.
type Agent struct {
	*coherence.Agent
	AgentSpec
	system  *System
	home    *HomeAgent
	index   int32
	now     int64
	snooped map[uint32]snooped // H2D snoops at the pins, by tag
	looking int                // tag of the snoop that is looked up; -1: none
	pulled  map[uint32]int64
	count   struct {
		clean, cleanTime uint64 // snoops without data
		pulls, pullTime  uint64
	}
}

// AgentSpec is the parameters of an Agent.
type AgentSpec struct {
	Sets, Ways            int
	LD                    int32
	Protocol, Snoop, Pull int64 // ps
	// Done ends an access of the accelerator.
	Done func(ref int32)
}

// AddAgent adds an Agent to a device, for the memory of home.
func (s *System) AddAgent(index int32, home *HomeAgent, spec AgentSpec, g *stats.Group) *Agent {
	a := &Agent{AgentSpec: spec, system: s, home: home, index: index, snooped: map[uint32]snooped{}, looking: -1, pulled: map[uint32]int64{}}
	a.Agent = coherence.NewAgent(uint8(index), spec.Sets, spec.Ways, a)
	s.Agents[index] = a
	a.stats(g)
	return a
}

// Begin begins an access of the accelerator; done: it is over already.
func (a *Agent) Begin(ref int32, addr uint64, kind coherence.Access, t int64) (done bool) {
	a.now = t
	done, _ = a.Access(addr, kind, ref, 0)
	return done
}

// receive takes a message of the home agent.
func (a *Agent) receive(m coherence.Message, snoop bool, t int64) {
	if snoop {
		a.looking = int(m.Tag)
	}
	a.now = t
	a.Receive(m)
	a.looking = -1
}

// arrived takes a message at the pins and returns how long it takes to the cache.
func (a *Agent) arrived(l *transit.Line, m *coherence.Message, at link.Times) int64 {
	switch {
	case l.Carries == flit.H2DReq:
		a.snooped[m.Tag] = snooped{at: at.At}
		return a.Protocol + a.Snoop
	case m.Op == coherence.WritePull || m.Op == coherence.GOWritePull:
		a.pulled[m.Pull] = at.At
		return a.Protocol + a.Pull
	}
	return a.Protocol
}

// sent counts the answer to a snoop or a pull, when the first link has sent it.
func (a *Agent) sent(l *transit.Line, m *coherence.Message, at link.Times) {
	if pinned, ok := a.pulled[m.Tag]; ok && l.Carries == flit.D2HData {
		delete(a.pulled, m.Tag)
		a.count.pulls++
		a.count.pullTime += uint64(at.Start - pinned)
	}
	if s, ok := a.snooped[m.Tag]; ok && l.Carries == flit.D2HRsp {
		delete(a.snooped, m.Tag)
		if s.quick {
			a.count.clean++
			a.count.cleanTime += uint64(at.Start - s.at)
		}
	}
}

// Send implements coherence.AgentSink.
func (a *Agent) Send(m coherence.Message) {
	n := a.system.Network
	i, l := n.Lines.New()
	l.Transaction = transit.Transaction{Root: a.home.index, Device: a.index, LD: a.LD, Addr: m.Addr, Up: true}
	a.system.post(l, m, true)
	switch m.Op {
	case coherence.RspIHitI, coherence.RspIHitSE, coherence.RspSHitSE, coherence.RspVHitV:
		s := a.snooped[m.Tag]
		s.quick = int(m.Tag) == a.looking
		a.snooped[m.Tag] = s
	}
	l.Begin(a.now)
	l.Add(transit.Device, a.now+a.Protocol)
	n.Add(l.Mark, i, n.Device(a.index), transit.Reply)
}

// Done implements coherence.AgentSink.
func (a *Agent) Done(ref int32, _ uint64) { a.AgentSpec.Done(ref) }
