// Package fogsim has the settings of FOGSim 2021, for comparison with its runs: constants of its
// routings, and its traffic and measurement. Its router is left out: it is queueing input_output
// of noc/fabric with the values of noc/fabric/setting (FOGSim). Adopt applies the settings to a network. Times
// are cycles.
//
// # Source
//
// FOGSim 2021, testParameters.txt.
package fogsim

import (
	"fmt"

	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Routings are the constants by routing. PB and OLM have FOGSim's better choices, PER_VC with a
// coefficient of 100 and RRG, since with its defaults they lose to Valiant under ADV+1.
var Routings = map[string]any{
	"val_group": routing.ValiantSpec{Exclude: routing.ExcludeSource, VCMap: "ladder"},
	"ugal_l":    routing.UGALSpec{Via: "group", Exclude: routing.ExcludeSource, Hops: "absolute", Queue: "vc", Phantom: "keep", VCMap: "ladder"},
	"pb":        routing.PiggybackSpec{Exclude: routing.ExcludeSource, Hops: "absolute", Queue: "vc", Coefficient: 100, GlobalThreshold: 24},
	"par":       routing.DivertSpec{Global: "mm", Local: true, Queue: "port", Percent: 50, Coefficient: 150, Threshold: 40},
}

// Traffic is FOGSim's traffic and measurement: packets of 8 flits, terminals that stop while
// their buffer is full, and arrivals between cycles 5,000 and 10,000.
var Traffic = network.PeerTraffic{Name: "FOGSim", Packet: 8, Queue: "none", Sample: 5000, Warmup: 1, Samples: 2, Count: "arrived"}

// Adopt sets arrangement and routing parameters that s leaves out to FOGSim's, if s is a
// dragonfly without an arrangement. note lists what was set. If it is "", nothing was, and the
// network's traffic is not Traffic. The error is an impossible topology or routing.
func Adopt(s *network.Spec) (note string, err error) {
	d, ok := s.Topology.Spec.(topology.DragonflySpec)
	if !ok || !s.Topology.Unsaid("arrangement") {
		return "", nil
	}
	d.Arrangement = topology.Palmtree
	if err := s.Topology.Change(d); err != nil {
		return "", err
	}
	note = "palm_tree arrangement"
	if def, ok := Routings[s.Routing.Name]; ok {
		if err := s.Routing.Default(def); err != nil {
			return "", err
		}
		note += fmt.Sprintf(", constants of routing %s", s.Routing.Name)
	}
	return note, nil
}
