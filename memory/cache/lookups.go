package cache

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/cache/hindsight"
	"github.com/causeway-sim/causeway/memory/cache/inclusion"
	"github.com/causeway-sim/causeway/memory/cache/prefetch"
	"github.com/causeway-sim/causeway/memory/cache/region"
	"github.com/causeway-sim/causeway/memory/cache/reuse"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/cache/tally"
	"github.com/causeway-sim/causeway/memory/cache/tensor"
	"github.com/causeway-sim/causeway/memory/policy"
)

// lookups is the fourth layer: the tags, and how a line of a request is looked up in them.
type lookups struct {
	messages
	core       *tagstore.Store
	incl       inclusion.State
	tensors    *tensor.Numbers
	regions    region.List
	prefetcher prefetch.Prefetcher
	tallies
	sectored bool // lines have several sectors
	clean    bool // writes leave nothing dirty
	around   bool // nor a new line
	simple   bool // of a read nothing but its line and its hint matters
	plain    bool // see hits
}

// tallies are what is recorded of accesses where it is asked for.
type tallies struct {
	detail  *tally.Detail    // nil: not recorded
	profile *tally.Profile   // nil: not recorded
	reuse   *reuse.Distances // nil: not recorded

	hindsight *hindsight.Log // nil: not recorded
}

// seesLines reports whether the line of each access is recorded.
func (t *tallies) seesLines() bool { return t.reuse != nil || t.hindsight != nil }

// RecordDetail implements system.Detailed.
func (t *tallies) RecordDetail() { t.profile = tally.NewProfile() }

// Detail implements system.Detailed: a row for each tensor and each power of two of the
// reuse that was expected.
func (t *tallies) Detail() (string, *stats.Table) {
	if t.profile == nil {
		return "", nil
	}
	return "tensors", t.profile.Table()
}

// record records the result of a lookup in a slice.
func (t *tallies) record(h *memory.Hint, slice int, res *tagstore.Result) {
	if t.detail != nil {
		t.detail.Note(h, slice, res)
	}
	if t.profile != nil {
		t.profile.Note(h, res)
	}
}

// touch returns the access of a request to its k-th line.
func (l *lookups) touch(r *request, k int) tagstore.Touch {
	line := r.addr>>l.layout.Shift + uint64(k)
	if !r.write && l.simple { // most are
		t := tagstore.Touch{Access: policy.Access{Line: line}, Sectors: 1, Clean: l.clean}
		if h := r.hint; h != nil {
			t.PC, t.Core, t.Reuse, t.Tensor = h.PC, h.Core, h.Reuse, l.tensors.Of(h)
		}
		return t
	}
	t := tagstore.Touch{Access: policy.Access{Line: line, Write: r.write}, Sectors: 1, Clean: l.clean}
	var covered uint8
	if r.write || l.sectored {
		from, to := l.span(r, line)
		t.Sectors, covered = l.layout.Touched(line, from, to)
	}
	if r.write {
		t.Whole = covered
		if l.bytes != nil {
			t.Whole = l.unmasked(r, line, t.Whole)
		}
		if l.incl.Below { // which has to know of the line
			t.Whole = 0
		}
		t.NoFill = l.around || r.hint != nil && r.hint.Passing
	}
	if h := r.hint; h != nil {
		t.PC, t.Core, t.Reuse, t.Tensor = h.PC, h.Core, h.Reuse, l.tensors.Of(h)
		if l.foresight.on {
			t.Next = h.Next[k]
		}
	}
	if len(l.regions) > 0 {
		l.regions.Classify(r.hint, l.layout.Start(line), &t)
	}
	return t
}

// apply is an access of a request by the rules of inclusion. counted reports that it is one that
// metrics count as such.
func (l *lookups) apply(r *request, t *tagstore.Touch) (res tagstore.Result, counted bool) {
	if r.hint == nil || !l.incl.Applies() {
		return l.core.Apply(t), true
	}
	o := l.incl.Access(t, r.hint, l.from(r))
	r.drop = r.drop || o.Drop
	return o.Result, o.Counted
}

