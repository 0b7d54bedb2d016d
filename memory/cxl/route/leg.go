package route

import "github.com/causeway-sim/causeway/memory/cxl/flit"

// A Leg is a link of a route with a direction: twice the link's number, plus 1 towards the host.
type Leg int32

// None is no leg.
const None Leg = -1

// Down returns the leg over a link towards the devices.
func Down(link int) Leg { return Leg(2 * link) }

// Up returns the leg over a link towards the host.
func Up(link int) Leg { return Leg(2*link + 1) }

// Link returns the number of the link.
func (l Leg) Link() int32 { return int32(l >> 1) }

// IsUp reports whether the leg is towards the host.
func (l Leg) IsUp() bool { return l&1 != 0 }

// Direction returns the direction of the leg.
func (l Leg) Direction() flit.Direction { return flit.Direction(l & 1) }

// A Pair is the routes between a host and a logical device, as numbers of a Book; -1 is none.
type Pair struct{ Down, Up int32 }

// NoPair is a Pair without a route.
var NoPair = Pair{-1, -1}

// Reachable reports whether there is a route.
func (p Pair) Reachable() bool { return p.Down >= 0 }
