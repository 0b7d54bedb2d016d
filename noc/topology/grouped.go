package topology

// A Grouped topology has groups of routers, numbered from 0, with as many terminals
// each: a dragonfly.
type Grouped interface {
	Groups() int
	Group(router int) int // of a router
}

// A Holder has a topology: a network that messages cross.
type Holder interface{ Topology() Topology }

var (
	_ Grouped = Dragonfly{}
	_ Grouped = DragonflyPlus{}
)
