package evaluation

import (
	"fmt"
	"os"
	"strings"

	"github.com/causeway-sim/causeway/components/cost"
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/stats"
)

func init() {
	Sections.Add(registry.Entry[Reader]{Name: "cost", Doc: "What the chips of the system cost, in dollars and carbon, and the carbon of a run.", Source: "Gupta et al., ACT, ISCA 2022; Hennessy and Patterson, 5th edition, section 1.6", Spec: cost.Spec{}, New: readCost})
}

// costs is the section cost.
type costs struct {
	cost.Spec
	nodes     map[*cost.Chip][]string // on its die
	intensity *cost.Intensity         // nil without a grid
}

func readCost(in Input) (Evaluator, error) {
	c := &costs{nodes: map[*cost.Chip][]string{}}
	if err := in.At.Decode(&c.Spec); err != nil {
		return nil, err
	}
	if err := c.Check(in.At); err != nil {
		return nil, err
	}
	taken := map[string]string{}
	for i, v := range in.At.Get("chips").Items() {
		chip := &c.Chips[i]
		if len(nodesNamed(chip.Name, in.Nodes)) > 0 {
			return nil, v.Get("name").Errorf(nil, "%s is the name of a node, whose metrics it would share (want another name)", chip.Name)
		}
		found, err := named(v.Get("nodes"), in.Nodes, chip.Name, taken)
		if err != nil {
			return nil, err
		}
		c.nodes[chip] = found
	}
	if c.Grid == nil {
		return c, nil
	}
	if c.intensity = cost.Constant(0); c.Grid.Intensity != nil {
		c.intensity = cost.Constant(*c.Grid.Intensity)
		return c, nil
	}
	v := in.At.Get("grid").Get("file")
	path, err := in.Doc.ResolveFile(v)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, v.Errorf(nil, "cannot read: %v", err)
	}
	defer func() { _ = f.Close() }()
	if c.intensity, err = cost.ReadIntensity(v.Text(), f); err != nil {
		return nil, v.Errorf(nil, "%v", err)
	}
	return c, nil
}

// area is that of a chip's die, in mm2.
func (c *costs) area(r *Run) func(chip *cost.Chip) (float64, error) {
	return func(chip *cost.Chip) (mm2 float64, err error) {
		if chip.Area > 0 {
			return float64(chip.Area), nil
		}
		var unknown []string
		for _, n := range c.nodes[chip] {
			v, ok := r.Value(n, "area")
			if !ok {
				unknown = append(unknown, n)
			}
			mm2 += v
		}
		if unknown != nil {
			return 0, fmt.Errorf("no area of %s is known, since none is published for its parts (want area: that of the die)", strings.Join(unknown, ", "))
		}
		return mm2 / chip.Fill, nil
	}
}

// Evaluate implements Evaluator.
func (c *costs) Evaluate(r *Run) (f Found, err error) {
	bill, err := c.Bill(c.area(r))
	if err != nil {
		return f, err
	}
	f.Assumptions = bill.Assumptions()
	add := func(where, name string, unit stats.Unit, v float64, text string) {
		f.Metrics = append(f.Metrics, stats.Metric{Phase: "all", Where: where, Name: name, Unit: unit, Value: v, Text: text})
	}
	for i := range bill {
		b := &bill[i]
		name := b.Chip.Name
		add(name, "die_area", stats.MM2, b.Area, "Area of the die.")
		add(name, "dies_per_wafer", stats.One, b.Dies, "Whole dies on a wafer.")
		add(name, "die_yield", stats.One, b.Yield, "Share of the dies that work.")
		add(name, "cost", stats.USD, b.Price(), "Cost of one such chip: die, memory, and package with assembly and test.")
		add(name, "cost_die", stats.USD, b.Die, "Cost of a die that works.")
		add(name, "cost_package", stats.USD, b.Package, "Cost of package, assembly and test.")
		add(name, "carbon_embodied", stats.Gram, b.Carbon(), "Carbon of making one such chip.")
		add(name, "carbon_die", stats.Gram, b.SiliconCarbon, "Carbon of making a die that works.")
		if b.Chip.HBM != nil {
			add(name, "cost_memory", stats.USD, b.Memory, "Cost of the memory in the package.")
			add(name, "carbon_memory", stats.Gram, b.MemoryCarbon, "Carbon of making the memory in the package.")
		}
	}
	add("", "cost", stats.USD, bill.Price(), "Cost of all chips of section cost.")
	add("", "carbon_embodied", stats.Gram, bill.Carbon(), "Carbon of making all chips of section cost.")
	share, shares := c.Share(r.Time / 1e9)
	if c.Grid == nil {
		if shares {
			add("", "carbon", stats.Gram, share*bill.Carbon(), "Carbon of the run: its electricity, and its share of the embodied carbon by time.")
		}
		return f, nil
	}
	pj, ok := r.Value("", "energy")
	if !ok {
		f.Warnings = append(f.Warnings, "carbon_operational is missing: no node has an energy model")
		return f, nil
	}
	run := c.Grid.Operational(c.intensity, pj/1e12, r.Time/1e9)
	add("", "carbon_operational", stats.Gram, run, "Carbon of the electricity of the run.")
	if shares {
		add("", "carbon", stats.Gram, run+share*bill.Carbon(), "Carbon of the run: its electricity, and its share of the embodied carbon by time.")
	}
	if n, _ := r.Value("", "energy_without_model"); n > 0 {
		f.Warnings = append(f.Warnings, fmt.Sprintf("carbon_operational leaves out %g nodes without an energy model", n))
	}
	return f, nil
}

// Declared implements Evaluator.
func (c *costs) Declared(r *Run) []stats.Metric {
	f, err := c.Evaluate(r)
	if err != nil {
		return nil // the run says why
	}
	return f.Metrics
}
