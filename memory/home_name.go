package memory

import (
	"strings"

	"github.com/causeway-sim/causeway/components/cause"
)

// HomeName returns the name of the node that holds all addresses, without array indices; "" if
// several nodes hold them.
func (m *Map) HomeName() (name string) {
	if m == nil {
		return ""
	}
	for i := range m.ranges {
		for _, p := range m.ranges[i].Ports {
			at := strings.LastIndexByte(p.Name(), '.')
			if at < 0 {
				return ""
			}
			node := cause.Base(p.Name()[:at])
			if name != "" && name != node {
				return ""
			}
			name = node
		}
	}
	return name
}
