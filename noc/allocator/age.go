package allocator

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "age",
		Doc:    "Separable, inputs first; every arbiter prefers the packet that was created first.",
		Source: "Dally and Towles, Principles and Practices of Interconnection Networks, 2004, section 18.4: age-based arbitration",
		New:    Factory{New: newInputFirst, Ages: true},
	})
}
