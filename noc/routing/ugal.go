package routing

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

// UGALSpec configures the algorithms that decide at the source router. A packet
// that leaves its group draws one intermediate place and goes minimally iff
//
//	Hmin * Qmin <= Hnon * Qnon + threshold
//
// A threshold above the depth of a virtual channel is scaled to it.
type UGALSpec struct {
	Via       string    `yaml:"via" doc:"Where the first leg of a non-minimal path ends: router or group"`
	Exclude   Exclusion `yaml:"exclude" doc:"Groups that are not drawn: none, source or both (source and destination)"`
	Hops      string    `yaml:"hops" doc:"constant: Hmin is 1 and Hnon 2; actual: the channels of each path; absolute: as FOGSim counts them"`
	Queue     string    `yaml:"queue" doc:"port: flits of a port in all classes; vc: of the class that the path would use"`
	Phantom   string    `yaml:"phantom" doc:"Flits and credits that are on the channel: keep them in the queue, or drop them"`
	Threshold int       `yaml:"threshold" doc:"Flits that favour the minimal path, negative ones the other; where a virtual channel holds fewer, their share of 256"`
	VCMap     string    `yaml:"vc_map" doc:"safe; ladder: minimal paths share the first classes with others; or booksim: with a cycle"`
}

func init() {
	addUGAL("ugal_l", "UGAL with local knowledge: at the source router, minimal or Valiant by the queues of the two ports there.",
		"Kim, Dally, Scott, Abts, ISCA 2008, section 4.2; constants of BookSim 2.0, networks/dragonfly.cpp; phantom: Won, Kim, Kim, Jiang, Lakshmanamurthy, HPCA 2015",
		UGALSpec{Via: "router", Exclude: ExcludeNone, Hops: "constant", Queue: "port", Phantom: "keep", Threshold: 30, VCMap: "safe"},
		func(u ugal) Algorithm { return &u })
	addUGAL("ugal_g", "UGAL with ideal global knowledge: at the source router, minimal or Valiant by the queues of the two global ports of the source group.",
		"Kim, Dally, Scott, Abts, ISCA 2008, section 4.2",
		UGALSpec{Via: "group", Exclude: ExcludeBoth, Hops: "actual", Queue: "port", Phantom: "keep", VCMap: "safe"},
		func(u ugal) Algorithm { u.global = true; return &u })
	addUGAL("ugal_le", "UGAL that compares estimates of latency: that of the channels of each path, and at each of them a wait as at the first: the queue behind that port, without what is on the channel, over the rate at which it sends.",
		"reconstruction of the comparator of the same name in the PIAR study, CLUSTER 2025",
		UGALSpec{Via: "router", Exclude: ExcludeBoth, Hops: "actual", Queue: "port", Phantom: "drop", VCMap: "ladder"},
		func(u ugal) Algorithm { u.estimate = true; return &u })
}

// addUGAL registers an algorithm that decides as UGAL does, with a difference.
func addUGAL(name, doc, source string, def UGALSpec, differ func(ugal) Algorithm) {
	All.Add(registry.Entry[Factory]{Name: name, Doc: doc, Source: source, Spec: def, New: func(t topology.Topology, spec any) (Algorithm, error) {
		d, ok := t.(topology.Dragonfly)
		if !ok {
			return nil, &TopologyError{Algorithm: name, Want: "dragonfly"}
		}
		s, err := specOf(name, spec, def)
		if err != nil {
			return nil, err
		}
		u, bad := newUGAL(d, s, def, name == "ugal_g")
		if bad != nil {
			return nil, fmt.Errorf("routing algorithm %s: %s", name, strings.Join(bad, "; "))
		}
		return differ(u), nil
	}})
}

type ugal struct {
	legs
	exclude   Exclusion
	actual    bool // hop counts
	absolute  bool // hop counts of FOGSim
	vc        bool // queue of the class
	drop      bool // phantom congestion
	global    bool // queue of the global port
	estimate  bool // of latencies
	threshold int
}

