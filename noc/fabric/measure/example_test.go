package measure_test

import (
	"context"
	"fmt"

	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/fabric/measure"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
	"github.com/causeway-sim/causeway/noc/traffic"
)

func ExampleRun() {
	d, _ := topology.NewDragonfly(topology.DragonflySpec{P: 2, A: 4, H: 2})
	alg, _ := routing.New("min", d, nil)
	pattern, _ := traffic.New("uniform", d, 1)
	net, _ := fabric.New(setting.BookSim(d, alg))
	r, _ := measure.Run(context.Background(), net, measure.Load{Pattern: pattern, Rate: .1, Seed: 1}, measure.BookSimRules())
	fmt.Printf("latency %.0f cycles, accepted %.1f, saturated %v\n", r.Latency, r.Accepted, r.Saturated)
	// Output: latency 113 cycles, accepted 0.1, saturated false
}
