package library

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
)

// A Reach is where the chips of a collective lie.
type Reach struct {
	// Near is how many of them reach each other over links; they are in as many domains as it takes.
	Near int
	// Rate is the bytes per second of a chip's interface to other domains, in each direction.
	Rate float64
}

// interfaceShare is the share of the rate of interfaces that rings of NCCL reach.
//
// assumption: headers of 4 KiB packets and the pauses between slots.
const interfaceShare = 0.92

// A protocol is how NCCL hands a part of a ring on: the time of each chip of a domain that it
// passes, and of each other domain, and its share of the rate. Source: NCCL 2.27,
// src/graph/tuning.cc (hwLat, and 120 of 128 bytes).
type protocol struct{ near, far, share float64 }

var (
	ringProtocols = []protocol{{0.6 * us, 2.7 * us, 0.5}, {1.9 * us, 4 * us, 120. / 128}, {3.4 * us, 14 * us, 1}}
	treeProtocols = []protocol{{0.6 * us, 5 * us, 0.5}, {1.25 * us, 8.5 * us, 120. / 128}, {4 * us, 14 * us, 1}}
)

// Between is the cost of a collective of chips of several domains. Rings go through the chips of a
// domain and leave it by the interfaces of all of them; sums of few bytes go by trees over the
// domains. Inside a domain it is Transfer.
func (l *Links) Between(c *Chip, p Transfer, r Reach) (kernel.Cost, bool) {
	if p.Ranks <= r.Near {
		return l.Transfer(c, p)
	}
	a, ok := l.rules.nccl[p.Func]
	if !ok {
		return kernel.Cost{}, false
	}
	n, near := float64(p.Ranks), float64(r.Near)
	domains := math.Ceil(n / near)
	out := r.Rate * interfaceShare
	if p.Func == "all_to_all" { // each chip sends to all others by its own interface
		outside, inside := p.Bytes*(n-near)/n/out, p.Bytes*(near-1)/n/(c.Link*a.simple)
		return kernel.Cost{Total: a.launch + a.hop*(near-1) + 4*us + max(outside, inside), Launch: a.launch, Memory: max(outside, inside), Bytes: p.wire()}, true
	}
	rate := min(c.Link*a.simple, near*out)
	rounds := 1.
	if p.Func == "all_reduce" {
		rounds = 2
	}
	more := math.Inf(1)
	for _, x := range ringProtocols {
		more = min(more, rounds*((n-domains)*x.near+(domains-1)*x.far)+p.wire()/(rate*x.share))
	}
	if p.Func == "all_reduce" {
		for _, x := range treeProtocols {
			more = min(more, 2*((near-1)*x.near+math.Ceil(math.Log2(domains))*x.far)+2*p.Bytes/(rate*x.share))
		}
	}
	return kernel.Cost{Total: a.launch + more, Launch: a.launch, Memory: more, Bytes: p.wire()}, true
}

// Message is the time of a message to another chip, over the links of a domain or between domains:
// what passes before its bytes, and its bytes.
func (l *Links) Message(c *Chip, bytes float64, r Reach) (start, move float64) {
	a := l.rules.nccl["all_gather"]
	if r.Near > 1 {
		return a.launch + 3.4*us, bytes / (c.Link * a.simple)
	}
	return a.launch + 14*us, bytes / (r.Rate * interfaceShare)
}
