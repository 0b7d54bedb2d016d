package prefetch

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Deltas that came after the same deltas in other pages are followed, as far as their chances allow, and into a
// page that is new.
func TestSPPFollowsSignatures(t *testing.T) {
	p := prefetcher(t, "spp", nil)
	for page := range uint64(6) {
		reads(p, 0, page<<6, page<<6|2, page<<6|5, page<<6|7)
	}
	require.Subset(t, reads(p, 0, 100<<6, 100<<6|2), []uint64{100<<6 | 5})
	require.NotContains(t, reads(p, 0, 101<<6, 101<<6|3), uint64(101<<6|6), "after 3 came 2")
	require.Empty(t, lines(p, Access{Line: 102 << 6, Write: true}))
}

// A lookahead that leaves its page gives the page that begins where it would have gone on its signature.
func TestSPPCrossesPages(t *testing.T) {
	p := prefetcher(t, "spp", nil)
	var page []uint64
	for line := uint64(1); line < 64; line += 2 {
		page = append(page, line)
	}
	reads(p, 0, page...)
	require.Contains(t, reads(p, 0, 50<<6|1), uint64(50<<6|3), "the first access to a page")
	require.NotContains(t, reads(p, 0, 60<<6|2), uint64(60<<6|4))
}

// Lines that are called for and not used lower the accuracy, and with it the reach of a lookahead.
func TestSPPCountsItsAccuracy(t *testing.T) {
	p := prefetcher(t, "spp", SPPSpec{Pages: 256, Patterns: 512, Filter: 1024, Crossings: 8, Threshold: 25, Sure: 50})
	s := p.rule.(*spp)
	var page []uint64
	for line := range uint64(64) {
		page = append(page, line)
	}
	reads(p, 0, page...)
	reads(p, 0, page[1:]...)
	require.Positive(t, s.useful)
	brought := reads(p, 0, 7<<6, 7<<6|1, 7<<6|2)
	require.Contains(t, brought, uint64(7<<6|3))
	require.NotContains(t, reads(p, 0, 7<<6|2), uint64(7<<6|3), "not twice")
	useful := s.useful
	s.Evict(7<<6 | 3)
	require.Equal(t, useful-1, s.useful)
	s.Evict(7<<6 | 3)
	require.Equal(t, useful-1, s.useful, "once")
}

func TestSPPRefuses(t *testing.T) {
	_, err := New(Named("spp", nil), Geometry{Line: 4096})
	require.ErrorContains(t, err, "want lines of at most 2KiB")
	for want, change := range map[string]func(s *SPPSpec){
		"filter is 1000 (want a power of two":   func(s *SPPSpec) { s.Filter = 1000 },
		"fill_threshold is 10 (want 25 to 100)": func(s *SPPSpec) { s.Sure = 10 },
		"pages is 0":                            func(s *SPPSpec) { s.Pages = 0 },
		"patterns is 4097":                      func(s *SPPSpec) { s.Patterns = 4097 },
		"crossings is 0":                        func(s *SPPSpec) { s.Crossings = 0 },
		"prefetch_threshold is 0":               func(s *SPPSpec) { s.Threshold = 0 },
	} {
		e, _ := All.Entry("spp")
		s := e.Spec.(SPPSpec)
		change(&s)
		_, err := New(Named("spp", s), Geometry{Line: 64})
		require.ErrorContains(t, err, want)
	}
}
