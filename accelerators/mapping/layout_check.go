package mapping

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/mapping/layout"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// LeftInRows says which tensors of g do not lie as the pattern * of the section says.
func (s *Spec) LeftInRows(g *graph.Graph, cores []machine.Core) []string {
	_, left, _ := s.Layout.Arrange(g, s.block(cores))
	return left
}

// block is the side of the blocks of tiled tensors.
func (s *Spec) block(cores []machine.Core) int64 {
	if s.Block > 0 {
		return s.Block
	}
	return longest(cores)
}

func longest(cores []machine.Core) (n int64) {
	for i := range cores {
		n = max(n, int64(cores[i].Array.Rows), int64(cores[i].Array.Cols))
	}
	return n
}

// checkLayout reports names that are no layout.
func (s *Spec) checkLayout() (errs []error) {
	for _, p := range slices.Sorted(maps.Keys(s.Layout)) {
		if x := string(s.Layout[p]); !slices.Contains(layout.Names, x) {
			near := ""
			if n := configs.Nearest(x, layout.Names); n != "" {
				near = fmt.Sprintf("; did you mean %q?", n)
			}
			errs = append(errs, fmt.Errorf("mapping.layout: unknown layout %q of %s (want one of: %s%s)", x, p, strings.Join(layout.Names, ", "), near))
		}
	}
	return errs
}
