package standard

import (
	"fmt"
	"slices"
)

// Missing lists constraints that every DRAM has (needed, in commands.yaml) and the grade has not.
func (g *Grade) Missing() (out []string) {
	for _, w := range common().needed {
		prev, next := w.Prev[0], w.Next[0]
		if !slices.ContainsFunc(g.Constraints, func(c Constraint) bool {
			return c.Level <= w.Level && c.Window == w.Window && slices.Contains(c.Prev, prev) && slices.Contains(c.Next, next)
		}) {
			out = append(out, fmt.Sprintf("no constraint of %s between %s and %s, window %d", g.Level(w.Level), prev, next, w.Window))
		}
	}
	return out
}
