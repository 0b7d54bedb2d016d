package std

import (
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/gpu"
	"github.com/causeway-sim/causeway/accelerators/lanes"
	"github.com/causeway-sim/causeway/accelerators/profile"
	"github.com/causeway-sim/causeway/accelerators/roofline"
	"github.com/causeway-sim/causeway/accelerators/spatial"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/memory/arbiter"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/curve"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/memlink"
	"github.com/causeway-sim/causeway/memory/peers/tsim4cxl"
	"github.com/causeway-sim/causeway/memory/scratchpad"
	"github.com/causeway-sim/causeway/memory/tiering"
	"github.com/causeway-sim/causeway/noc/flit"
	"github.com/causeway-sim/causeway/noc/flow"
	"github.com/causeway-sim/causeway/noc/packet"
	"github.com/causeway-sim/causeway/workloads/player"
	"github.com/causeway-sim/causeway/workloads/player/cpu"
	"github.com/causeway-sim/causeway/workloads/player/hosts"
	"github.com/causeway-sim/causeway/workloads/player/nic"
	"github.com/causeway-sim/causeway/workloads/player/schedule"
	"github.com/causeway-sim/causeway/workloads/player/serve"
	"github.com/causeway-sim/causeway/workloads/player/steps"
	"github.com/causeway-sim/causeway/workloads/player/traffic"
	"github.com/causeway-sim/causeway/workloads/service"
)

// Every builder of a node makes one of its name from the defaults, or says which keys it needs.
func TestBuilders(t *testing.T) {
	e := engine.New()
	needs := map[string]string{
		"player": "open : no such file or directory", "cpu": "open : no such file or directory", "profile": "open : no such file or directory",
		"spatial": "has neither levels nor an input_file (see configs/examples/nest.yaml and timeloop.yaml)",
	}
	for kind, made := range map[string]error{
		"gpu":              build(e, gpu.MakeBuilder()),
		"lanes":            build(e, lanes.MakeBuilder()),
		"profile":          build(e, profile.MakeBuilder()),
		"roofline":         build(e, roofline.MakeBuilder()),
		"spatial":          build(e, spatial.MakeBuilder()),
		"arbiter":          build(e, arbiter.MakeBuilder()),
		"cache":            build(e, cache.MakeBuilder()),
		"curve":            build(e, curve.MakeBuilder()),
		"dram":             build(e, dram.MakeBuilder()),
		"memlink":          build(e, memlink.MakeBuilder()),
		"tsim4cxl":         build(e, tsim4cxl.MakeBuilder()),
		"scratchpad":       build(e, scratchpad.MakeBuilder()),
		"tiering":          build(e, tiering.MakeBuilder()),
		"fabric":           build(e, flit.MakeBuilder()),
		"flow":             build(e, flow.MakeBuilder()),
		"packet":           build(e, packet.MakeBuilder()),
		"player":           build(e, player.MakeBuilder()),
		"cpu":              build(e, cpu.MakeBuilder()),
		"hosts":            build(e, hosts.MakeBuilder(nil)),
		"nic":              build(e, nic.MakeBuilder()),
		"schedule":         build(e, schedule.MakeBuilder()),
		"serve":            build(e, serve.MakeBuilder()),
		"steps":            build(e, steps.MakeBuilder(&service.Program{})),
		"traffic":          build(e, traffic.MakeBuilder()),
		"functional cache": build(e, cache.MakeFunctionalBuilder()),
	} {
		if want, ok := needs[kind]; ok {
			require.EqualError(t, made, "system: Node: "+want, kind)
		} else {
			require.NoError(t, made, kind)
		}
	}
}

// build makes a node; the error is what Build panics with.
func build[S any, N sim.Component](e sim.Engine, b system.Builder[S, N]) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	n := b.WithEngine(e).WithSeed(7).Build("Node")
	if n.Name() != "Node" {
		return fmt.Errorf("it is called %q", n.Name())
	}
	return nil
}
