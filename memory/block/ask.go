package block

import "github.com/causeway-sim/causeway/components/engine"

// Join makes a link to a memory for a requester with another clock. The requester decides in
// which cycles the memory acts, sends with Ask requests that are visible in the next of these,
// and takes answers at any time. room is the answers that the wire takes per instant.
func Join(n Node, from, to *engine.Port, room int) *Link {
	l := &Link{From: from, To: to, capacity: to.Capacity(), room: room, out: &Outlet{}, from: new(uint64), to: new(uint64)}
	n.Enter(l, nil)
	return l
}

// Ask sends a request.
func (l *Link) Ask(r Request) { *l.requests.push() = r }
