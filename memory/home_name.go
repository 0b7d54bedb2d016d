package memory

import (
	"strings"

	"github.com/causeway-sim/causeway/components/cause"
)

// HomeName is the node that holds all addresses, without the indices of arrays; "" where
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