func newUGAL(d topology.Dragonfly, s, def UGALSpec, global bool) (ugal, []string) {
	var bad []string
	oneOf(&bad, "via", &s.Via, def.Via, "router", "group")
	oneOf(&bad, "exclude", &s.Exclude, def.Exclude, ExcludeNone, ExcludeSource, ExcludeBoth)
	oneOf(&bad, "hops", &s.Hops, def.Hops, "constant", "actual", "absolute")
	oneOf(&bad, "queue", &s.Queue, def.Queue, "port", "vc")
	oneOf(&bad, "phantom", &s.Phantom, def.Phantom, "keep", "drop")
	oneOf(&bad, "vc_map", &s.VCMap, def.VCMap, "safe", "ladder", "booksim")
	if global && s.Queue == "vc" {
		bad = append(bad, "queue vc (the queues of other routers are known by port only)")
	}
	if global && s.Phantom == "drop" {
		bad = append(bad, "phantom drop (what is on the channels of other routers is not known)")
	}
	if s.Phantom == "drop" && s.Queue == "vc" {
		bad = append(bad, "phantom drop (what is on the channel is known by port only)")
	}
	if s.VCMap == "booksim" && s.Via == "group" {
		bad = append(bad, "vc_map booksim (goes with via router)")
	}
	class := routerMap
	switch {
	case s.Via == "group":
		class = groupMap
	case s.VCMap == "booksim":
		class = booksimMap
	}
	u := ugal{
		legs: newLegs(d, class, s.Via == "router"), exclude: s.Exclude, actual: s.Hops != "constant", absolute: s.Hops == "absolute",
		vc: s.Queue == "vc", drop: s.Phantom == "drop", global: global, threshold: s.Threshold,
	}
	if s.VCMap == "ladder" {
		u.climb(ladderVia(s.Via == "router"))
	}
	return u, bad
}

// ViewUse implements ViewUser.
func (a *ugal) ViewUse() (flying, rate bool) { return a.drop, a.estimate }

// Next implements Algorithm.
func (a *ugal) Next(v View, p *Packet) Hop {
	if a.fresh(v, p) && p.Phase == toDst && p.Via != none && !a.minimal(v, p) {
		p.Phase = toVia
	}
	return a.next(v, p)
}

// fresh draws for a new packet, and reports whether it is at its source.
func (a *ugal) fresh(v View, p *Packet) bool {
	if p.Hops != 0 {
		return false
	}
	if !p.Again && a.start(v, p) && a.draw(v, p, a.exclude) && a.absolute && !a.router {
		p.Via += int32(v.Intn(a.d.A())) // its place counts
	}
	return true
}

// minimal decides between the minimal path and the one through Via.
func (a *ugal) minimal(v View, p *Packet) bool {
	r, home, via := v.Router(), a.home(p.Dst), int(p.Via)
	qmin, qnon := a.queue(v, r, home, p, toDst), a.queue(v, r, via, p, toVia)
	hmin, hnon := a.lengths(r, home, via, p)
	_, global := a.toward(r, home, p)
	threshold := within(v, classOf(global || a.global), a.threshold)
	if a.estimate {
		mport, _ := a.toward(r, home, p)
		nport, _ := a.toward(r, via, p)
		qmin, qnon = wait(v, mport, qmin), wait(v, nport, qnon)
		l, g := v.Latency(topology.Local), v.Latency(topology.Global)
		// assumption: a packet waits at every channel of its path as at the first.
		return (hmin-1)*l+g+hmin*qmin <= (hnon-2)*l+2*g+hnon*qnon+threshold
	}
	return hmin*qmin <= hnon*qnon+threshold
}

// queue returns the queue of the first port, or of the global port, of the path from router r to
// another group.
func (a *ugal) queue(v View, r, to int, p *Packet, phase uint8) int {
	if a.global {
		exit, port := a.d.Exit(a.d.Group(r), a.d.Group(to), int(p.Link))
		return v.Remote(exit, port)
	}
	port, global := a.toward(r, to, p)
	switch {
	case a.vc && a.lad != nil:
		return v.QueueClass(port, int(a.lad.class[kind(global)][0]))
	case a.vc:
		if global && phase == toDst {
			phase = lastGroup
		}
		return v.QueueClass(port, int(a.class[phase]))
	case a.drop:
		return v.Queue(port) - v.Flying(port)
	}
	return v.Queue(port)
}

// wait is how long the queue of a port takes to drain, by Little's law.
func wait(v View, port, queue int) int {
	if queue <= 0 {
		return 0
	}
	if rate := v.Rate(port); rate > 0 {
		return queue * RateWindow / rate
	}
	return queue
}

// Onward implements SourceRouted.
func (a *ugal) Onward(router int, p *Packet) (port, class int) { return a.onward(router, p) }
