package routing

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

// DivertSpec configures par, olm and rlm. A packet may be diverted at a router where its minimal
// port is not ready and, if that port is global, carries more than coefficient percent of the
// mean of the router's global ports plus threshold flits per virtual channel. It is diverted to a
// port that is ready and at most percent as full as the minimal one.
type DivertSpec struct {
	Global      string `yaml:"global" doc:"Whose global channels a packet is diverted to: crg, of its own router; nrg, of another router; rrg, of any, equally often; mm, crg at the source router and nrg after a local hop"`
	Local       bool   `yaml:"local" doc:"Divert over local channels outside of the first group, too"`
	Queue       string `yaml:"queue" doc:"Fullness of a port: port, over all its classes; vc, of the class that would be used"`
	Percent     int    `yaml:"percent" doc:"Percent of the fullness of the minimal port that a port may have at most to be diverted to"`
	Coefficient int    `yaml:"coefficient" doc:"Percent of the mean queue of the global ports of the router; a minimal global port with more is left"`
	Threshold   int    `yaml:"threshold" doc:"Flits per virtual channel that are added to that; where one holds fewer, their share of 256"`
}

// How a packet leaves its first group. crg: by a global channel of its own
// router. nrg: of another router. rrg: of any, equally often. mm: crg at the
// source router, nrg after a local hop.
const (
	ownGlobal       = "crg"
	neighbourGlobal = "nrg"
	anyGlobal       = "rrg"
	mixedGlobal     = "mm"
)

func init() {
	src := "García et al., ICPP 2013, sections III and IV; constants and rules of FOGSim 2021, routing/"
	addDivert("par", "Progressive adaptive: minimal, until the way is blocked at the source router or behind the first local hop; then by another global channel, and minimally on.",
		"Jiang, Kim, Dally, ISCA 2009, section 4.3; "+src+"par.cc",
		DivertSpec{Global: mixedGlobal, Local: true, Queue: "port", Percent: 50, Coefficient: 150, Threshold: 40},
		func(s divert) Algorithm { s.lad = newLadder("llgllgl"); return &par{s} })
	addDivert("olm", "Opportunistic local misrouting: as par, and around a local channel of every group by a class that was used before, if there is room at once.",
		src+"olm.cc",
		DivertSpec{Global: anyGlobal, Local: true, Queue: "vc", Percent: 50, Coefficient: 150, Threshold: 40},
		func(s divert) Algorithm {
			s.lad = newLadder("lglgl")
			s.once, s.again = true, true
			return &olm{par{s}}
		})
	addDivert("rlm", "Restricted local misrouting: as par, and two local hops of one class in every group, whose directions and parities exclude a cycle.",
		src+"rlm.cc",
		DivertSpec{Global: mixedGlobal, Local: true, Queue: "port", Percent: 50, Coefficient: 150, Threshold: 40},
		func(s divert) Algorithm { s.lad = newLadder("lglgl"); s.parity = true; return &par{s} })
}

func addDivert(name, doc, source string, def DivertSpec, make func(divert) Algorithm) {
	All.Add(registry.Entry[Factory]{Name: name, Doc: doc, Source: source, Spec: def, New: func(t topology.Topology, spec any) (Algorithm, error) {
		d, ok := t.(topology.Dragonfly)
		if !ok {
			return nil, &TopologyError{Algorithm: name, Want: "dragonfly"}
		}
		s, err := specOf(name, spec, def)
		if err != nil {
			return nil, err
		}
		var bad []string
		oneOf(&bad, "global", &s.Global, def.Global, ownGlobal, mixedGlobal, neighbourGlobal, anyGlobal)
		oneOf(&bad, "queue", &s.Queue, def.Queue, "port", "vc")
		for _, x := range []struct {
			key string
			v   int
		}{{"percent", s.Percent}, {"coefficient", s.Coefficient}, {"threshold", s.Threshold}} {
			if x.v < 0 || x.v > 1<<16 {
				bad = append(bad, fmt.Sprintf("%s is %d (want 0 to %d)", x.key, x.v, 1<<16))
			}
		}
		if bad != nil {
			return nil, fmt.Errorf("routing algorithm %s: %s", name, strings.Join(bad, "; "))
		}
		return make(divert{sequence: sequence{d: d}, DivertSpec: s}), nil
	}})
}

// divert is what par, olm and rlm have in common.
type divert struct {
	sequence
	DivertSpec
	once   bool // look at one candidate, not at all of them
	again  bool // a second local hop in a group uses the class of the first, optionally
	parity bool // it uses that class, by pairs that are free of cycles
}

type par struct{ divert }

// olm is par with optional hops.
type olm struct{ par }

// Opportunistic implements OpportunisticAlgorithm.
func (*olm) Opportunistic() {}

// Next implements Algorithm.
func (a *par) Next(v View, p *Packet) Hop {
	if p.Hops == 0 && !p.Again {
		p.Link, p.Pending, p.Via = 0, 0, none
		if m := a.d.Links(); m > 1 {
			p.Link = int16(v.Intn(m))
		}
	}
	a.arrive(p)
	r := v.Router()
	port, global, home := a.minimalPort(r, p)
	switch {
	case home:
		return Hop{Port: port, Class: AnyClass}
	case p.Phase&mustLeave != 0:
		return a.leave(v, p)
	}
	if a.wants(v, p, port, global) {
		if hop, ok := a.instead(v, p, port, global); ok {
			return hop
		}
	}
	return a.minimal(r, p, port, global)
}

// minimal is the hop of the minimal way.
func (a *par) minimal(r int, p *Packet, port int, global bool) Hop {
	if !global && a.parity {
		return a.step(r, p, port, 0)
	}
	return a.take(p, port, global, 0)
}

// classOf is the class that the minimal hop would use.
func (a *divert) classOf(p *Packet, global bool) int {
	if !global && p.Phase&stepped != 0 {
		class, _ := a.lad.below(p.Phase & foothold)
		return class
	}
	class, _ := a.lad.climb(p.Phase&foothold, global)
	return class
}

// wants reports whether the minimal way is blocked.
func (a *par) wants(v View, p *Packet, port int, global bool) bool {
	class := a.classOf(p, global)
	return candidate(v, func() bool {
		return !v.Ready(port, class) && (!global || a.congested(v, port, class))
	})
}

// congested compares a global port with the mean of all of this router.
func (a *divert) congested(v View, port, class int) bool {
	queue := func(port int) int {
		if a.Queue == "vc" {
			return v.QueueClass(port, class)
		}
		return v.Queue(port) / a.lad.kinds[1]
	}
	sum := 0
	for i := range a.d.H() {
		sum += queue(a.globalPort(i))
	}
	return queue(port)*100*a.d.H() > a.Coefficient*sum+within(v, topology.Global, a.Threshold)*100*a.d.H()
}
