package missratio

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/object"
	"github.com/causeway-sim/causeway/memory/policy"
)

// A Spec selects the caches. Sizes and Line are in bytes.
type Spec struct {
	Policies []string
	Sizes    []uint64 // ascending
	Line     uint64
	Ways     int     // 0: fully associative
	Share    float64 // sampled share of lines, above 0 to 1
	Seed     uint64  // of the sample, and of random policies
	// IgnoreSizes treats every object as one line.
	IgnoreSizes bool
}

// leastSampled is how many lines a cache must have in the sample.
// assumption: below it the smaller cache is another one, by its granularity alone.
const leastSampled = 16

// Check returns all errors of a Spec at once.
func (s *Spec) Check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if !(s.Share > 0 && s.Share <= 1) {
		bad("sample %g: want a share above 0, at most 1", s.Share)
		return errors.Join(errs...)
	}
	if len(s.Policies) == 0 {
		bad("no policy (want one of: %s)", strings.Join(policy.All.Names(), ", "))
	}
	if len(s.Sizes) == 0 {
		bad("no sizes (want for example 64KiB,1MiB)")
	}
	if s.Ways < 0 {
		bad("ways: %d (want at least 0)", s.Ways)
	}
	set := s.Line * uint64(max(1, s.Ways))
	for i, n := range s.Sizes {
		switch {
		case n == 0 || n%set != 0:
			bad("size %d: want a multiple of %d B", n, set)
		case i > 0 && n <= s.Sizes[i-1]:
			bad("size %d: sizes want to ascend", n)
		case n/s.Line > math.MaxInt32:
			bad("size %d: want at most %d lines", n, math.MaxInt32)
		case s.Share < 1 && float64(n/s.Line)*s.Share < float64(max(leastSampled, s.Ways)):
			bad("size %d: a share of %g of its %d lines is less than %d: want a larger sample", n, s.Share, n/s.Line, max(leastSampled, s.Ways))
		}
	}
	for i, p := range s.Policies {
		if slices.Contains(s.Policies[:i], p) {
			bad("policy %s is named twice", p)
		}
		if len(errs) == 0 && (p != "lru" || s.Ways > 0) {
			errs = append(errs, s.try(p))
		}
	}
	return errors.Join(errs...)
}

// CheckObjects is like Check, for a trace for which HasObjects is true.
func (s *Spec) CheckObjects() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if !(s.Share > 0 && s.Share <= 1) {
		bad("sample %g: want a share above 0, at most 1", s.Share)
	}
	if len(s.Policies) == 0 {
		bad("no policy (want one of: %s)", strings.Join(object.All.Names(), ", "))
	}
	if len(s.Sizes) == 0 {
		bad("no sizes (want for example 64MB,1GB)")
	}
	if s.Ways != 0 {
		bad("ways: %d: objects that differ in size have no sets (leave it out, or ignore sizes)", s.Ways)
	}
	for i, n := range s.Sizes {
		if n == 0 || n > 1<<62 {
			bad("size %d: want 1 to 2^62 B", n)
		} else if i > 0 && n <= s.Sizes[i-1] {
			bad("size %d: sizes want to ascend", n)
		}
	}
	for i, p := range s.Policies {
		if slices.Contains(s.Policies[:i], p) {
			bad("policy %s is named twice", p)
		} else if _, ok := object.All.Entry(p); !ok {
			bad("policy %s knows no sizes of objects (want one of: %s, or ignore sizes)", p, strings.Join(object.All.Names(), ", "))
		}
	}
	return errors.Join(errs...)
}

// try makes the smallest cache of a policy, and checks the largest.
func (s *Spec) try(name string) error {
	lines := s.lines()
	ways := s.Ways
	if ways == 0 {
		if most := lines[len(lines)-1]; most > math.MaxUint16 {
			return fmt.Errorf("policy %s: %d lines in one set (want at most %d: give ways, or a smaller sample)", name, most, math.MaxUint16)
		}
		ways = lines[0]
	}
	p, err := policy.New(name, policy.Geometry{Sets: 1, Ways: ways, Line: int(s.Line)}, nil)
	if err != nil {
		return err
	}
	if _, ok := p.(policy.NextUsePolicy); ok {
		return fmt.Errorf("policy %s wants the next use of a line, which one pass over a trace does not know", name)
	}
	return nil
}

// lines are those of each cache, in the sample.
func (s *Spec) lines() []int {
	out := make([]int, len(s.Sizes))
	for i, n := range s.Sizes {
		out[i] = int(math.Round(float64(n/s.Line) * s.Share))
	}
	return out
}

// seen refuses a sample of nothing, whose ratios would be 0.
func (s *Spec) seen(res *Result) error {
	if res.Accesses > 0 && res.Sampled == 0 {
		return fmt.Errorf("sample %g: none of %d accesses is in it (want a larger one, or another seed)", s.Share, res.Accesses)
	}
	return nil
}

// limit is the largest hash of a sampled line.
func (s *Spec) limit() uint64 {
	if s.Share == 1 {
		return math.MaxUint64
	}
	return uint64(s.Share * (1 << 63) * 2)
}

// caches makes one per size.
func (s *Spec) caches(name string) (*caches, error) {
	c := &caches{miss: make([]tally, len(s.Sizes))}
	for _, n := range s.lines() {
		ways := n
		if s.Ways > 0 {
			ways = s.Ways
		}
		g := policy.Geometry{Sets: n / ways, Ways: ways, Line: int(s.Line), Seed: s.Seed}
		p, err := policy.New(name, g, nil)
		if err != nil {
			return nil, err
		}
		x, err := tagstore.NewIndex(g.Sets, 1, "linear")
		if err != nil {
			return nil, err
		}
		c.core = append(c.core, tagstore.New(x, ways, p))
	}
	return c, nil
}
