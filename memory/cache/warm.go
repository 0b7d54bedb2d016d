package cache

import (
	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
)

// warmState is what requests in no time need of their own.
type warmState struct {
	msg   mem.ReadReq    // stands for the request's: its source
	hints []*memory.Hint // free ones, of requests below
}

// Warm implements memory.Warmer. Prefetches are left out.
func (b *base) Warm(q memory.Request, from sim.Port) (asked bool) {
	counts, incl, src := b.core.Count, b.incl, b.warming.msg.Src
	b.warming.msg.Src = from
	r := request{msg: &b.warming.msg, hint: q.Hint, addr: q.Addr, bytes: q.Bytes, write: q.Write}
	for k := range b.lines(&r) {
		asked = b.warmLine(&r, k) || asked
	}
	if r.drop {
		from.Component().(memory.Warmer).WarmRecall(q.Addr, q.Bytes)
	}
	b.warming.msg.Src, b.core.Count = src, counts
	incl.uppers, incl.recalls = b.incl.uppers, b.incl.recalls
	b.incl = incl
	return asked
}

// warmLine does the access of a request to its k-th line, and what it causes below.
func (b *base) warmLine(r *request, k int) (asked bool) {
	t := b.touch(r, k)
	res, _ := b.accessCore(r, &t)
	b.warmRecalls()
	asked = b.warmVictim(&res)
	from, to := b.span(r, t.Line)
	if t.Write && (t.Clean || res.Bypassed) {
		h := b.warmHint(r)
		asked = b.warmBelow(from, to-from, true, h) || asked
		b.warming.hints = append(b.warming.hints, h)
		if res.Bypassed {
			return asked
		}
	}
	if res.Fetch == 0 {
		return asked
	}
	h := b.warmHint(r)
	h.Keeps = b.incl.below
	asked = b.warmBelow(t.Line<<b.shift, 1<<b.shift, false, h) || asked
	if h.Dirty {
		b.warmDirty(r, t.Line)
	}
	b.warming.hints = append(b.warming.hints, h)
	return asked
}

// warmDirty takes a line of which an exclusive cache below had changes.
func (b *base) warmDirty(r *request, line uint64) {
	switch {
	case b.incl.exclusive && r.hint != nil && r.hint.Keeps:
		r.hint.Dirty = true
	case !b.core.Soil(line):
		b.warmWrite(line, memory.DirtyVictim)
	}
}

// warmVictim writes below what an access displaced, as displace does.
func (b *base) warmVictim(res *tagstore.Result) (asked bool) {
	switch {
	case res.Stale != 0 && b.incl.below:
		return b.warmWrite(res.Victim, memory.DirtyVictim)
	case res.Stale != 0:
		return b.warmWrite(res.Victim, memory.NoVictim)
	case res.Evicted && b.incl.belowExclusive:
		return b.warmWrite(res.Victim, memory.CleanVictim)
	}
	return false
}

// warmWrite writes a line below.
func (b *base) warmWrite(line uint64, why memory.Victim) (asked bool) {
	h := b.warmHint(nil)
	h.Victim = why
	asked = b.warmBelow(line<<b.shift, 1<<b.shift, true, h)
	b.warming.hints = append(b.warming.hints, h)
	return asked
}

// warmHint is a free hint, of what a request sends below.
func (b *base) warmHint(r *request) *memory.Hint {
	n := len(b.warming.hints)
	if n == 0 {
		b.warming.hints = append(b.warming.hints, new(memory.Hint))
		n = 1
	}
	h := b.warming.hints[n-1]
	b.warming.hints = b.warming.hints[:n-1]
	*h = memory.Hint{}
	if r != nil {
		r.causes(h)
	}
	return h
}

func (b *base) warmBelow(addr, bytes uint64, write bool, h *memory.Hint) (asked bool) {
	return b.below.homes.Warm(memory.Request{Addr: addr, Bytes: bytes, Write: write, Hint: h}, b.below.port)
}

// warmRecalls carries out what an access has taken back from caches above.
func (b *base) warmRecalls() {
	for b.incl.recalls.Len() > 0 {
		q := b.incl.recalls.Pop()
		q.dst.Component().(memory.Warmer).WarmRecall(q.line<<b.shift, 1<<b.shift)
	}
}

// WarmRecall implements memory.Warmer.
func (b *base) WarmRecall(addr, bytes uint64) {
	m := memory.Recall{Addr: addr, Bytes: bytes}
	lost, dirtyLost, recalled := b.incl.lost, b.incl.lostDirty, b.incl.recalled
	line, dirty := b.drop(&m)
	b.warmRecalls()
	b.incl.lost, b.incl.lostDirty, b.incl.recalled = lost, dirtyLost, recalled
	if dirty {
		b.warmWrite(line, memory.RecalledDirty)
	}
}
