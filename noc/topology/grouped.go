package topology

// A Grouped topology has groups of routers, numbered from 0, with equal numbers of terminals: a
// dragonfly.
type Grouped interface {
	Groups() int
	Group(router int) int // of a router
}

// A Provider is a network with a topology.
type Provider interface{ Topology() Topology }

// A Reducer is a network whose routers may add up the messages of terminals.
type Reducer interface {
	// Reduces returns an error if the routers do not add up messages.
	Reduces() error
	// Tree prepares sums of terminals, and returns the number of the group, from 1 on.
	Tree(terminals []int32) (group int32, err error)
}

// A Sprayer is a network that may spread the packets of a terminal over several paths.
type Sprayer interface {
	// Spray sets the number of paths of each flow, before the first message. It is an error if
	// receivers need packets in order.
	Spray(terminal, paths int) error
}

var (
	_ Grouped = Dragonfly{}
	_ Grouped = DragonflyPlus{}
)
