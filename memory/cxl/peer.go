package cxl

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/cxl/coherence"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// PeerSpec is the cache of a device for the memory of its host.
type PeerSpec struct {
	Size  units.Bytes   `yaml:"size" doc:"Bytes; 0B is no cache: lines are read once (RdCurr) and written through (WrInv)"`
	Ways  int           `yaml:"ways" jsonschema:"minimum=1,maximum=1024" doc:"Ways of a set"`
	Snoop units.Latency `yaml:"snoop" doc:"What a snoop of the host takes in the cache"`
	Pull  units.Latency `yaml:"pull" doc:"What the device takes to bring data that the host pulls"`
}

// defaultPeer meets the targets, with protocol layers of 20 ns each way: a snoop that
// misses is answered in 90 ns, data are sent 65 ns behind a WritePull.
//
// Source: CXL 3.1, table 13-2 (90 to 150 ns, 65 ns). assumption: the rest is the cache.
func defaultPeer() PeerSpec {
	return PeerSpec{Ways: 8, Snoop: units.InTime(50 * units.Nanosecond), Pull: units.InTime(25 * units.Nanosecond)}
}

// peer is the side of a device that caches its host's memory: memory/cxl/coherence
// with times.
type peer struct {
	*coherence.Agent
	f           *fabric
	device      *Type3
	root        *Root
	ld          int32
	snoop, pull int64 // ps
	now         int64
	snooped     map[uint32]snooped // H2D snoops that came to the pins, by tag
	looking     int                // tag of the snoop that is looked at; -1: none
	pulled      map[uint32]int64
	count       struct {
		clean, cleanTime uint64 // snoops without data
		pulls, pullTime  uint64
	}
}

// attend makes the cache of a device for the memory of the only host that reaches it.
func (d *Type3) attend(f *fabric, x *system.Fusion) error {
	var root *Root
	ld := d.first
	for _, r := range f.roots {
		if f.ways[int(r.index)*len(f.lds)+int(ld)].down < 0 {
			continue
		}
		if root != nil {
			return d.at.Get("reach").Errorf(nil, "%s and %s reach %s; a device caches the memory of one host", root.Name(), r.Name(), d.Name())
		}
		root = r
	}
	if !slices.ContainsFunc(x.Tiers, func(t system.FusedTier) bool {
		return slices.ContainsFunc(t.Homes, func(n system.Node) bool { y, ok := n.(*Type3); return !ok || y.fabric != f })
	}) {
		return d.at.Get("reach").Errorf(nil, "reach: host has no effect: there is no memory but that of the fabric")
	}
	if root == nil {
		return d.at.Get("reach").Errorf(nil, "no host reaches %s", d.Name())
	}
	if d.index > 63 || root.index > 63 {
		return d.at.Get("reach").Errorf(nil, "home agents tell 64 devices apart, and are told apart themselves")
	}
	s := d.dev.spec.HostCache
	sets, err := DeviceCacheSpec{s.Size, s.Ways}.geometry()
	if err != nil {
		return d.at.Get("host_cache").Errorf(nil, "%s", err)
	}
	ways := s.Ways
	if s.Size == 0 {
		ways = 0
	}
	root.keep(f)
	p := &peer{f: f, device: d, root: root, ld: ld, snoop: ps(s.Snoop), pull: ps(s.Pull), snooped: map[uint32]snooped{}, looking: -1, pulled: map[uint32]int64{}}
	p.Agent = coherence.NewAgent(uint8(d.index), sets, ways, p)
	d.peer = p
	p.stats()
	return nil
}

// peerNoted is called when a message of CXL.cache for the host's memory is at the end
// of its route.
func (h *hop) peerNoted(i int32, at link.Times) {
	f := h.f
	l := &f.lines[i]
	m := &f.notes[l.note]
	if l.up {
		h.Release(at.At, l.carries)
		r := f.roots[l.root]
		f.push(at.At+r.times.protocol+r.times.bridge, i, stepNote)
		return
	}
	d := f.devices[l.device]
	l.in = h.index
	took := d.protocol
	switch {
	case l.carries == flit.H2DReq:
		d.peer.snooped[m.Tag] = snooped{at: at.At}
		took += d.peer.snoop
	case m.Op == coherence.WritePull || m.Op == coherence.GOWritePull:
		d.peer.pulled[m.Pull] = at.At
		took += d.peer.pull
	}
	f.push(at.At+took, i, stepNote)
}

