// Package missratio computes the miss ratios of a trace over cache sizes (miss ratio curves) in
// one pass.
//
//	r, err := missratio.Run(reader, missratio.Spec{Policies: []string{"lru"}, Sizes: []uint64{1 << 20}, Line: 64, Share: 1})
//
// For fully associative LRU an access hits in all caches of more lines than its stack distance
// (reuse.Distances). For other policies, and with sets, Run simulates one cache per size.
//
// # Sampling
//
// With Spec.Share below 1 only lines whose hash is below the share are simulated, in caches
// smaller by the share. Misses are those of the sample divided by the share, and ratios are over
// all accesses, so that a hot line inside or outside the sample changes little (Waldspurger et
// al., Efficient MRC construction with SHARDS, FAST 2015, with its correction SHARDS_adj; of
// other policies: Waldspurger et al., Cache modeling and optimization using miniature
// simulations, USENIX ATC 2017). Point.Error is twice the standard error between 16 groups of the
// sampled lines. It does not include the error of the smaller caches.
//
// # Objects
//
// If a trace has objects and their sizes (trace.Header.Objects), caches hold objects
// (memory/object), and Point.ByteRatio is the share of missed bytes. Accesses of size 0 are
// skipped, as in libCacheSim. LRU is exact for all sizes in one pass here too.
//
// Left out: write-backs, and policies that need the next use. Errors are a faulty Spec (Check)
// and those of the trace.
package missratio

import (
	"io"
	"math"

	"github.com/causeway-sim/causeway/memory/cache/reuse"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// A Point is the result of one cache. With Spec.Share below 1 Misses and Ratio are estimates, and
// Error is that of Ratio; else Error is 0.
type Point struct {
	Policy string
	Size   uint64 // bytes
	Misses uint64
	Ratio  float64 // of all accesses to lines
	Error  float64
	// ByteRatio is missed bytes over all bytes requested, with objects.
	ByteRatio float64
}

// A Result holds a point per policy and size, in that order.
type Result struct {
	Points   []Point
	Accesses uint64 // to lines: an access that touches two lines counts twice
	Sampled  uint64 // of them

	Objects bool   // accesses are to objects
	Bytes   uint64 // of all accesses to objects
	Empty   uint64 // skipped accesses to objects of 0 bytes
	Unfit   uint64 // sampled accesses to objects that fit the largest cache but not the scaled cache simulated for it
}

// groups are the parts of a sample between which the error is seen.
const groups = 16

// tally is the misses of one cache by group.
type tally [groups]uint64

// A curve is a policy at all sizes.
type curve interface {
	access(a policy.Access, group int)
	misses() []tally
}

// Run reads a trace to its end. A record that touches several lines is an access to each. A
// record of an object is one access to it, or with IgnoreSizes to one line. Only a new line or
// object allocates.
func Run(t trace.Reader, s Spec) (Result, error) {
	if s.HasObjects(t.Header()) {
		if err := s.CheckObjects(); err != nil {
			return Result{}, err
		}
		return runObjects(t, s)
	}
	if err := s.Check(); err != nil {
		return Result{}, err
	}
	var res Result
	curves, err := s.curves()
	if err != nil {
		return res, err
	}
	sized := t.Header().Fields&trace.Sizes != 0 && !t.Header().Objects
	limit := s.limit()
	var r trace.Record
	for {
		err := t.Next(&r)
		if err == io.EOF {
			break
		}
		if err != nil {
			return Result{}, err
		}
		first := r.Addr / s.Line
		last := first
		if sized && r.Size > 0 {
			last = (r.Addr + uint64(r.Size) - 1) / s.Line
		}
		for line := first; ; line++ {
			res.Accesses++
			if h := hash(line ^ s.Seed); h <= limit {
				res.Sampled++
				a := policy.Access{Line: line, PC: r.PC, Core: uint16(r.Core), Reuse: r.Reuse, Write: r.Write}
				for _, c := range curves {
					c.access(a, int(h%groups))
				}
			}
			if line >= last {
				break
			}
		}
	}
	if err := s.seen(&res); err != nil {
		return res, err
	}
	for i, c := range curves {
		for j, m := range c.misses() {
			res.Points = append(res.Points, point(s, s.Policies[i], s.Sizes[j], m, res.Accesses))
		}
	}
	return res, nil
}

// curves makes one per policy.
func (s *Spec) curves() (out []curve, err error) {
	for _, p := range s.Policies {
		if p == "lru" && s.Ways == 0 {
			out = append(out, newStack(s.lines()))
			continue
		}
		c, err := s.caches(p)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

func point(s Spec, name string, size uint64, m tally, accesses uint64) Point {
	p := Point{Policy: name, Size: size}
	var sum, squares float64
	for _, n := range m {
		sum += float64(n)
	}
	for _, n := range m {
		squares += (float64(n) - sum/groups) * (float64(n) - sum/groups)
	}
	if accesses == 0 {
		return p
	}
	p.Misses = min(uint64(math.Round(sum/s.Share)), accesses)
	p.Ratio = float64(p.Misses) / float64(accesses)
	if s.Share < 1 {
		p.Error = 2 * math.Sqrt(squares*groups/(groups-1)*(1-s.Share)) / s.Share / float64(accesses)
	}
	return p
}

// hash spreads lines evenly (Steele et al., Fast splittable pseudorandom number
// generators, OOPSLA 2014).
func hash(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// stack is fully associative LRU.
type stack struct {
	lines []int // ascending
	reuse *reuse.Distances
	least []tally // accesses that miss in all but the caches from this one on
}

func newStack(lines []int) *stack {
	return &stack{lines, reuse.New(), make([]tally, len(lines)+1)}
}

func (s *stack) access(a policy.Access, group int) {
	d := s.reuse.Access(a.Line)
	i := len(s.lines)
	if d >= 0 {
		for i > 0 && s.lines[i-1] > d {
			i--
		}
	}
	s.least[i][group]++
}

func (s *stack) misses() []tally {
	out := make([]tally, len(s.lines))
	var more tally
	for i := len(s.lines); i > 0; i-- {
		for g := range more {
			more[g] += s.least[i][g]
		}
		out[i-1] = more
	}
	return out
}

// caches is a cache of each size.
type caches struct {
	core []*tagstore.Store
	miss []tally
}

func (c *caches) access(a policy.Access, group int) {
	for i, x := range c.core {
		if !x.Access(a).Hit {
			c.miss[i][group]++
		}
	}
}

func (c *caches) misses() []tally { return c.miss }
