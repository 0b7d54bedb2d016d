// Package std brings in every built-in node kind by importing it, the one list
// of them, and the reader of configurations. Import it where configurations are run:
//
//	import _ "github.com/causeway-sim/causeway/components/std"
package std

import (
	_ "github.com/causeway-sim/causeway/accelerators/gpu"
	_ "github.com/causeway-sim/causeway/accelerators/lanes"
	_ "github.com/causeway-sim/causeway/accelerators/nearmem"
	_ "github.com/causeway-sim/causeway/accelerators/profile"
	_ "github.com/causeway-sim/causeway/accelerators/roofline"
	_ "github.com/causeway-sim/causeway/accelerators/spatial"
	_ "github.com/causeway-sim/causeway/accelerators/systolic"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	_ "github.com/causeway-sim/causeway/memory/arbiter"
	_ "github.com/causeway-sim/causeway/memory/cache"
	_ "github.com/causeway-sim/causeway/memory/curve"
	_ "github.com/causeway-sim/causeway/memory/cxl"
	_ "github.com/causeway-sim/causeway/memory/dram"
	_ "github.com/causeway-sim/causeway/memory/ideal"
	_ "github.com/causeway-sim/causeway/memory/memlink"
	_ "github.com/causeway-sim/causeway/memory/peers/tsim4cxl"
	_ "github.com/causeway-sim/causeway/memory/scratchpad"
	_ "github.com/causeway-sim/causeway/memory/tiering"
	_ "github.com/causeway-sim/causeway/noc/fabric"
	_ "github.com/causeway-sim/causeway/noc/flow"
	_ "github.com/causeway-sim/causeway/noc/packet"
	_ "github.com/causeway-sim/causeway/workloads/player"
	_ "github.com/causeway-sim/causeway/workloads/player/cpu"
	_ "github.com/causeway-sim/causeway/workloads/player/hosts"
	_ "github.com/causeway-sim/causeway/workloads/player/nic"
	_ "github.com/causeway-sim/causeway/workloads/player/ranks"
	_ "github.com/causeway-sim/causeway/workloads/player/schedule"
	_ "github.com/causeway-sim/causeway/workloads/player/serve"
	_ "github.com/causeway-sim/causeway/workloads/player/steps"
	_ "github.com/causeway-sim/causeway/workloads/player/traffic"
)