// peerRead gives such a message to its machine.
func (f *fabric) peerRead(i int32, t int64) {
	l := &f.lines[i]
	m := f.notes[l.note].Message
	if l.up {
		k := f.roots[l.root].keeper
		k.now = t
		f.noteless = append(f.noteless, l.note)
		f.freeLine(i)
		k.Receive(m)
		return
	}
	d := f.devices[l.device]
	k := d.peer.root.keeper
	key := goKey{l.device, m.Addr}
	f.links[l.in].Release(t, l.carries)
	if l.carries == flit.H2DReq && k.going[key] > 0 {
		k.late[key] = i // it stays behind GO
		return
	}
	f.noteless = append(f.noteless, l.note)
	goes := l.carries == flit.H2DRsp
	if l.carries == flit.H2DReq {
		d.peer.looking = int(m.Tag)
	}
	f.freeLine(i)
	d.peer.now = t
	d.peer.Receive(m)
	d.peer.looking = -1
	if !goes {
		return
	}
	if k.going[key]--; k.going[key] > 0 {
		return
	}
	delete(k.going, key)
	if n, ok := k.late[key]; ok {
		delete(k.late, key)
		m := f.notes[f.lines[n].note].Message
		f.noteless = append(f.noteless, f.lines[n].note)
		f.freeLine(n)
		d.peer.Receive(m)
	}
}

// peerLeaves is called when such a message has been sent by its first link.
func (f *fabric) peerLeaves(l *line, at link.Times) {
	if !l.up {
		return
	}
	p := f.devices[l.device].peer
	m := &f.notes[l.note]
	if came, ok := p.pulled[m.Tag]; ok && l.carries == flit.D2HData {
		delete(p.pulled, m.Tag)
		p.count.pulls++
		p.count.pullTime += uint64(at.Start - came)
	}
	if came, ok := p.snooped[m.Tag]; ok && l.carries == flit.D2HRsp {
		delete(p.snooped, m.Tag)
		if came.quick {
			p.count.clean++
			p.count.cleanTime += uint64(at.Start - came.at)
		}
	}
}

// Send implements coherence.AgentSink.
func (p *peer) Send(m coherence.Message) {
	f := p.f
	i := f.freshLine(line{root: p.root.index, device: p.device.index, ld: p.ld, addr: m.Addr, up: true})
	l := f.post(i, m)
	f.notes[l.note].peer = true
	switch m.Op {
	case coherence.RspIHitI, coherence.RspIHitSE, coherence.RspSHitSE, coherence.RspVHitV:
		s := p.snooped[m.Tag]
		s.quick = int(m.Tag) == p.looking
		p.snooped[m.Tag] = s
	}
	l.start, l.mark = p.now, p.now
	l.add(partDevice, p.now+p.device.protocol)
	f.push(l.mark, i, stepReply)
}

// Done implements coherence.AgentSink.
func (p *peer) Done(ref int32, _ uint64) { p.f.endDev(ref) }

func (p *peer) stats() {
	c, g := &p.Count, p.device.stats
	g.Count("host_cache_hits", stats.Request, "Lines of the host's memory that the device's cache had in a sufficient state.", &c.Hits)
	g.Count("host_cache_misses", stats.Request, "Lines of the host's memory that had to wait for the host, or behind another access.", &c.Misses)
	g.Count("host_cache_evictions", stats.Request, "Lines given back to the host.", &c.Evictions)
	g.Count("host_through", stats.Request, "Lines of the host's memory read or written without a place in the cache (RdCurr, WrInv).", &c.Through)
	g.Count("h2d_snoops", stats.One, "Snoops of the host that came.", &c.Snoops)
	g.Count("h2d_forwarded", stats.One, "Snoops that took modified data.", &c.Forwarded)
	g.Count("bogus_data", stats.One, "Pulled data that a snoop had taken before.", &c.Bogus)
	g.Value("h2d_snoop_latency_mean", stats.NS, "Mean time from the last bit of a snoop at the pins to the first bit of its answer, of lines that are not modified and that nothing has to be waited for.", func() (float64, bool) {
		return float64(p.count.cleanTime) / float64(max(p.count.clean, 1)) / 1000, p.count.clean > 0
	})
	g.Value("pull_latency_mean", stats.NS, "Mean time from the last bit of a WritePull at the pins to the first bit of the data.", func() (float64, bool) {
		return float64(p.count.pullTime) / float64(max(p.count.pulls, 1)) / 1000, p.count.pulls > 0
	})
	g.Check("no line of the host's memory is left busy", func() error {
		if n := p.Busy(); n > 0 {
			return fmt.Errorf("%d lines", n)
		}
		return nil
	})
}
