package topology

// A Grouped topology has groups of routers, numbered from 0, with as many terminals
// each: a dragonfly.
type Grouped interface {
	Groups() int
	Group(router int) int // of a router
}

// A Holder has a topology: a network that messages cross.
type Holder interface{ Topology() Topology }

// A Reducer is a network whose routers add up what terminals send.
type Reducer interface {
	// Reduces says why they do not, nil if they do.
	Reduces() error
	// Tree prepares sums of some terminals, and numbers them from 1 on.
	Tree(terminals []int32) (group int32, err error)
}

var (
	_ Grouped = Dragonfly{}
	_ Grouped = DragonflyPlus{}
)
