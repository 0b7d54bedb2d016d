package timeloop

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/nest"
)

// Print writes a mapping in Timeloop's form; Read takes it back. The form has one loop
// of a dimension at a level: two that lie right inside each other are printed as one,
// others are an error.
func Print(in *nest.Description, m *nest.Mapping) ([]byte, error) {
	p := printer{Description: in}
	p.b.WriteString("mapping:\n")
	for l := len(m.Levels) - 1; l >= 0; l-- {
		p.level(l, &m.Levels[l])
	}
	return p.b.Bytes(), p.err
}

type printer struct {
	*nest.Description
	b   bytes.Buffer
	err error
}

func (p *printer) level(l int, of *nest.Placed) {
	name := p.Arch.Levels[l].Name
	fmt.Fprintf(&p.b, "  - target: %s\n    type: datatype\n    keep: [%s]\n    bypass: [%s]\n", name,
		p.tensorList(of.Keep), p.tensorList(^of.Keep))
	if fan := p.Arch.Fanout(l); fan.Count() > 1 {
		var x, y []nest.Loop
		for _, loop := range of.Spatial {
			if loop.Axis == nest.SpaceX && loop.Factor > 1 {
				x = append(x, loop)
			} else if loop.Factor > 1 {
				y = append(y, loop)
			}
		}
		p.loops(name, "spatial", append(x, y...))
		fmt.Fprintf(&p.b, "    split: %d\n", len(x))
	}
	var t []nest.Loop
	for _, loop := range of.Temporal {
		last := len(t) - 1
		switch {
		case loop.Factor > 1 && last >= 0 && t[last].Dim == loop.Dim:
			t[last].Factor *= loop.Factor
		case loop.Factor > 1 || l == len(p.Arch.Levels)-1:
			t = append(t, loop)
		}
	}
	p.loops(name, "temporal", t)
}

// loops prints the loops that turn, in their order, then those that do not.
func (p *printer) loops(level, kind string, loops []nest.Loop) {
	var factors, order []string
	seen := map[int]bool{}
	for _, x := range loops {
		d := p.Problem.Dims[x.Dim].Name
		if seen[x.Dim] {
			if x.Factor > 1 && p.err == nil {
				p.err = fmt.Errorf("level %s has two %s loops of %s; Timeloop's form has one of a dimension at a level", level, kind, d)
			}
			continue
		}
		seen[x.Dim] = true
		order = append(order, d)
		factors = append(factors, fmt.Sprintf("%s=%d", d, x.Factor))
	}
	for d := range p.Problem.Dims {
		if !seen[d] {
			order = append(order, p.Problem.Dims[d].Name)
			factors = append(factors, p.Problem.Dims[d].Name+"=1")
		}
	}
	fmt.Fprintf(&p.b, "  - target: %s\n    type: %s\n    factors: [%s]\n    permutation: [%s]\n", level, kind,
		strings.Join(factors, ", "), strings.Join(order, ", "))
}

func (p *printer) tensorList(m nest.Mask) string {
	var out []string
	for t := range p.Problem.Tensors {
		if m.Has(t) {
			out = append(out, p.Problem.Tensors[t].Name)
		}
	}
	return strings.Join(out, ", ")
}
