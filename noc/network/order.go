package network

// An order keeps requests of one terminal to another in the order they were
// taken.
type order struct {
	index map[uint64]int32
	flows []flow
}

// A flow is one pair of terminals.
type flow struct {
	entered, left uint32
	early         []early // have come before their turn
}

type early struct {
	seq uint32
	id  int32
}

func newOrder() order { return order{index: map[uint64]int32{}} }

// enter numbers a message.
func (o *order) enter(src, dst int32) (at int32, seq uint32) {
	key := uint64(uint32(src))<<32 | uint64(uint32(dst))
	at, ok := o.index[key]
	if !ok {
		at = int32(len(o.flows))
		o.flows = append(o.flows, flow{})
		o.index[key] = at
	}
	f := &o.flows[at]
	f.entered++
	return at, f.entered - 1
}

// leave reports whether it is the message's turn, and keeps it if not.
func (o *order) leave(at int32, seq uint32, id int32) bool {
	f := &o.flows[at]
	if seq != f.left {
		f.early = append(f.early, early{seq, id})
		return false
	}
	f.left++
	return true
}

// next returns the next message in order, 0 if it has not arrived.
func (o *order) next(at int32) int32 {
	f := &o.flows[at]
	for i, e := range f.early {
		if e.seq == f.left {
			f.early[i] = f.early[len(f.early)-1]
			f.early = f.early[:len(f.early)-1]
			f.left++
			return e.id
		}
	}
	return 0
}
