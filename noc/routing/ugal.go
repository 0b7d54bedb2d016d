package routing

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

// UGALSpec configures ugal_l and ugal_g. A packet that leaves its group draws
// one intermediate place and goes minimally iff
//
//	Hmin * Qmin <= Hnon * Qnon + threshold
type UGALSpec struct {
	Via       string    `yaml:"via"`       // router or group: where the first leg of a non-minimal path ends
	Exclude   Exclusion `yaml:"exclude"`   // groups that are not drawn: none, source or both
	Hops      string    `yaml:"hops"`      // constant: Hmin is 1 and Hnon 2; actual: the channels of each path
	Queue     string    `yaml:"queue"`     // port or vc: flits of a port in all classes, or of the class that the path would use
	Threshold int       `yaml:"threshold"` // flits; a larger one favours the minimal path
	VCMap     string    `yaml:"vc_map"`    // safe, or booksim: two classes fewer apart, with a cycle
}

func init() {
	add := func(name, doc, source string, def UGALSpec, global bool) {
		All.Add(registry.Entry[Factory]{Name: name, Doc: doc, Source: source, Spec: def, New: func(t topology.Topology, spec any) (Algorithm, error) {
			d, ok := t.(topology.Dragonfly)
			if !ok {
				return nil, &TopologyError{name, "dragonfly"}
			}
			s, err := specOf(name, spec, def)
			if err != nil {
				return nil, err
			}
			return newUGAL(name, d, s, def, global)
		}})
	}
	add("ugal_l", "UGAL with local knowledge: at the source router, minimal or Valiant by the queues of the two ports there.",
		"Kim, Dally, Scott, Abts, ISCA 2008, section 4.2; constants of BookSim 2.0, networks/dragonfly.cpp",
		UGALSpec{Via: "router", Exclude: ExcludeNone, Hops: "constant", Queue: "port", Threshold: 30, VCMap: "safe"}, false)
	add("ugal_g", "UGAL with ideal global knowledge: at the source router, minimal or Valiant by the queues of the two global ports of the source group.",
		"Kim, Dally, Scott, Abts, ISCA 2008, section 4.2",
		UGALSpec{Via: "group", Exclude: ExcludeBoth, Hops: "actual", Queue: "port", VCMap: "safe"}, true)
}

type ugal struct {
	legs
	exclude   Exclusion
	actual    bool // hop counts
	vc        bool // queue of the class
	global    bool // queue of the global port
	threshold int
}

func newUGAL(name string, d topology.Dragonfly, s, def UGALSpec, global bool) (Algorithm, error) {
	var bad []string
	if s.Via == "" {
		s.Via = def.Via
	}
	if s.Exclude == "" {
		s.Exclude = def.Exclude
	}
	if s.Hops == "" {
		s.Hops = def.Hops
	}
	oneOf(&bad, "via", &s.Via, "router", "group")
	oneOf(&bad, "exclude", &s.Exclude, ExcludeNone, ExcludeSource, ExcludeBoth)
	oneOf(&bad, "hops", &s.Hops, "constant", "actual")
	oneOf(&bad, "queue", &s.Queue, "port", "vc")
	oneOf(&bad, "vc_map", &s.VCMap, "safe", "booksim")
	if global && s.Queue == "vc" {
		bad = append(bad, "queue vc (the queues of other routers are known by port only)")
	}
	if s.VCMap == "booksim" && s.Via == "group" {
		bad = append(bad, "vc_map booksim (goes with via router)")
	}
	if bad != nil {
		return nil, fmt.Errorf("routing algorithm %s: %s", name, strings.Join(bad, "; "))
	}
	class := routerMap
	switch {
	case s.Via == "group":
		class = groupMap
	case s.VCMap == "booksim":
		class = booksimMap
	}
	return &ugal{newLegs(d, class, s.Via == "router"), s.Exclude, s.Hops == "actual", s.Queue == "vc", global, s.Threshold}, nil
}

// Next implements Algorithm.
func (a *ugal) Next(v View, p *Packet) Hop {
	if p.Hops == 0 {
		if !p.Again && a.start(v, p) {
			a.draw(v, p, a.exclude)
		}
		if p.Phase == toDst && p.Via != none && !a.minimal(v, p) {
			p.Phase = toVia
		}
	}
	return a.next(v, p)
}

// minimal decides between the minimal path and the one through Via.
func (a *ugal) minimal(v View, p *Packet) bool {
	r, home, via := v.Router(), a.home(p.Dst), int(p.Via)
	hmin, hnon := 1, 2
	if a.actual {
		hmin = a.hops(r, home, p)
		if a.router {
			hnon = a.hops(r, via, p) + a.hops(via, home, p)
		} else {
			exit, port := a.d.Exit(a.d.Group(r), a.d.Group(via), int(p.Link))
			entry, _, _ := a.d.Peer(exit, port)
			hnon = a.hops(r, entry, p) + a.hops(entry, home, p)
		}
	}
	return hmin*a.queue(v, r, home, p, toDst) <= hnon*a.queue(v, r, via, p, toVia)+a.threshold
}

// queue is what stands before the first port, or the global port, of the way
// from router r to another group.
func (a *ugal) queue(v View, r, to int, p *Packet, phase uint8) int {
	if a.global {
		exit, port := a.d.Exit(a.d.Group(r), a.d.Group(to), int(p.Link))
		return v.Remote(exit, port)
	}
	port, global := a.toward(r, to, p)
	if !a.vc {
		return v.Queue(port)
	}
	if global && phase == toDst {
		phase = lastGroup
	}
	return v.QueueClass(port, int(a.class[phase]))
}
