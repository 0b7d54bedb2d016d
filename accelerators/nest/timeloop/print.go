package timeloop

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/nest"
)

// Print writes a mapping in Timeloop's form; Read takes it back.
func (in *Input) Print(m *nest.Mapping) []byte {
	var b bytes.Buffer
	b.WriteString("mapping:\n")
	for l := len(m.Levels) - 1; l >= 0; l-- {
		p := &m.Levels[l]
		name := in.Arch.Levels[l].Name
		fmt.Fprintf(&b, "  - target: %s\n    type: datatype\n    keep: [%s]\n    bypass: [%s]\n", name,
			in.tensorList(p.Keep), in.tensorList(^p.Keep))
		if fan := in.Arch.Fanout(l); fan.Count() > 1 {
			var x, y []nest.Loop
			for _, loop := range p.Spatial {
				if loop.Axis == nest.SpaceX && loop.Factor > 1 {
					x = append(x, loop)
				} else if loop.Factor > 1 {
					y = append(y, loop)
				}
			}
			in.printLoops(&b, name, "spatial", append(x, y...))
			fmt.Fprintf(&b, "    split: %d\n", len(x))
		}
		var t []nest.Loop
		for _, loop := range p.Temporal {
			if loop.Factor > 1 || l == len(m.Levels)-1 {
				t = append(t, loop)
			}
		}
		in.printLoops(&b, name, "temporal", t)
	}
	return b.Bytes()
}

// printLoops prints the loops that turn, in their order, then those that do not.
func (in *Input) printLoops(b *bytes.Buffer, level, kind string, loops []nest.Loop) {
	var factors, order []string
	seen := map[int]bool{}
	for _, x := range loops {
		if seen[x.Dim] {
			continue
		}
		seen[x.Dim] = true
		order = append(order, in.Problem.Dims[x.Dim].Name)
		factors = append(factors, fmt.Sprintf("%s=%d", in.Problem.Dims[x.Dim].Name, x.Factor))
	}
	for d := range in.Problem.Dims {
		if !seen[d] {
			order = append(order, in.Problem.Dims[d].Name)
			factors = append(factors, in.Problem.Dims[d].Name+"=1")
		}
	}
	fmt.Fprintf(b, "  - target: %s\n    type: %s\n    factors: [%s]\n    permutation: [%s]\n", level, kind,
		strings.Join(factors, ", "), strings.Join(order, ", "))
}

func (in *Input) tensorList(m nest.Mask) string {
	var out []string
	for t := range in.Problem.Tensors {
		if m.Has(t) {
			out = append(out, in.Problem.Tensors[t].Name)
		}
	}
	return strings.Join(out, ", ")
}
