package timeloop

import (
	"github.com/causeway-sim/causeway/configs"
)

// nodes reads the form with containers and components.
func (r *reader) nodes(v configs.Value, c *components) {
	r.errs.Add(v.Errorf([]string{"subtree"}, "nodes are not read: give the resolved form"))
}
