package comm

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/components/units"
)

// A Summary counts what a program holds.
type Summary struct {
	Ranks        int
	Groups       int               // communicators of more than one rank
	Ops          [Store + 1]uint64 // by Kind
	Dependencies uint64
	SentBytes    uint64              // of sends
	Colls        [Scatter + 1]uint64 // operations by Coll: one per rank and collective
	CollBytes    [Scatter + 1]uint64 // their Bytes
	Time         units.Time          // of all computations
	Work         float64             // floating-point operations without a time
	Beyond       int                 // ranks that operations name and that do not exist
}

// Summarize counts.
func Summarize(p *Program) Summary {
	s := Summary{Ranks: len(p.Ranks)}
	for _, g := range p.Groups {
		if len(g) > 1 {
			s.Groups++
		}
	}
	far := len(p.Ranks) - 1
	for n := range p.Ranks {
		r := &p.Ranks[n]
		s.Dependencies += uint64(len(r.deps))
		for i := range r.ops {
			o := &r.ops[i]
			s.Ops[o.Kind]++
			switch o.Kind {
			case Send:
				s.SentBytes += o.Bytes
				far = max(far, int(o.Peer))
			case Recv:
				far = max(far, int(o.Peer))
			case Collective:
				s.Colls[o.Coll]++
				s.CollBytes[o.Coll] += o.Bytes
			case Compute:
				s.Time += o.Time
				s.Work += o.Work
			}
		}
	}
	s.Beyond = far + 1 - len(p.Ranks)
	return s
}

// A Pair is the traffic from one rank to another.
type Pair struct {
	From, To                int32
	Sent, Received          uint64 // messages
	SentBytes, ReceiveBytes uint64 // ReceiveBytes is what the receives have room for
}

// Pairs lists the messages between ranks, by From and To. Receives from any
// source are left out.
func Pairs(p *Program) []Pair {
	at := map[[2]int32]*Pair{}
	pair := func(from, to int32) *Pair {
		k := [2]int32{from, to}
		if at[k] == nil {
			at[k] = &Pair{From: from, To: to}
		}
		return at[k]
	}
	for n := range p.Ranks {
		r := &p.Ranks[n]
		for i := range r.ops {
			switch o := &r.ops[i]; {
			case o.Kind == Send:
				q := pair(int32(n), o.Peer)
				q.Sent++
				q.SentBytes += o.Bytes
			case o.Kind == Recv && o.Peer != AnySource:
				q := pair(o.Peer, int32(n))
				q.Received++
				q.ReceiveBytes += o.Bytes
			}
		}
	}
	out := make([]Pair, 0, len(at))
	for _, q := range at {
		out = append(out, *q)
	}
	slices.SortFunc(out, func(a, b Pair) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	return out
}
