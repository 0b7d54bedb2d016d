package cost

import (
	"errors"
	"fmt"

	"github.com/causeway-sim/causeway/configs"
)

// An Item is what one kind of chip costs. Prices and carbon are those of one chip.
type Item struct {
	Chip           *Chip
	Area           float64 // mm2
	Dies           float64 // on a wafer
	Yield          float64
	Die            float64 // USD
	Memory         float64 // USD
	Package        float64 // USD
	SiliconCarbon  float64 // g
	MemoryCarbon   float64 // g
	PackageCarbon  float64 // g
	PackageAssumed bool
}

// Price is that of one chip, in US dollars.
func (i *Item) Price() float64 { return i.Die + i.Memory + i.Package }

// Carbon is that of one chip, in grams.
func (i *Item) Carbon() float64 { return i.SiliconCarbon + i.MemoryCarbon + i.PackageCarbon }

// A Bill lists what the chips of a system cost.
type Bill []Item

// Price is that of all chips, in US dollars.
func (b Bill) Price() (usd float64) {
	for i := range b {
		usd += b[i].Price() * float64(b[i].Chip.number())
	}
	return usd
}

// Carbon is that of all chips, in grams.
func (b Bill) Carbon() (g float64) {
	for i := range b {
		g += b[i].Carbon() * float64(b[i].Chip.number())
	}
	return g
}

// number of such chips.
func (c *Chip) number() int { return max(c.Count, 1) }

// Bill returns an Item for each chip. area returns the area of a chip's die in mm2. The errors of all chips
// are joined: those of area, and of dies that do not fit on the wafer.
func (s *Spec) Bill(area func(c *Chip) (mm2 float64, err error)) (Bill, error) {
	var out Bill
	var errs []error
	for i := range s.Chips {
		c := &s.Chips[i]
		mm2, err := area(c)
		if err == nil {
			var item Item
			item, err = c.item(mm2)
			out = append(out, item)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("cost.chips.%s: %w", c.Name, err))
		}
	}
	return out, errors.Join(errs...)
}

// item is what a chip with a die of that area costs.
func (c *Chip) item(mm2 float64) (i Item, err error) {
	i = Item{Chip: c, Area: mm2, Yield: c.Yield.New()(mm2)}
	p := c.Process.figures()
	if i.Dies, err = diesPerWafer(mm2, c.diameter(), float64(c.Ring)); err != nil {
		return i, err
	}
	i.Die = or(c.Wafer, p.wafer) / (i.Dies * i.Yield)
	i.SiliconCarbon = mm2 / 100 * p.carbon(or(c.Fab.Intensity, fabIntensity), or(c.Fab.Abatement, fabAbatement)) / i.Yield
	if m := c.HBM; m != nil {
		gigabytes := float64(m.Stacks) * float64(m.Capacity) / 1e9
		i.Memory, i.MemoryCarbon = gigabytes*or(m.Price, dramPrice), gigabytes*or(m.Carbon, dramCarbon)
	}
	i.Package, i.PackageAssumed = or(c.Package.Price, packageShare*i.Die), c.Package.Price == nil
	i.PackageCarbon = or(c.Package.Carbon, packageCarbon)
	return i, nil
}

func (c *Chip) diameter() float64 {
	if c.Diameter != nil {
		return float64(*c.Diameter)
	}
	return waferDiameter
}

// Check returns the errors of the section v, each with its place: a chip's name that is there twice, an area
// that is missing, given twice or larger than the wafer, a process whose wafers have no published price,
// a grid given twice, and keys without effect.
func (s *Spec) Check(v configs.Value) error {
	var errs configs.Errors
	seen := map[string]bool{}
	for i, at := range v.Get("chips").Items() {
		if i < len(s.Chips) {
			errs.Add(s.Chips[i].check(at, seen))
		}
	}
	if s.Utilization != nil && s.Years == nil {
		errs.Add(v.Get("utilization").Errorf(nil, "has no effect without years"))
	}
	if s.Grid != nil {
		errs.Add(s.Grid.check(v.Get("grid")))
	}
	return errs.Err()
}

func (c *Chip) check(v configs.Value, seen map[string]bool) error {
	var errs configs.Errors
	if seen[c.Name] {
		errs.Add(v.Get("name").Errorf(nil, "a chip %s stands above (want another name, or count)", c.Name))
	}
	seen[c.Name] = true
	switch {
	case c.Area > 0 && len(c.Nodes) > 0:
		errs.Add(v.Get("area").Errorf(nil, "is given by nodes as well (want one of: area, nodes)"))
	case c.Area <= 0 && len(c.Nodes) == 0:
		errs.Add(v.Errorf(nil, "lacks the area of its die (want area: 814mm2, or nodes: [Core] and fill: 0.5)"))
	case len(c.Nodes) > 0 && !v.Get("fill").Exists():
		errs.Add(v.Get("nodes").Errorf(nil, "needs fill: the share of the die that the areas of these nodes make (above 0, at most 1)"))
	case len(c.Nodes) == 0 && v.Get("fill").Exists():
		errs.Add(v.Get("fill").Errorf(nil, "has no effect without nodes: area is that of the whole die"))
	}
	p := c.Process.figures()
	if c.Wafer == nil && p.wafer == 0 {
		errs.Add(v.Get("process").Errorf(nil, "no price of a wafer of %s is published (want wafer: its price in US dollars)", c.Process))
	}
	if c.Wafer == nil && p.wafer > 0 && c.diameter() != waferDiameter {
		errs.Add(v.Get("diameter").Errorf(nil, "published prices are those of wafers of 300mm (want wafer: its price in US dollars)"))
	}
	if c.Area > 0 {
		if _, err := diesPerWafer(float64(c.Area), c.diameter(), float64(c.Ring)); err != nil {
			errs.Add(v.Get("area").Errorf(nil, "%v", err))
		}
	}
	return errs.Err()
}

func (g *Grid) check(v configs.Value) error {
	switch {
	case g.Intensity != nil && g.File != "":
		return v.Get("file").Errorf(nil, "intensity is given as well (want one of: intensity, file)")
	case g.Intensity == nil && g.File == "":
		return v.Errorf(nil, "has no intensity (want intensity: 400, or file: a CSV with columns hour and g_per_kwh)")
	case g.File == "" && v.Get("start").Exists():
		return v.Get("start").Errorf(nil, "has no effect: intensity is the same at all hours (want file)")
	case g.File == "" && v.Get("hours").Exists():
		return v.Get("hours").Errorf(nil, "has no effect: intensity is the same at all hours (want file)")
	}
	return nil
}

// Assumptions are sentences on figures that no source gives.
func (b Bill) Assumptions() (out []string) {
	for i := range b {
		c := b[i].Chip
		p := c.Process.figures()
		if c.Wafer == nil {
			of := p.name
			if p.waferIsAnother != "" {
				of = p.waferIsAnother
			}
			out = append(out, fmt.Sprintf("Cost of %s: a wafer costs %g USD (%s; an estimate for 2020, Khan and Mann, CSET).", c.Name, p.wafer, of))
		}
		if c.HBM != nil && c.HBM.Price == nil {
			out = append(out, fmt.Sprintf("Cost of %s: memory costs %g USD for 10^9 bytes (assumed).", c.Name, dramPrice))
		}
		if b[i].PackageAssumed {
			out = append(out, fmt.Sprintf("Cost of %s: package, assembly and test cost a third of the die (assumed).", c.Name))
		}
	}
	return out
}
