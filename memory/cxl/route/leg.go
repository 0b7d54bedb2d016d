package route

import "github.com/causeway-sim/causeway/memory/cxl/flit"

// A Leg is a link of a route and the direction in which it is passed: twice the number
// of the link, and one more towards the host.
type Leg int32

// None stands for a link that is not known, or not there.
const None Leg = -1

// Down is the leg over a link towards the devices.
func Down(link int) Leg { return Leg(2 * link) }

// Up is the leg over a link towards the host.
func Up(link int) Leg { return Leg(2*link + 1) }

// Link is the number of the link.
func (l Leg) Link() int32 { return int32(l >> 1) }

// IsUp reports whether the link is passed towards the host.
func (l Leg) IsUp() bool { return l&1 != 0 }

// Direction is that in which the link is passed.
func (l Leg) Direction() flit.Direction { return flit.Direction(l & 1) }

// A Pair is the routes between a host and a logical device: the numbers that a Book
// gave them, -1 where there is none.
type Pair struct{ Down, Up int32 }

// NoPair is without a route.
var NoPair = Pair{-1, -1}

// Reachable reports whether there is a route.
func (p Pair) Reachable() bool { return p.Down >= 0 }
