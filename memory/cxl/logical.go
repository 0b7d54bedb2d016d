package cxl

import (
	"slices"

	"github.com/causeway-sim/causeway/memory/cxl/setting"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// A logical is a logical device (LD): a part of a device's memory. A device without the
// key lds is one.
type logical struct {
	name     string // of the device, with the LD-ID if there is one
	spec     setting.LDSpec
	base     uint64 // in the device's memory
	device   int32
	id       uint8         // LD-ID
	coherent bool          // the device keeps it coherent
	queue    transit.Queue // lines in front of the memory
	count    ldCount
}

// offered reports whether a logical device is offered to a root at a head.
func (x *logical) offered(root string, head int, only []int) bool {
	return (len(x.spec.Heads) == 0 || slices.Contains(x.spec.Heads, head)) &&
		(len(x.spec.Hosts) == 0 || slices.Contains(x.spec.Hosts, root)) &&
		(only == nil || slices.Contains(only, int(x.id)))
}

// ldCount is in lines and picoseconds; index 1 is writes.
type ldCount struct {
	lines   [2]uint64
	done    [2]uint64
	latency [2]uint64 // of lines that are done, from the host's port and back
}

// line counts a line that is back at its host.
func (c *ldCount) line(l *transit.Line, t int64) {
	c.done[kind(l.Write)]++
	c.latency[kind(l.Write)] += uint64(t - l.Start)
}
