package cache

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
)

// inclusion is what a cache does for those above it, and for an inclusive or exclusive
// one below.
type inclusion struct {
	inclusive, exclusive bool
	uppers               []sim.Port // caches above that keep lines, in the order of their first request
	recalls              ring.Of[recall]

	above bool // a cache has this one below

	// of the cache below, at any of its addresses
	below, belowExclusive bool

	recalled          uint64 // lines that caches above were told to drop
	lost, lostDirty   uint64 // lines that a cache below has taken back
	movedUp           uint64
	cleanFills, fills uint64 // victims from above
	late              uint64 // dirty lines that came up when they had gone again
}

// A recall is a line that a cache above is to drop.
type recall struct {
	line uint64
	dst  sim.Port
}

// checkInclusion reports what an inclusive or exclusive cache cannot be.
func (s *Spec) checkInclusion(at func(key string) configs.Value, errs *configs.Errors) {
	switch s.Inclusion {
	case "", "none":
		return
	case "inclusive", "exclusive":
	default:
		errs.Add(at("inclusion").Errorf([]string{"none", "inclusive", "exclusive"}, "unknown inclusion %q", s.Inclusion))
		return
	}
	if why := s.plainLines(); why != "" {
		errs.Add(at("inclusion").Errorf(nil, "%s wants %s", s.Inclusion, why))
	}
	if s.Inclusion == "exclusive" && s.Prefetch.Name != "none" {
		errs.Add(at("prefetch").Errorf(nil, "has no effect on an exclusive cache, which is filled from above"))
	}
}

// plainLines is what a cache lacks to take part in inclusion; "" for nothing.
func (s *Spec) plainLines() string {
	switch {
	case s.Sectors > 1:
		return "lines of one sector"
	case s.Write != "back":
		return "write: back"
	case s.Functional:
		return "functional: false"
	}
	return ""
}

// includes looks at the caches below.
func (b *base) includes(m *memory.Map) error {
	for _, r := range m.Ranges() {
		for _, p := range r.Ports {
			l, ok := p.Component().(level)
			if !ok || l.lower().spec.Inclusion == "none" || l.lower().spec.Inclusion == "" {
				continue
			}
			s := &l.lower().spec
			why := b.spec.plainLines()
			if why == "" && s.Inclusion == "inclusive" && b.spec.Inclusion == "exclusive" {
				why = "inclusion: inclusive or none, since an exclusive cache does not hold what it passes up, so that it could not be taken back"
			}
			if why == "" && s.Line != b.spec.Line {
				why = fmt.Sprintf("line: %s, as it has itself", s.Line)
			}
			if why == "" && b.fillsLate {
				why = "allocate: miss"
			}
			if why != "" {
				return memory.BadInputf("%s: %s below is %s and wants %s here", b.Name(), l.lower().Name(), s.Inclusion, why)
			}
			b.incl.below = true
			l.lower().incl.above = true
			b.incl.belowExclusive = b.incl.belowExclusive || s.Inclusion == "exclusive"
		}
	}
	return nil
}

// Warnings implements system.Warner: inclusion that no cache above takes part in.
func (b *base) Warnings() []string {
	if s := b.spec.Inclusion; s != "" && s != "none" && !b.incl.above {
		return []string{fmt.Sprintf("%s: inclusion: %s has no effect: no cache is linked to its port top", b.Name(), s)}
	}
	return nil
}

// A level is a cache, of either fidelity.
type level interface{ lower() *base }

func (b *base) lower() *base { return b }

// startInclusion prepares the state.
func (b *base) startInclusion() {
	b.incl.inclusive, b.incl.exclusive = b.spec.Inclusion == "inclusive", b.spec.Inclusion == "exclusive"
	if b.incl.inclusive {
		b.core.Share()
	}
}

