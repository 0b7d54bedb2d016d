package spatial

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
)

func (c *Comp) newStats() *stats.Group {
	g := stats.NewGroup(c.Name())
	value := func(name string, unit stats.Unit, text string, f func() float64) {
		g.Value(name, unit, text, func() (float64, bool) {
			if !c.done {
				return 0, false
			}
			return f(), true
		})
	}
	r := &c.result
	value("cycles", stats.Cycle, "Cycles of the slowest level.", func() float64 { return r.Cycles })
	value("total_cycles", stats.Cycle, "Cycles from the start of the run to the end of the nest.", func() float64 { return r.Cycles })
	value("compute_cycles", stats.Cycle, "Cycles of compute with no memory in the way.", func() float64 { return r.Steps })
	value("stall_memory_cycles", stats.Cycle, "Cycles beyond those of compute: the slowest level still moves words.", func() float64 { return max(0, r.Cycles-r.Steps) })
	value("macs", stats.One, "Multiply-accumulates done: those of a sparse machine that are neither gated nor skipped.", func() float64 { return r.Computes })
	value("algorithmic_macs", stats.One, "Multiply-accumulates of the problem.", func() float64 { return r.MACs })
	value("utilization", stats.Percent, "Share of the cycles of all compute units in which they do one.", func() float64 { return 100 * c.nest.Utilization(r) })
	g.Value("energy", stats.PJ, "Energy of accesses, compute and leakage.", func() (float64, bool) { return r.Energy, c.done && c.in.Energies })
	g.Value("compute_energy", stats.PJ, "Energy of compute.", func() (float64, bool) { return r.ComputeEnergy, c.done && c.in.Energies })
	g.Value("wire_energy", stats.PJ, "Energy of wires between levels; absent where no fan-out gives their length.", func() (float64, bool) {
		sum := 0.0
		for l := range r.Levels {
			sum += r.Levels[l].Wires
		}
		return sum, sum > 0
	})
	if c.in.Areas {
		units := c.in.Arch.Compute.Area * float64(c.in.Arch.Compute.Mesh.Count()) / 1e6
		value("area", stats.MM2, "Area of all instances.", func() float64 { return c.in.Arch.Area() / 1e6 })
		value("area_array", stats.MM2, "Area of the units of compute.", func() float64 { return units })
		value("area_sram", stats.MM2, "Area of the storage levels.", func() float64 { return c.in.Arch.Area()/1e6 - units })
	}
	g.Value("search_evaluations", stats.One, "Mappings that the search evaluated.", func() (float64, bool) {
		return float64(c.report.Evaluated), c.report.Evaluated > 0
	})
	g.Value("search_pruned", stats.One, "Mappings that the search drew and that did not fit.", func() (float64, bool) {
		return float64(c.report.Pruned), c.report.Evaluated > 0
	})
	g.Value("search_gradients", stats.One, "Values of the relaxed cost with derivatives that the search took (gradient).", func() (float64, bool) {
		return float64(c.report.Passes.Gradients), c.report.Passes.Gradients > 0
	})
	g.Value("search_relaxed", stats.One, "Values of the relaxed cost without derivatives that the search took (gradient).", func() (float64, bool) {
		return float64(c.report.Passes.Values), c.report.Passes.Gradients > 0
	})
	g.Check("points of the nest are conserved", func() error {
		if c.done && c.in.Sparse == nil && r.Steps*r.ComputeInstances < r.MACs {
			return fmt.Errorf("%g cycles of %g units for %g points", r.Steps, r.ComputeInstances, r.MACs)
		}
		return nil
	})
	return g
}

// Levels implements system.Leveled: a row per level and tensor kept there, innermost
// level first as Timeloop prints them.
func (c *Comp) Levels() *stats.Table {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "level", Text: "Storage level."},
		{Name: "tensor", Text: "Tensor that it keeps."},
		{Name: "instances", Unit: stats.One, Text: "Instances in use."},
		{Name: "capacity", Unit: stats.One, Text: "Words that an instance needs for the tensor."},
		{Name: "reads", Unit: stats.One, Text: "Words read, per instance."},
		{Name: "fills", Unit: stats.One, Text: "Words that came from the level outside, per instance."},
		{Name: "updates", Unit: stats.One, Text: "Words that came from inside, per instance."},
		{Name: "temporal_reductions", Unit: stats.One, Text: "Partial sums added to one that was there, per instance."},
		{Name: "energy_pj", Unit: stats.PJ, Text: "Energy of accesses, per instance; empty without a table of energies."},
	}}
	if !c.done {
		return t
	}
	for l := len(c.in.Arch.Levels) - 1; l >= 0; l-- {
		for k := range c.in.Problem.Tensors {
			x := c.result.Of(l, k)
			if !x.Kept {
				continue
			}
			var energy any
			if c.in.Energies {
				energy = x.EnergyEach
			}
			t.Append(c.in.Arch.Levels[l].Name, c.in.Problem.Tensors[k].Name, x.Instances, x.Capacity,
				x.Actual.Reads, x.Actual.Fills, x.Actual.Updates, x.Reductions, energy)
		}
	}
	return t
}
