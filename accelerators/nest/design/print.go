package design

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/nest"
)

// PrintMapping writes a mapping in Causeway's form; ReadMapping takes it back.
func PrintMapping(d *nest.Description, m *nest.Mapping) []byte {
	var b bytes.Buffer
	b.WriteString("mapping:\n")
	for l := range m.Levels {
		p := &m.Levels[l]
		fmt.Fprintf(&b, "  - level: %s\n", quoted(d.Arch.Levels[l].Name))
		var x, y []nest.Loop
		for _, loop := range p.Spatial {
			if loop.Axis == nest.SpaceX {
				x = append(x, loop)
			} else {
				y = append(y, loop)
			}
		}
		printLoops(&b, d, "loops", p.Temporal)
		printLoops(&b, d, "x", x)
		printLoops(&b, d, "y", y)
		fmt.Fprintf(&b, "    keep: [%s]\n", tensorList(d, p.Keep))
	}
	return b.Bytes()
}

// printLoops prints the loops that turn, outermost first.
func printLoops(b *bytes.Buffer, d *nest.Description, key string, loops []nest.Loop) {
	var out []string
	for i := len(loops) - 1; i >= 0; i-- {
		if x := loops[i]; x.Factor > 1 {
			out = append(out, quoted(fmt.Sprintf("%s %d", d.Problem.Dims[x.Dim].Name, x.Factor)))
		}
	}
	if len(out) > 0 {
		fmt.Fprintf(b, "    %s: [%s]\n", key, strings.Join(out, ", "))
	}
}

func tensorList(d *nest.Description, m nest.Mask) string {
	var out []string
	for t := range d.Problem.Tensors {
		if m.Has(t) {
			out = append(out, quoted(d.Problem.Tensors[t].Name))
		}
	}
	return strings.Join(out, ", ")
}

// quoted is a name as YAML takes it for text inside a list, whatever it looks like.
func quoted(name string) string {
	if name == "" || strings.ContainsFunc(name, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != ' '
	}) || name[0] < 'A' || strings.EqualFold(name, "true") || strings.EqualFold(name, "false") || strings.EqualFold(name, "null") {
		return fmt.Sprintf("%q", name)
	}
	return name
}
