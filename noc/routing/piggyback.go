package routing

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

// PiggybackSpec configures pb: UGAL's rule, and in addition a packet does not go minimally if its
// global channel is congested. A global port is congested iff
//
//	Q > coefficient/100 * mean of Q over its global ports + global_threshold
type PiggybackSpec struct {
	Exclude         Exclusion `yaml:"exclude" doc:"Groups that are not drawn: none, source or both (source and destination)"`
	Hops            string    `yaml:"hops" doc:"constant, actual or absolute, as of ugal_l"`
	Queue           string    `yaml:"queue" doc:"port: flits per class of a port; vc: of the class that a first global hop takes"`
	Threshold       int       `yaml:"threshold" doc:"Flits that favour the minimal path, negative ones the other, of UGAL's rule; where a virtual channel holds fewer, their share of 256"`
	Coefficient     int       `yaml:"coefficient" doc:"Percent of the mean queue of a router's global ports; one with more is congested"`
	GlobalThreshold int       `yaml:"global_threshold" doc:"Flits that are added to that; where a virtual channel holds fewer, their share of 256"`
}

func init() {
	def := PiggybackSpec{Exclude: ExcludeSource, Hops: "actual", Queue: "vc", Coefficient: 100, GlobalThreshold: 24}
	All.Add(registry.Entry[Factory]{
		Name:   "pb",
		Doc:    "Piggyback: UGAL with local knowledge, and routers of a group tell each other which of their global channels are congested; a packet avoids such a one.",
		Source: "Jiang, Kim, Dally, ISCA 2009, section 4.2; rule and constants of FOGSim 2021, routing/pb.cc and switchModule::updatePb",
		Spec:   def,
		New: func(t topology.Topology, spec any) (Algorithm, error) {
			d, ok := t.(topology.Dragonfly)
			if !ok {
				return nil, &TopologyError{Algorithm: "pb", Want: "dragonfly"}
			}
			s, err := specOf("pb", spec, def)
			if err != nil {
				return nil, err
			}
			base := UGALSpec{Via: "group", Exclude: def.Exclude, Hops: def.Hops, Queue: def.Queue, Phantom: "keep", VCMap: "ladder"}
			u, bad := newUGAL(d, UGALSpec{Exclude: s.Exclude, Hops: s.Hops, Queue: s.Queue, Threshold: s.Threshold}, base, false)
			if s.Coefficient < 0 || s.Coefficient > 1<<16 {
				bad = append(bad, fmt.Sprintf("coefficient is %d (want 0 to %d)", s.Coefficient, 1<<16))
			}
			if s.GlobalThreshold < 0 || s.GlobalThreshold > 1<<16 {
				bad = append(bad, fmt.Sprintf("global_threshold is %d (want 0 to %d)", s.GlobalThreshold, 1<<16))
			}
			if bad != nil {
				return nil, fmt.Errorf("routing algorithm pb: %s", strings.Join(bad, "; "))
			}
			return &piggyback{u, s.Coefficient, s.GlobalThreshold}, nil
		},
	})
}

type piggyback struct {
	ugal
	coefficient, limit int
}

// Next implements Algorithm. A packet that waits at its source may decide again.
func (a *piggyback) Next(v View, p *Packet) Hop {
	if a.fresh(v, p) && p.Phase <= toDst && p.Via != none {
		p.Phase = toDst
		exit, port := a.d.Exit(a.d.Group(v.Router()), a.d.Group(a.home(p.Dst)), int(p.Link))
		if v.Notice(exit, port) || !a.minimal(v, p) {
			p.Phase = toVia
		}
	}
	return a.next(v, p)
}

// Congested implements Notifier.
func (a *piggyback) Congested(v View, port int) bool {
	q := func(port int) int {
		if a.vc {
			return v.QueueClass(port, 0)
		}
		return v.Queue(port) / a.lad.kinds[1]
	}
	sum := 0
	first := a.d.P() + a.d.A() - 1
	for i := range a.d.H() {
		sum += q(first + i)
	}
	return q(port)*100*a.d.H() > a.coefficient*sum+within(v, topology.Global, a.limit)*100*a.d.H()
}
