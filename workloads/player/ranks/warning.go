package ranks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/comm"
)

// Warnings implements system.Warner: a pattern that has no use for any of the algorithms that
// collectives names, as one whose only collective is another.
func (c *Comp) Warnings() []string {
	if len(c.named) == 0 || c.program == nil {
		return nil
	}
	var has []comm.Coll
	for i := range c.program.Ranks {
		p := &c.program.Ranks[i]
		for op := range p.Len() {
			switch o := p.Op(op); {
			case o.Kind != comm.Collective || slices.Contains(has, o.Coll):
			case slices.Contains(c.named, o.Coll.String()):
				return nil
			default:
				has = append(has, o.Coll)
			}
		}
	}
	goes := "it has no collectives"
	if len(has) > 0 {
		a, _ := c.spec.Collectives.Of(has[0])
		goes = fmt.Sprintf("its %s goes by %s", has[0], a.Name)
	}
	return []string{fmt.Sprintf("%s: collectives of %s have no effect on pattern %s: %s", c.Name(), strings.Join(c.named, ", "), c.spec.Pattern.Name, goes)}
}
