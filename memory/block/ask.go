package block

import "github.com/causeway-sim/causeway/components/engine"

// Join makes a link to a memory whose requester has a clock of its own: it decides in which
// cycles the memory acts, sends with Ask what can be seen in the next of them, and takes
// answers when it likes. room is how many answers the wire takes of one instant.
func Join(n Node, from, to *engine.Port, room int) *Link {
	l := &Link{From: from, To: to, capacity: to.Capacity(), room: room, out: &Outlet{}, from: new(uint64), to: new(uint64)}
	n.Enter(l, nil)
	return l
}

// Ask sends a request.
func (l *Link) Ask(r Request) { *l.requests.push() = r }
