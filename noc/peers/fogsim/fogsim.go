// Package fogsim is what FOGSim 2021 sets besides its routers, to be compared with its
// own runs: constants of its routings and the way it drives and measures a network. Its
// router is queueing input_output of noc/fabric, with the values of noc/fabric/setting (FOGSim).
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

// Routings are the constants by routing. PB and OLM are set to their better choices
// there, PER_VC with a coefficient of 100 and RRG: as they come pb and olm lose to
// Valiant under ADV+1.
var Routings = map[string]any{
	"val_group": routing.ValiantSpec{Exclude: routing.ExcludeSource, VCMap: "ladder"},
	"ugal_l":    routing.UGALSpec{Via: "group", Exclude: routing.ExcludeSource, Hops: "absolute", Queue: "vc", Phantom: "keep", VCMap: "ladder"},
	"pb":        routing.PiggybackSpec{Exclude: routing.ExcludeSource, Hops: "absolute", Queue: "vc", Coefficient: 100, GlobalThreshold: 24},
	"par":       routing.DivertSpec{Global: "mm", Local: true, Queue: "port", Percent: 50, Coefficient: 150, Threshold: 40},
}

// Traffic is how FOGSim drives and measures a network: packets of 8 flits, terminals
// that stop while their buffer is full, and what arrives between cycles 5,000 and
// 10,000.
var Traffic = network.Custom{Name: "FOGSim", Packet: 8, Queue: "none", Sample: 5000, Warmup: 1, Samples: 2, Count: "arrived"}

// Adopt completes a network of FOGSim's routers to FOGSim's own set-up, if it is a
// dragonfly that names no arrangement: what it leaves out about arrangement and routing
// is then FOGSim's. The note says what was set; "" is nothing, and then its traffic is
// not Traffic either.
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
