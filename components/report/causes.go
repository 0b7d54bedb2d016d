package report

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/cause"
)

// A terminal shows so many nodes, and of each so many causes of a percent or more.
const (
	causeNodes = 6
	causeParts = 4
)

// causeLines are the first nodes of a tree of causes, a line each.
func causeLines(t *cause.Tree) (out []string) {
	if t == nil {
		return nil
	}
	for _, n := range t.Parts[:min(len(t.Parts), causeNodes)] {
		var parts []string
		for _, p := range n.Parts {
			if p.Share >= 0.01 && (len(parts) < causeParts || p.Name == cause.Idle) {
				parts = append(parts, fmt.Sprintf("%s %.1f %%", words(p), 100*p.Share))
			}
		}
		if len(parts) > 0 {
			out = append(out, " "+n.Name+": "+strings.Join(parts, ", "))
		}
	}
	return out
}

// words is the name of a cause as people read it.
func words(p *cause.Tree) string { return strings.ReplaceAll(p.Name, "_", " ") }
