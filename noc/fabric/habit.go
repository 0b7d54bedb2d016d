package fabric

import (
	"fmt"

	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// fogsimSetup is what testParameters.txt of FOGSim 2021 sets beside the routers, by
// routing. PB and OLM are set to their better choices there, PER_VC with a
// coefficient of 100 and RRG: as they come pb and olm lose to Valiant under ADV+1.
var fogsimSetup = map[string]any{
	"val_group": routing.ValiantSpec{Exclude: routing.ExcludeSource, VCMap: "ladder"},
	"ugal_l":    routing.UGALSpec{Via: "group", Exclude: routing.ExcludeSource, Hops: "absolute", Queue: "vc", Phantom: "keep", VCMap: "ladder"},
	"pb":        routing.PiggybackSpec{Exclude: routing.ExcludeSource, Hops: "absolute", Queue: "vc", Coefficient: 100, GlobalThreshold: 24},
	"par":       routing.DivertSpec{Global: "mm", Local: true, Queue: "port", Percent: 50, Coefficient: 150, Threshold: 40},
}

// fogsimTraffic is how FOGSim drives and measures a network: packets of 8 flits,
// terminals that stop while their buffer is full, and what comes between cycles
// 5,000 and 10,000.
var fogsimTraffic = network.Custom{Name: "FOGSim", Packet: 8, Queue: "none", Sample: 5000, Warmup: 1, Samples: 2, Count: "arrived"}

// adopt completes a configuration of routers of FOGSim to FOGSim's own set-up, if
// it names a dragonfly by its size alone: what it leaves out about arrangement,
// routing and traffic is then FOGSim's. It tells what it has set.
func (s *Spec) adopt() (note string, err error) {
	d, ok := s.Topology.Spec.(topology.DragonflySpec)
	if s.Router.Model != "fogsim" || !ok || !s.Topology.Unsaid("arrangement") {
		return "", nil
	}
	d.Arrangement = topology.Palmtree
	if err := s.Topology.Change(d); err != nil {
		return "", err
	}
	note = "palm_tree arrangement"
	if def, ok := fogsimSetup[s.Routing.Name]; ok {
		if err := s.Routing.Default(def); err != nil {
			return "", err
		}
		note += fmt.Sprintf(", constants of routing %s", s.Routing.Name)
	}
	s.custom = &fogsimTraffic
	return note, nil
}
