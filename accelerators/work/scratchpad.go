package work

import "github.com/causeway-sim/causeway/components/system"

// A Scratchpad is a memory on the chip whose contents are planned before a run.
type Scratchpad interface {
	system.Node
	Capacity() int64 // bytes
	// Planned tells, before Start, the most bytes that have a tenant at a time, the
	// results between groups that stay, and those that found no room.
	Planned(peak, kept, spilled int64)
}
