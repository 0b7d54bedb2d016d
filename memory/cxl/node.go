package cxl

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// portBuffer is how many requests wait at a port; all are taken at once.
const portBuffer = 1024

// protocol of fused ports.
const protocol = "cxl"

// face is what root, switch and device share: they are seen as nodes, the fabric
// does the work.
type face struct {
	*sim.ComponentBase
	engine sim.Engine
	seed   uint64
	fabric *fabric
	number uint16 // among the fabric's nodes with ports
	stats  *stats.Group
	ends   []*engine.Port // fused ports, for links only
	wires  []wire

	assumptions []string
	losses      []planned
}

func newFace(name string, env *system.Env) face {
	return face{ComponentBase: sim.NewComponentBase(name), engine: env.Engine, seed: env.Seed, stats: stats.NewGroup(name)}
}

// fused makes an array of ports for links that are no wires.
func (f *face) fused(c sim.Component, name string, n int) []sim.Port {
	var out []sim.Port
	for i := range n {
		p := engine.NewPort(c, fmt.Sprintf("%s.%s[%d]", f.Name(), name, i), 1)
		f.ends = append(f.ends, p)
		out = append(out, p)
	}
	return out
}

// counted brings what switches count up to date.
func (f *face) counted(float64) {
	if f.fabric != nil {
		f.fabric.Count()
	}
}

// Stats implements system.Node.
func (f *face) Stats() *stats.Group { return f.stats }

// Assumptions implements system.Assumer.
func (f *face) Assumptions() []string { return f.assumptions }

// NotifyRecv implements sim.Component.
func (f *face) NotifyRecv(now sim.VTimeInSec, _ sim.Port) {
	f.fabric.received.Add(f.number)
	f.fabric.wakeAfter(now)
}

// NotifyPortFree implements sim.Component.
func (f *face) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { f.fabric.wakeAfter(now) }

// Handle implements sim.Handler; the fabric has the events.
func (f *face) Handle(sim.Event) error { panic("cxl: an event of a part") }

// Fuse implements system.Part.
func (f *face) Fuse(x *system.Fusion) error { return fuse(x) }

// index is the number of a port: "down[3]" is 3, "up" is 0.
func index(port string) int {
	_, text, some := strings.Cut(strings.TrimSuffix(port, "]"), "[")
	if !some {
		return 0
	}
	n, _ := strconv.Atoi(text)
	return n
}

// item is the i-th of a list, for messages; parts made without a configuration have
// none.
func item(v configs.Value, key string, i int) configs.Value {
	if list := v.Get(key).Items(); i < len(list) {
		return list[i]
	}
	return v.Get(key)
}
