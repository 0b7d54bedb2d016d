package gemmini

// An op is what a command does.
type op uint8

const (
	opConfig op = iota
	opLoad
	opPreload
	opCompute
	opStore
)

// The three queues of the reservation station.
const (
	qLoad = iota
	qExecute
	qStore
	queues
)

// A span is rows of the scratchpad or, from accumulatorAt on, of the accumulators.
type span struct{ lo, hi int }

const accumulatorAt = 1 << 30

func (a span) overlaps(b span) bool { return a.lo < b.hi && b.lo < a.hi }

// A command is one instruction of the accelerator.
type command struct {
	op    op
	queue uint8
	// first is the destination of a load or a preload, the source of a compute or a store; second
	// is the weights of a preload.
	first, second span
	// rows of a load, a compute or a store, and bytes of each.
	rows, bytes int
	addr        int64
	stride      int // bytes from one row to the next in memory
	zero        bool
}

// weights says that a preload loads weights; otherwise those before stay.
func (c *command) weights() bool { return c.second.hi > c.second.lo }
