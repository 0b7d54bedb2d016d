package roofline

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// EnergySpec is the roofline of energy: so much by operation, by byte of memory, and at rest.
//
// Source: Choi, Bedard, Fowler, Vuduc, A Roofline Model of Energy, IPDPS 2013.
type EnergySpec struct {
	Process string        `yaml:"process" jsonschema:"enum=none,enum=45nm,enum=15nm,enum=7nm" doc:"Process whose published energies of arithmetic are taken, registers and control left out; none: operations take what flop says"`
	DRAM    string        `yaml:"dram" jsonschema:"enum=none,enum=hbm2,enum=hbm2e,enum=hbm3,enum=hbm3e,enum=gddr5,enum=gddr6,enum=lpddr4,enum=ddr4" doc:"Kind of the node's own memory whose published energy per byte is taken"`
	FLOP    *units.Energy `yaml:"flop,omitempty" doc:"Energy of an operation, two of which are a multiply-accumulate, in place of that of the process"`
	Byte    *units.Energy `yaml:"byte,omitempty" doc:"Energy of a byte read or written, in place of that of the kind of DRAM"`
	Idle    units.Power   `yaml:"idle" doc:"Power at rest, from the start of the run to its end"`
}

// on reports whether the node has this model.
func (e *EnergySpec) on() bool {
	return e.Process != "" && e.Process != energy.None || e.FLOP != nil || e.Byte != nil || e.Idle > 0 || e.DRAM != "" && e.DRAM != energy.None
}

func (e *EnergySpec) memory() energy.Memory { return energy.Memory{DRAM: e.DRAM, Byte: e.Byte} }

func (e *EnergySpec) check(power units.Power, v configs.Value) error {
	var errs configs.Errors
	if e.on() && power > 0 {
		errs.Add(v.Errorf(nil, "has no effect beside power: a node has one model of its energy"))
	}
	if _, _, err := e.memory().PerByte(); err != nil {
		errs.Add(v.Errorf(nil, "%s", err))
	}
	if _, err := energy.ArithmeticOf(e.process(), "int8"); err != nil {
		errs.Add(v.Errorf(nil, "%s", err))
	}
	return errs.Err()
}

// process is one with figures.
func (e *EnergySpec) process() string {
	if e.Process == "" || e.Process == energy.None {
		return energy.DefaultProcess
	}
	return e.Process
}

// of is the energy of multiply-accumulates on elements of a type, other operations and bytes, in pJ.
func (e *EnergySpec) of(d graph.DType, macs, vector, bytes uint64) (pj float64) {
	if e.FLOP != nil {
		pj = 1e12 * float64(*e.FLOP) * float64(2*macs+vector)
	} else if e.Process != "" && e.Process != energy.None {
		a, _ := energy.ArithmeticOf(e.Process, d.Element().String()) // checked
		v, _ := energy.Vector(e.Process)
		pj = a.MAC*float64(macs) + v*float64(vector)
	}
	perByte, _, _ := e.memory().PerByte()
	return pj + perByte*float64(bytes)
}

// declareEnergy adds the metrics of energy. The interface of a rank is part of the node.
func (c *Comp) declareEnergy() {
	byte, watts, nic, _ := c.spec.NIC.Energy.Figures() // checked
	if c.rank.port == nil {
		byte, watts, nic = 0, 0, false
	}
	if c.spec.Power == 0 && !c.spec.Energy.on() && !nic {
		return
	}
	c.rest.Watts = float64(c.spec.Energy.Idle) + watts
	c.rest.Declare(c.group, "Energy of the operators and the interface, and at rest.", func() float64 {
		sent := uint64(0)
		if a, ok := c.rank.player.(seat.Accountant); ok {
			sent = a.Sent(c)
		}
		return c.sum.energy + byte*float64(sent)
	})
}

// Assumptions implements system.Assumer.
func (c *Comp) Assumptions() (out []string) {
	if e := &c.spec.Energy; e.on() {
		perByte, _, _ := e.memory().PerByte()
		out = append(out, fmt.Sprintf("Energy of %s is that of operations (%.4g pJ of a multiply-accumulate in fp16), of bytes (%.4g pJ) and %s at rest; registers, caches and control are in none of them.", c.Name(), e.of(graph.FP16, 1, 0, 0), perByte, e.Idle))
	}
	if _, _, ok, _ := c.spec.NIC.Energy.Figures(); ok && c.rank.port != nil {
		out = append(out, c.spec.NIC.EnergyAssumption(c.Name()))
	}
	return out
}

// LastActivity implements system.Rester.
func (c *Comp) LastActivity() float64 { return c.Clock().Nanoseconds(*c.End()) }

// RestUntil implements system.Rester.
func (c *Comp) RestUntil(ns float64) { c.rest.Until(ns) }
