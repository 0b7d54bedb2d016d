package memory

import "github.com/sarchlab/akita/v3/sim"

// A Recall is the back-invalidation of an inclusive cache: the cache above drops the line, and
// writes it below if it is dirty. It goes from the port that answers to the port that requested,
// and has no answer.
type Recall struct {
	sim.MsgMeta
	Addr, Bytes uint64
}

// Meta implements sim.Msg.
func (r *Recall) Meta() *sim.MsgMeta { return &r.MsgMeta }