// upper is the bit of the cache that a request comes from; the last bit is shared.
func (b *base) upper(r *request) uint64 {
	src := b.from(r)
	for i, p := range b.incl.uppers {
		if p == src {
			return 1 << min(i, 63)
		}
	}
	b.incl.uppers = append(b.incl.uppers, src)
	return 1 << min(len(b.incl.uppers)-1, 63)
}

// access is the access of a request to a line, by the rules of inclusion. counted tells
// that it is one that metrics count as such.
func (b *base) accessCore(r *request, t *tagstore.Touch) (res tagstore.Result, counted bool) {
	n, h := &b.incl, r.hint
	switch {
	case h == nil || !n.inclusive && !n.exclusive:
		return b.core.Apply(t), true
	case n.exclusive && h.Victim != memory.NoVictim:
		n.fills++
		if h.Victim == memory.CleanVictim {
			n.cleanFills++
		}
		res = b.core.Insert(t, h.Victim != memory.CleanVictim)
		return res, false
	case n.exclusive && h.Keeps && !t.Write:
		var dirty bool
		if res, dirty = b.core.MoveToUpper(t); res.Hit {
			n.movedUp++
			h.Dirty = h.Dirty || dirty
		}
		return res, true
	case n.inclusive && h.Victim == memory.RecalledDirty:
		t.NoFill = true
	}
	res = b.core.Apply(t)
	if n.inclusive {
		b.recall(res.Victim, res.Sharers)
		switch {
		case h.Keeps && res.Way == policy.Bypass:
			r.drop = true // the cache above must not keep what is not here
		case h.Keeps:
			*b.core.Holders(res.Set, res.Way) |= b.upper(r)
		case h.Victim != memory.NoVictim && res.Way != policy.Bypass:
			*b.core.Holders(res.Set, res.Way) &^= b.upper(r)
		}
	}
	return res, true
}

// recall tells the caches above that hold a line to drop it.
func (b *base) recall(line, sharers uint64) {
	if sharers == 0 {
		return
	}
	for i, p := range b.incl.uppers {
		if sharers>>min(i, 63)&1 != 0 {
			b.incl.recalls.Push(recall{line, p})
			b.incl.recalled++
		}
	}
}

// sendRecalls sends what the wire takes.
func (b *base) sendRecalls(now sim.VTimeInSec) error {
	for b.incl.recalls.Len() > 0 && b.top.CanSend() {
		q := b.incl.recalls.Pop()
		m := &memory.Recall{Addr: q.line << b.shift, Bytes: 1 << b.shift}
		m.Src, m.Dst, m.SendTime = b.top, q.dst, now
		if b.top.Send(m) != nil {
			return fmt.Errorf("cache: %s: the wire refused a message after it had room", b.Name())
		}
	}
	return nil
}

// drop gives up the line of a Recall, and reports whether it has to be written below.
func (b *base) drop(m *memory.Recall) (line uint64, dirty bool) {
	line = m.Addr >> b.shift
	sharers := b.core.SharersOf(line)
	present, dirty := b.core.Invalidate(line)
	if present {
		b.incl.lost++
		b.recall(line, sharers)
	}
	if dirty {
		b.incl.lostDirty++
	}
	return line, dirty
}

// isVictim reports whether a request brings what a cache above gave up.
func (r *request) isVictim() bool { return r.hint != nil && r.hint.Victim != memory.NoVictim }

// passDirty tells the cache above that a line which came from an exclusive cache below, for
// a request of it, has changes that memory lacks: this exclusive cache keeps nothing of it.
func (b *base) passDirty(i uint32) bool {
	if !b.incl.exclusive || i == noRequester {
		return false
	}
	h := b.requests.At(i).hint
	if h == nil || !h.Keeps {
		return false
	}
	h.Dirty = true
	return true
}

// cameDirty marks a line dirty that an exclusive cache below had changes of; false if it
// has gone since, and is to be written below.
func (b *base) cameDirty(line uint64) bool {
	if b.core.Soil(line) {
		return true
	}
	b.incl.late++
	return false
}
