package match

// An Order restores the order in which messages between a pair of ranks were sent, if the network
// reorders them. The zero value is empty.
type Order[M any] struct {
	of    map[uint64]int32
	pairs []pair[M]
}

// A pair is the traffic from one rank to another.
type pair[M any] struct {
	sent, next uint32
	early      []numbered[M] // not in order
}

type numbered[M any] struct {
	seq  uint32
	what M
}

// Send returns the number of the pair of a new message, and its sequence number within the pair.
func (o *Order[M]) Send(from, to int32) (pair int32, seq uint32) {
	pair = o.pair(from, to)
	seq = o.pairs[pair].sent
	o.pairs[pair].sent++
	return pair, seq
}

func (o *Order[M]) pair(from, to int32) int32 {
	k := uint64(uint32(from))<<32 | uint64(uint32(to))
	i, ok := o.of[k]
	if !ok {
		if o.of == nil {
			o.of = map[uint64]int32{}
		}
		i = int32(len(o.pairs))
		o.pairs = append(o.pairs, pair[M]{})
		o.of[k] = i
	}
	return i
}

// Arrive reports whether a message is the next of its pair; a message that arrives too early is
// kept.
func (o *Order[M]) Arrive(pair int32, seq uint32, m M) bool {
	p := &o.pairs[pair]
	if seq != p.next {
		p.early = append(p.early, numbered[M]{seq, m})
		return false
	}
	p.next++
	return true
}

// Next removes and returns the next message of a pair, if it has arrived early.
func (o *Order[M]) Next(pair int32) (m M, ok bool) {
	p := &o.pairs[pair]
	for k := range p.early {
		if p.early[k].seq == p.next {
			m = p.early[k].what
			last := len(p.early) - 1
			p.early[k], p.early[last] = p.early[last], numbered[M]{}
			p.early = p.early[:last]
			p.next++
			return m, true
		}
	}
	return m, false
}
