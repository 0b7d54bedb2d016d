package routing

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

// PHSpec configures par_ph.
type PHSpec struct {
	Threshold int `yaml:"threshold" doc:"Flits that favour the minimal path, negative ones the other; where a virtual channel holds fewer, their share of 256. Queues are without what is on the channel"`
}

// GateSpec configures piar. All queues leave out flits on the channel.
type GateSpec struct {
	Local       int `yaml:"local" doc:"Flits queued for a local port, beyond which it is shut; where a virtual channel holds fewer, their share of 256"`
	Global      int `yaml:"global" doc:"Flits queued for a global port, beyond which it is shut; where a virtual channel holds fewer, their share of 256"`
	Coefficient int `yaml:"coefficient" doc:"Percent of the mean of a router's global ports that is added to global, in what it tells the others"`
	Threshold   int `yaml:"threshold" doc:"Flits that favour the minimal path, negative ones the other, where queues are compared"`
}

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "par_ph",
		Doc:    "Progressive adaptive by comparison: at the source router and behind the first local hop, UGAL's rule between the minimal way and a random global channel, by queues without what is on the channel.",
		Source: "Jiang, Kim, Dally, ISCA 2009, section 4.3; correction: Won et al., HPCA 2015",
		Spec:   PHSpec{Threshold: 16},
		New: func(t topology.Topology, spec any) (Algorithm, error) {
			d, s, err := gated("par_ph", t, spec, PHSpec{Threshold: 16})
			if err != nil {
				return nil, err
			}
			return &parPH{gate{d, GateSpec{Threshold: s.Threshold}}}, nil
		},
	})
	def := GateSpec{Local: 16, Global: 16, Coefficient: 50}
	All.Add(registry.Entry[Factory]{
		Name:   "piar",
		Doc:    "Reconstruction of PIAR: the minimal way, if its local and global channels are open; else by the shortest non-minimal way that is, first over the own router's global channels, then over another's.",
		Source: "reconstruction from the abstract of PIAR, CLUSTER 2025",
		Spec:   def,
		New: func(t topology.Topology, spec any) (Algorithm, error) {
			d, s, err := gated("piar", t, spec, def)
			if err != nil {
				return nil, err
			}
			var bad []string
			for _, x := range []struct {
				key string
				v   int
			}{{"local", s.Local}, {"global", s.Global}, {"coefficient", s.Coefficient}} {
				if x.v < 0 || x.v > 1<<16 {
					bad = append(bad, fmt.Sprintf("%s is %d (want 0 to %d)", x.key, x.v, 1<<16))
				}
			}
			if bad != nil {
				return nil, fmt.Errorf("routing algorithm piar: %s", strings.Join(bad, "; "))
			}
			return &piar{gate{d, s}}, nil
		},
	})
}

// gated is what New of both begins with.
func gated[S any](name string, t topology.Topology, spec any, def S) (sequence, S, error) {
	d, ok := t.(topology.Dragonfly)
	if !ok {
		return sequence{}, def, &TopologyError{Algorithm: name, Want: "dragonfly"}
	}
	s, err := specOf(name, spec, def)
	return sequence{d: d, lad: newLadder("llgllgl")}, s, err
}

// gate is what par_ph and piar have in common: a packet of the first group may be
// sent over a global channel of its router, or to another router of the group
// whose global port Via it has to take; from there on it is minimal.
type gate struct {
	sequence
	GateSpec
}

// ViewUse implements ViewUser.
func (a *gate) ViewUse() (flying, rate bool) { return true, false }

// begin makes the state of a packet current. It reports whether the packet may
// still choose how to leave its first group.
func (a *gate) begin(v View, p *Packet) (free bool) {
	if p.Hops == 0 && !p.Again {
		p.Link, p.Pending, p.Via = 0, 0, none
		if m := a.d.Links(); m > 1 {
			p.Link = int16(v.Intn(m))
		}
	}
	a.arrive(p)
	return p.Phase&(away|mustLeave) == 0 && a.d.Group(v.Router()) != a.d.Group(a.home(p.Dst))
}

// rest is the hop of a packet that has no choice.
func (a *gate) rest(v View, p *Packet) Hop {
	if p.Phase&mustLeave != 0 {
		return a.take(p, int(p.Via), true, 0)
	}
	port, global, home := a.minimalPort(v.Router(), p)
	if home {
		return Hop{Port: port, Class: AnyClass}
	}
	return a.take(p, port, global, 0)
}

// queue is what waits for a port of this router.
func (a *gate) queue(v View, port int) int { return v.Queue(port) - v.Flying(port) }

// over sends a packet to another router, whose global port it has to take.
func (a *gate) over(r, to, port int, p *Packet) Hop {
	p.Via = int32(port)
	return a.take(p, a.d.LocalPort(r, to), false, mustLeave)
}

// global draws a global port of the x-th router of the group, counted from this
// one on, and reports whether it is used and not port no of router than.
func (a *gate) global(v View, x, than, no int) (r, port int, ok bool) {
	at, first := v.Router(), a.globalPort(0)
	in := at % a.d.A()
	r = at - in + (in+x)%a.d.A()
	fit := func(i int) bool { return a.d.Class(r, first+i) == topology.Global && (r != than || first+i != no) }
	if x > 0 {
		i, ok := alike(v, a.d.H(), fit)
		return r, first + i, ok
	}
	if a.d.H() == 0 {
		return r, 0, false
	}
	i := v.Intn(a.d.H())
	return r, first + i, fit(i)
}

// Spread implements Bulk. A packet that has to take a global port may have to take
// any of its router, if that is not its minimal one.
func (a *gate) Spread(by topology.Class, r int, p Packet, yield func(Packet)) {
	if p.Pending&mustLeave == 0 {
		a.sequence.Spread(by, r, p, yield)
		return
	}
	for i := range a.d.H() {
		if p.Via = int32(a.globalPort(i)); a.d.Class(r, int(p.Via)) != topology.Global {
			continue
		}
		done := false
		a.behind(r, p, func(q Packet) {
			exit, port := a.d.Exit(a.d.Group(r), a.d.Group(a.home(q.Dst)), int(p.Link))
			if !done && (exit != r || port != int(p.Via)) {
				done = true
				yield(q)
			}
		})
	}
}

// Arrives implements Bulk.
func (a *gate) Arrives(by topology.Class, r int, p *Packet) {
	a.sequence.Arrives(by, r, p)
	p.Via = none // see Spread
}
