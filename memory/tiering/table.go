package tiering

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
)

// noFrame is what a page has that was never touched.
const noFrame = ^uint32(0)

// A span is one range of addresses, as pages and as frames: the page of that
// number has the addresses that requesters use, the frame those of the memory.
type span struct {
	base  uint64
	first uint32 // number of its first page
	pages uint32
	tier  int8
}

// table is the page table. Page and frame numbers count all pages of all ranges by
// address; a page may live in any frame.
type table struct {
	shift uint
	spans []span
	frame []uint32 // by page
	info  []placement.Page
	tiers []frames
}

// frames are those of one tier.
type frames struct {
	limit int      // that may be used
	used  int      // that are
	fresh []span   // ranges of the tier, by address; frames that were never used begin at first
	back  []uint32 // given back
}

// add takes in the ranges of a tier, of which the lowest capacity bytes are used; 0
// is all.
func (t *table) add(tier int, m *memory.Map, capacity uint64) error {
	page := uint64(1) << t.shift
	left := capacity >> t.shift
	if capacity == 0 {
		left = MaxPages + 1
	}
	if capacity&(page-1) != 0 {
		return fmt.Errorf("a capacity of %s is no whole number of pages of %s", units.Bytes(capacity), units.Bytes(page))
	}
	for _, r := range m.Ranges() {
		switch {
		case r.Base&(page-1) != 0 || r.Size&(page-1) != 0:
			return fmt.Errorf("range %s at %#x of %s is no whole number of pages of %s", r.Tier, r.Base, units.Bytes(r.Size), units.Bytes(page))
		case r.Size>>t.shift > MaxPages:
			return fmt.Errorf("range %s has %d pages (want at most %d: give it a size in the memory section)", r.Tier, r.Size>>t.shift, MaxPages)
		}
		n := min(r.Size>>t.shift, left)
		t.spans = append(t.spans, span{base: r.Base, pages: uint32(r.Size >> t.shift), tier: int8(tier)})
		t.tiers[tier].limit += int(n)
		left -= n
	}
	if capacity != 0 && left > 0 {
		return fmt.Errorf("a capacity of %s: its ranges have %s only", units.Bytes(capacity), units.Bytes(capacity-left<<t.shift))
	}
	return nil
}

// build numbers the pages once all tiers are known.
func (t *table) build() error {
	slices.SortFunc(t.spans, func(a, b span) int {
		if a.base < b.base {
			return -1
		}
		return 1
	})
	n := uint32(0)
	for i := range t.spans {
		s := &t.spans[i]
		s.first = n
		n += s.pages
		if n > MaxPages {
			return fmt.Errorf("more than %d pages", MaxPages)
		}
		t.tiers[s.tier].fresh = append(t.tiers[s.tier].fresh, *s)
	}
	t.frame, t.info = make([]uint32, n), make([]placement.Page, n)
	for i := range t.frame {
		t.frame[i] = noFrame
		t.info[i].Tier = placement.Nowhere
	}
	return nil
}

// reserve takes n frames of a tier away from the pages.
func (t *table) reserve(tier, n int) ([]uint32, error) {
	f := &t.tiers[tier]
	if n >= f.limit {
		return nil, fmt.Errorf("tier %d has %d frames, and the page table needs %d", tier, f.limit, n)
	}
	out := make([]uint32, n)
	for i := range out {
		out[i], _ = t.take(tier)
	}
	f.limit -= n
	f.used -= n
	return out, nil
}

// page is the number of the page of an address.
func (t *table) page(addr uint64) (page uint32, ok bool) {
	for i := range t.spans {
		s := &t.spans[i]
		if d := addr - s.base; addr >= s.base && d>>t.shift < uint64(s.pages) {
			return s.first + uint32(d>>t.shift), true
		}
	}
	return 0, false
}

// address is the first address of a frame.
func (t *table) address(frame uint32) uint64 {
	for i := len(t.spans) - 1; ; i-- {
		if s := &t.spans[i]; frame >= s.first {
			return s.base + uint64(frame-s.first)<<t.shift
		}
	}
}

// take is a free frame of a tier, the lowest that was never used or the last that
// was given back; false where the tier is full.
func (t *table) take(tier int) (frame uint32, ok bool) {
	f := &t.tiers[tier]
	if f.used == f.limit {
		return noFrame, false
	}
	f.used++
	if n := len(f.back); n > 0 {
		frame, f.back = f.back[n-1], f.back[:n-1]
		return frame, true
	}
	s := &f.fresh[0]
	frame = s.first
	s.first++
	if s.pages--; s.pages == 0 {
		f.fresh = f.fresh[1:]
	}
	return frame, true
}

// give frees a frame.
func (t *table) give(tier int, frame uint32) {
	t.tiers[tier].used--
	t.tiers[tier].back = append(t.tiers[tier].back, frame)
}

// translate is where an address lives, given the frame of its page.
func (t *table) translate(addr uint64, page uint32) uint64 {
	return t.address(t.frame[page]) + addr&(1<<t.shift-1)
}

func log2(b units.Bytes) uint { return uint(bits.TrailingZeros64(uint64(b))) }
