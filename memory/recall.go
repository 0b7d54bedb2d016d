package memory

import "github.com/sarchlab/akita/v3/sim"

// A Recall tells a cache that one below it, which is inclusive, has given up a line: the
// cache drops it, and writes it below where it is dirty (back-invalidation). It goes from
// the port that answers to the one that asked, and has no answer.
type Recall struct {
	sim.MsgMeta
	Addr, Bytes uint64
}

// Meta implements sim.Msg.
func (r *Recall) Meta() *sim.MsgMeta { return &r.MsgMeta }
