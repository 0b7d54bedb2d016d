package collective

import "errors"

// turning are the algorithms that Turning knows.
var turning = map[string]bool{"ring": true, "direct": true}

// errNotAlone is the error of an algorithm whose ranks differ.
var errNotAlone = errors.New("ranks differ")

// Turning returns the operations of rank 0 of a schedule whose ranks all do the same: those of rank
// r are these with r added to each Peer, modulo the number of ranks, sends and receives each in
// this order, and with as many bytes. Tags count the messages from one rank to another. It takes the
// memory of one rank, where New takes that of all. ok is false for algorithms without this property,
// and for bytes that ranks do not share evenly; errors are those of New.
func Turning(name string, r Request, spec any) (ops []Op, ok bool, err error) {
	if !turning[name] || r.Ranks < 2 {
		return nil, false, nil
	}
	r.alone = true
	s, err := New(name, r, spec)
	if errors.Is(err, errNotAlone) || err == nil && s.Steps != StepsFree {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return numbered(s.Ops[0]), true, nil
}

// numbered gives the messages of a rank the tags of Turning.
func numbered(ops []Op) []Op {
	type pair struct {
		peer int32
		send bool
	}
	next := map[pair]int32{}
	for i := range ops {
		switch k := (pair{ops[i].Peer, ops[i].Kind == Send}); ops[i].Kind {
		case Send, Recv, Reduce:
			ops[i].Tag = next[k]
			next[k]++
		}
	}
	return ops
}

// Number gives the messages from one rank to another tags from 0 on, in place of tags that are
// unique in the schedule. It reports whether sends and receives of each pair have the same order;
// if not, it changes nothing.
func (s *Schedule) Number() bool {
	type pair struct{ src, dst int32 }
	sent, next := map[int32]int32{}, map[pair]int32{}
	for r, ops := range s.Ops {
		for i := range ops {
			if k := (pair{int32(r), ops[i].Peer}); ops[i].Kind == Send {
				sent[ops[i].Tag] = next[k]
				next[k]++
			}
		}
	}
	clear(next)
	for r, ops := range s.Ops {
		for i := range ops {
			if k := (pair{ops[i].Peer, int32(r)}); ops[i].Kind == Recv || ops[i].Kind == Reduce {
				if sent[ops[i].Tag] != next[k] {
					return false
				}
				next[k]++
			}
		}
	}
	for _, ops := range s.Ops {
		numbered(ops)
	}
	return true
}

// even reports whether all cells of the chunk have the same bytes.
func (c *chunk) even() bool {
	for _, x := range c.cells {
		if x.Bytes != c.cells[0].Bytes || x.Bytes == 0 {
			return false
		}
	}
	return true
}

// sendersAt yields the ranks that send to the one d further: all of them, or with alone rank 0 and the
// one that sends to it.
func (c *chunk) sendersAt(d int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		if c.b.alone {
			_ = yield(0) && yield(c.n-d)
			return
		}
		for r := range c.n {
			if !yield(r) {
				return
			}
		}
	}
}

// places yields the places on a ring that are written: all of them, or with alone those of the two
// messages of rank 0.
func (c *chunk) places(yield func(int) bool) {
	if c.b.alone {
		_ = yield(0) && yield(c.n-1)
		return
	}
	for p := range c.n {
		if !yield(p) {
			return
		}
	}
}
