package cache

import (
	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
)

// warmup is the fifth layer: requests in no time, which change the state of the cache and nothing else.
type warmup struct {
	lookups
	warmup struct {
		msg   mem.ReadReq    // stands for the request's: its source
		hints []*memory.Hint // free ones, of requests below
	}
}

// Warm implements memory.Warmer. Prefetches are left out.
func (b *warmup) Warm(q memory.Request, from sim.Port) (asked bool) {
	counts, incl, src := b.core.Count, b.incl.Counts, b.warmup.msg.Src
	b.warmup.msg.Src = from
	r := request{msg: &b.warmup.msg, hint: q.Hint, addr: q.Addr, bytes: q.Bytes, write: q.Write}
	for k := range b.lines(&r) {
		asked = b.warmLine(&r, k) || asked
	}
	if r.drop {
		from.Component().(memory.Warmer).WarmRecall(q.Addr, q.Bytes)
	}
	b.warmup.msg.Src, b.core.Count = src, counts
	b.incl.Counts = incl
	return asked
}

// warmLine does the access of a request to its k-th line, and what it causes below.
func (b *warmup) warmLine(r *request, k int) (asked bool) {
	t := b.touch(r, k)
	res, _ := b.apply(r, &t)
	b.warmRecalls()
	asked = b.warmVictim(&res)
	from, to := b.span(r, t.Line)
	if t.Write && (t.Clean || res.Bypassed) {
		h := b.warmHint(r)
		asked = b.warmBelow(from, to-from, true, h) || asked
		b.warmup.hints = append(b.warmup.hints, h)
		if res.Bypassed {
			return asked
		}
	}
	if res.Fetch == 0 {
		return asked
	}
	h := b.warmHint(r)
	h.Keeps = b.incl.Below
	asked = b.warmBelow(t.Line<<b.layout.Shift, 1<<b.layout.Shift, false, h) || asked
	if h.Dirty {
		b.warmDirty(r, t.Line)
	}
	b.warmup.hints = append(b.warmup.hints, h)
	return asked
}

// warmDirty takes a line of which an exclusive cache below had changes.
func (b *warmup) warmDirty(r *request, line uint64) {
	if !b.incl.CameDirty(line, r.hint) {
		b.warmWrite(line, memory.DirtyVictim)
	}
}

// warmVictim writes below what an access evicted.
func (b *warmup) warmVictim(res *tagstore.Result) (asked bool) {
	as, needed := b.incl.WriteBack(res)
	return needed && b.warmWrite(res.Victim, as)
}

// warmWrite writes a line below.
func (b *warmup) warmWrite(line uint64, why memory.Victim) (asked bool) {
	h := b.warmHint(nil)
	h.Victim = why
	asked = b.warmBelow(line<<b.layout.Shift, 1<<b.layout.Shift, true, h)
	b.warmup.hints = append(b.warmup.hints, h)
	return asked
}

// warmHint is a free hint, of what a request sends below.
func (b *warmup) warmHint(r *request) *memory.Hint {
	n := len(b.warmup.hints)
	if n == 0 {
		b.warmup.hints = append(b.warmup.hints, new(memory.Hint))
		n = 1
	}
	h := b.warmup.hints[n-1]
	b.warmup.hints = b.warmup.hints[:n-1]
	*h = memory.Hint{}
	if r != nil {
		r.causes(h)
	}
	return h
}

func (b *warmup) warmBelow(addr, bytes uint64, write bool, h *memory.Hint) (asked bool) {
	return b.below.Homes.Warm(memory.Request{Addr: addr, Bytes: bytes, Write: write, Hint: h}, b.below.Port)
}

// warmRecalls carries out what an access has taken back from caches above.
func (b *warmup) warmRecalls() {
	for b.incl.Recalls.Len() > 0 {
		q := b.incl.Recalls.Pop()
		q.Dst.Component().(memory.Warmer).WarmRecall(q.Line<<b.layout.Shift, 1<<b.layout.Shift)
	}
}

// WarmRecall implements memory.Warmer.
func (b *warmup) WarmRecall(addr, _ uint64) {
	counts := b.incl.Counts
	line := b.layout.Of(addr)
	dirty := b.incl.Drop(line)
	b.warmRecalls()
	b.incl.Counts = counts
	if dirty {
		b.warmWrite(line, memory.RecalledDirty)
	}
}