// lookUpLine does an access and counts it wherever it is to be counted.
func (l *lookups) lookUpLine(r *request, t *tagstore.Touch, slice int) tagstore.Result {
	res, counted := l.apply(r, t)
	l.gone(&res)
	if !counted {
		return res
	}
	if r.task != 0 {
		l.step(r, &res)
	}
	l.record(r.hint, slice, &res)
	if l.reuse != nil {
		l.reuse.Access(t.Line)
	}
	if l.hindsight != nil {
		l.hindsight.Note(t.Line)
	}
	return res
}

// gone notes that a line has left the tags.
func (l *lookups) gone(res *tagstore.Result) {
	l.lapse(res)
	if res.Evicted {
		l.prefetcher.Evict(res.Victim)
	}
}

// stream returns the stream of an access of a request: see prefetch.StreamOf.
func (l *lookups) stream(r *request, t *tagstore.Touch) uint64 {
	tensor := uint32(0)
	if r.hint != nil {
		tensor = r.hint.Tensor
	}
	return prefetch.StreamOf(t.PC, t.Core, tensor)
}

// calls tells the prefetcher of an access, and returns how many lines it calls for. What is written around
// the cache is not read next.
func (l *lookups) calls(r *request, t *tagstore.Touch, res *tagstore.Result, cycle uint64, pending bool) int {
	if !l.prefetcher.On() || t.Write && t.NoFill {
		return 0
	}
	a := prefetch.Access{
		Line: t.Line, Stream: l.stream(r, t), Cycle: cycle, Slot: -1, Lines: l.lines(r),
		Hit: res.Hit, Pending: pending, First: res.First, Write: t.Write,
	}
	if res.Way >= 0 {
		a.Slot = res.Set*l.core.Ways() + res.Way
	}
	if h := r.hint; h != nil && h.About != nil && h.About.Bytes > 0 {
		d := h.About
		a.Tensor = prefetch.Tensor{
			First: l.layout.Of(d.Base), End: l.layout.Of(d.Base+d.Bytes-1) + 1, Tile: d.Tile >> l.layout.Shift, Again: h.Reuse > 0,
		}
	}
	return l.prefetcher.Due(a)
}

// prefetched returns the access of a prefetch, the d-th that an access of a request calls for; ok is false
// if there is none: its line lies after the end of its tensor or of the memories below.
func (l *lookups) prefetched(r *request, t *tagstore.Touch, d int) (p tagstore.Touch, ok bool) {
	p = tagstore.Touch{Access: t.Access, Sectors: l.core.Whole()}
	p.Line = l.prefetcher.Line(d)
	p.Write, p.Reuse = false, 0
	addr := l.layout.Start(p.Line)
	if r.hint != nil && r.hint.About != nil && r.hint.About.Bytes > 0 && addr >= r.hint.About.Base+r.hint.About.Bytes {
		return p, false
	}
	if _, _, _, ok := l.below.Homes.Find(addr); !ok {
		return p, false
	}
	if len(l.regions) > 0 {
		l.regions.Classify(r.hint, addr, &p)
	}
	return p, true
}

// accessOf returns the access of a read of a block.
func (l *lookups) accessOf(q *block.Request) policy.Access {
	a := policy.Access{Line: l.layout.Of(q.Addr)}
	if h := q.Hint; h != nil {
		a.PC, a.Core, a.Reuse = h.PC, h.Core, h.Reuse
		if h.About != nil {
			a.Tensor = l.tensors.Of(h)
		}
	}
	return a
}

// hits is lookUpLine for the most usual of all: a read that finds its line in a cache without
// sectors, partitions and the like. If it does not, nothing has happened.
func (l *lookups) hits(q *block.Request) bool {
	k := l.core
	line := l.layout.Of(q.Addr)
	set := k.Set(line)
	w := k.Way(set, line)
	switch {
	case w < 0:
		return false
	case k.Blind():
		k.HitBlind(set, w)
	default:
		a := l.accessOf(q)
		k.Hit(set, w, &a)
	}
	if l.profile != nil {
		l.profile.Note(q.Hint, &hit)
	}
	return true
}

var hit = tagstore.Result{Hit: true}

// isPlain reports whether hits holds for a cache.
func (l *lookups) isPlain() bool {
	return l.core.Uniform() && l.detail == nil && !l.seesLines() &&
		l.bytes == nil && !l.foresight.on && len(l.regions) == 0
}
