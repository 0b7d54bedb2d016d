package gpu

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/power"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// PowerSpec picks the figures of accelerators/gpu/power; an energy given replaces that of the process.
type PowerSpec struct {
	Process string      `yaml:"process" jsonschema:"enum=none,enum=3n,enum=4n,enum=5n,enum=6n,enum=7n,enum=8n,description=Process whose energies per event are taken; none: the node has no energy model"`
	DRAM    string      `yaml:"dram" jsonschema:"enum=none,enum=hbm2,enum=hbm2e,enum=hbm3,enum=hbm3e,enum=gddr6,enum=lpddr4,description=Kind of the node's own memory whose published energy per byte is taken (fidelity analytic: a memory below the port owns its energy)"`
	PHY     string      `yaml:"link" jsonschema:"enum=none,enum=nvlink4,enum=pcie5,description=Physical layer of the links to other chips whose published energy per bit is taken"`
	Idle    units.Power `yaml:"idle" jsonschema:"description=Power of the chip at rest: leakage and memory and links and board"`
	Active  units.Power `yaml:"active" jsonschema:"description=Power beside that while a kernel runs at the full clock: clock trees and all that is awake"`

	MAC        map[string]units.Energy `yaml:"mac" jsonschema:"description=Energy of a multiply-accumulate of the matrix units; by element type; those left out take that of the process"`
	Vector     *units.Energy           `yaml:"vector,omitempty" doc:"Energy of an operation of the vector units, in place of the process's"`
	SharedByte *units.Energy           `yaml:"shared_byte,omitempty" doc:"Energy of a byte that comes to an SM, written to shared memory and read, in place of the process's"`
	L2Byte     *units.Energy           `yaml:"l2_byte,omitempty" doc:"Energy of a byte between the L2 and an SM, in place of the process's"`
	MemoryByte *units.Energy           `yaml:"memory_byte,omitempty" doc:"Energy of a byte of the node's own memory, in place of that of its kind"`
	LinkByte   *units.Energy           `yaml:"link_byte,omitempty" doc:"Energy of a byte that leaves over links, in place of that of the physical layer"`
	Issue      *units.Energy           `yaml:"issue,omitempty" doc:"Energy of a cycle of an SM that works, in place of the process's"`
}

// check reports types of elements that there are not, and figures without a process.
func (s *PowerSpec) check(v configs.Value, errs *configs.Errors) {
	for _, name := range slices.Sorted(maps.Keys(s.MAC)) {
		if !slices.Contains(graph.DTypeNames(), name) {
			errs.Add(v.Place("mac").UnknownKey(name, graph.DTypeNames()))
		}
	}
	if s.process() != power.None {
		return
	}
	for _, key := range []string{"dram", "link", "idle", "active", "mac", "vector", "shared_byte", "l2_byte", "memory_byte", "link_byte", "issue"} {
		if x := v.Get(key); x.Exists() && (inSameFile(x, v.Get("process")) || !v.Get("process").Exists() || overridden(x)) {
			errs.Add(x.Errorf(nil, "has no effect with process: none: the node has no energy model (used by: %s)", strings.Join(power.Processes(), ", ")))
		}
	}
}

func (s *PowerSpec) process() string {
	if s.Process == "" {
		return power.None
	}
	return s.Process
}

// watts is the chip for energies; own says that it counts those of its memory.
func (s *Spec) watts(own bool) power.Chip {
	p := &s.Power
	f, _ := power.FiguresOf(p.process())
	for d, e := range p.MAC {
		f.MAC[d] = pico(e)
	}
	dram := energy.Memory{DRAM: p.DRAM, Byte: p.MemoryByte}
	if f.Memory, _, _ = dram.PerByte(); !own {
		f.Memory = 0
	}
	link := energy.Link{PHY: p.PHY}
	bit, _, _ := link.PerBit()
	f.Link = 8 * bit
	for at, e := range map[*float64]*units.Energy{&f.Vector: p.Vector, &f.Shared: p.SharedByte, &f.L2: p.L2Byte, &f.Link: p.LinkByte, &f.Issue: p.Issue} {
		if e != nil {
			*at = pico(*e)
		}
	}
	return power.Chip{Figures: f, Idle: float64(p.Idle), Active: float64(p.Active), SMs: s.SMs, Clock: 1e9 / s.Clock.Nanoseconds(1), Limit: float64(s.PowerLimit)}
}

func pico(e units.Energy) float64 { return float64(e) * 1e12 }

// priced reports whether the node has an energy model.
func (c *record) priced() bool { return c.spec.Power.process() != power.None }

// spent counts what a kernel over elements of a type does.
func (c *record) spent(l *layer, cost *kernel.Cost, d graph.DType) {
	near, far := moved(cost)
	l.near, l.far = uint64(near), uint64(far)
	if !c.priced() {
		return
	}
	l.share, l.free = cost.Share, cost.Free
	l.dynamic = c.dynamic(d, float64(l.macs-l.skipped), float64(l.vector), cost)
}

// moved is the bytes of a kernel between the L2 and the SMs, and between memory and the L2.
func moved(cost *kernel.Cost) (near, far float64) {
	all := cost.Bytes + cost.Late
	if near = cost.Near; near == 0 {
		near = all
	}
	return near, max(all-cost.Kept, 0)
}

// dynamic is the energy of what a kernel over elements of a type does, at the full voltage.
func (c *record) dynamic(d graph.DType, macs, vector float64, cost *kernel.Cost) power.Parts {
	near, far := moved(cost)
	busy := cost.Busy
	if busy == 0 {
		busy = cost.Compute
	}
	x := power.Counts{Vector: vector, Near: near, Far: far, Link: cost.Sent, Busy: busy}
	if as, ok := c.spec.widened(d); ok {
		d = as
	}
	if c.spec.matrix(d) > 0 {
		x.MACs, x.Type = macs, d.String()
	} else {
		x.Vector += macs
	}
	return c.chip.Dynamic(x)
}

