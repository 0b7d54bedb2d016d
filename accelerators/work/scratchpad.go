package work

import "github.com/causeway-sim/causeway/components/system"

// A Scratchpad is a memory on the chip whose contents are planned before a run.
type Scratchpad interface {
	system.Node
	Capacity() int64 // bytes
	// Planned is called before Start with the bytes of the plan: the most in use at a time,
	// results between groups that stay, and results that do not fit.
	Planned(peak, kept, spilled int64)
}