// checkLoad reports continuous load of a chip without a limit, and a limit in place of that of the chip's
// description, which no clock keeps with load: burst or without energies.
func (s *Spec) checkLoad(v configs.Value, errs *configs.Errors) {
	if (s.Load == continuous || s.Load == steady) && (s.PowerLimit == 0 || s.Power.process() == power.None) {
		errs.Add(v.Place("load").Errorf(nil, "%s needs power_limit and power.process", s.Load))
	}
	s.checkLimit(v, errs)
	x := v.Get("power_limit")
	switch given := x.Exists() && !describes(x, v); {
	case !given || s.Load == continuous || s.Load == steady:
	case s.Load == burst:
		errs.Add(x.Errorf(nil, "sets no clock with load: burst (used by: auto, continuous, steady; a chip's own limit stands where its sms, clock and memory do)"))
	case s.Power.process() == power.None:
		errs.Add(x.Errorf(nil, "sets no clock without power.process: what the chip takes is not known (want one of: %s)", strings.Join(power.Processes(), ", ")))
	}
}

// checkLimit reports limits that the chip cannot keep, and one of sustained that has no effect.
func (s *Spec) checkLimit(v configs.Value, errs *configs.Errors) {
	if s.Power.process() == power.None {
		if x := v.Get("sustained_limit"); inSameFile(x, v.Get("power").Get("process")) || x.Exists() && !v.Get("power").Get("process").Exists() || overridden(x) {
			errs.Add(x.Errorf(nil, "has no effect with power.process: none: what products take is not known (used by: %s)", strings.Join(power.Processes(), ", ")))
		}
		return
	}
	chip := s.watts(true)
	least := units.Power(math.Ceil(chip.Least()))
	switch {
	case s.PowerLimit > 0 && s.Power.Idle >= s.PowerLimit:
		errs.Add(v.Place("power").Place("idle").Errorf(nil, "power.idle is %s (want less than power_limit, %s)", s.Power.Idle, s.PowerLimit))
	case s.PowerLimit > 0 && s.PowerLimit < least:
		errs.Add(v.Place("power_limit").Errorf(nil, "power_limit is %s (want %s or more: the chip is held at %g of it, and takes %s at rest and %s more as soon as a kernel runs)", s.PowerLimit, least, power.Held, s.Power.Idle, s.Power.Active))
	case s.SustainedLimit > 0 && !chip.Explains(s.Sustained, float64(s.SustainedLimit)):
		errs.Add(v.Place("sustained_limit").Errorf(nil, "sustained_limit is %s (want %s or more: it has to leave power for products)", s.SustainedLimit, least))
	}
}

// describes reports whether a limit stands where the chip is described, as in a preset: in the file of
// most of what makes the chip. What is set from outside is no description.
func describes(limit, v configs.Value) bool {
	if overridden(limit) || !inSameFile(limit, v.Get("power").Get("process")) {
		return false
	}
	with, apart := 0, 0
	for _, key := range []string{"sms", "clock", "tensor", "memory"} {
		switch x := v.Get(key); {
		case !x.Exists() || overridden(x):
		case inSameFile(limit, x):
			with++
		default:
			apart++
		}
	}
	return with >= apart
}

// charge makes the energy of an operator that of its cycles.
func (c *record) charge(l *layer) {
	if !c.priced() || l.cycles == 0 {
		return
	}
	seconds := c.clock.Nanoseconds(l.cycles) * 1e-9
	l.energy, l.share = c.energyOf(l.dynamic, seconds, l.share, l.free)
}

// energyOf is the energy of a kernel in so many seconds at a share of the full clock, which is 0 where the time is that
// of a burst or of a profile, and its mean clock.
func (c *record) energyOf(dynamic power.Parts, seconds, share float64, free kernel.Free) (power.Parts, float64) {
	switch {
	case share == 0:
		return c.chip.Measured(dynamic, seconds, c.spec.Sustained)
	case free.Part == 0:
		return c.chip.At(dynamic, seconds, share), share
	}
	quick, clock := c.chip.Measured(dynamic, seconds*free.Quick, c.spec.Sustained)
	p := c.chip.At(dynamic, seconds*free.Slow, share)
	for i := range p {
		p[i] = free.Part*quick[i] + (1-free.Part)*p[i]
	}
	return p, free.Part*free.Quick*clock + (1-free.Part)*free.Slow*share
}

// Energy implements inorder.Priced.
func (l layer) Energy() float64 { return l.energy.Total() }

// Clock implements inorder.Clocked.
func (l layer) Clock() float64 { return l.share }

// watts is the power of an operator.
func (c *record) watts(l *layer) (float64, bool) {
	return l.energy.Total() / (c.clock.Nanoseconds(l.cycles) * 1e3), l.cycles > 0 && c.priced()
}

func (c *record) energyCells(l *layer) []any {
	out := []any{l.near, nil, nil}
	if w, ok := c.watts(l); ok {
		out[1], out[2] = w, math.Round(1e4*l.share)/100
	}
	for _, pj := range l.energy {
		out = append(out, pj)
	}
	return out
}

// energyAssumption says what energies are.
func (c *record) energyAssumption() string {
	return fmt.Sprintf("GPUs of a %s process: energy per event is fitted (%s); SRAM, memory and links have published figures, and other processes scale (see go doc accelerators/gpu/power)", c.spec.Power.Process, power.Fitted)
}
