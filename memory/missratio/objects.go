package missratio

import (
	"io"
	"math"

	"github.com/causeway-sim/causeway/memory/object"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// HasObjects reports whether the caches hold objects of different sizes (memory/object); then
// points have a ByteRatio.
func (s *Spec) HasObjects(h *trace.Header) bool {
	return h.Objects && h.Fields&trace.Sizes != 0 && !s.IgnoreSizes
}

// An objectCurve is a rule at all sizes.
type objectCurve struct {
	stack *object.Stack // of lru
	cache []object.Cache
	hits  []bool
	miss  []tally
	lost  []uint64 // missed bytes
}

func (c *objectCurve) access(id uint64, size uint32, group int) {
	if c.stack != nil {
		c.hits = c.stack.Access(id, size)
	}
	for i, x := range c.cache {
		c.hits[i] = x.Access(id, size)
	}
	for i, hit := range c.hits {
		if !hit {
			c.miss[i][group]++
			c.lost[i] += uint64(size)
		}
	}
}

// scaled is the bytes of a cache in the sample.
func (s *Spec) scaled(n uint64) uint64 {
	if s.Share == 1 {
		return n
	}
	return max(1, uint64(math.Round(float64(n)*s.Share)))
}

// objectCurves makes the caches, in the sample.
func (s *Spec) objectCurves() ([]*objectCurve, error) {
	sizes := make([]uint64, len(s.Sizes))
	for i, n := range s.Sizes {
		sizes[i] = s.scaled(n)
	}
	var out []*objectCurve
	for _, name := range s.Policies {
		c := &objectCurve{miss: make([]tally, len(sizes)), lost: make([]uint64, len(sizes)), hits: make([]bool, len(sizes))}
		out = append(out, c)
		if name == "lru" {
			c.stack = object.NewStack(sizes)
			continue
		}
		for _, n := range sizes {
			x, err := object.New(name, n)
			if err != nil {
				return nil, err
			}
			c.cache = append(c.cache, x)
		}
	}
	return out, nil
}

// runObjects is Run on a trace of objects.
func runObjects(t trace.Reader, s Spec) (Result, error) {
	res := Result{Objects: true}
	curves, err := s.objectCurves()
	if err != nil {
		return res, err
	}
	limit := s.limit()
	largest := s.Sizes[len(s.Sizes)-1]
	fits := s.scaled(largest)
	var r trace.Record
	for {
		err := t.Next(&r)
		if err == io.EOF {
			break
		}
		if err != nil {
			return res, err
		}
		if r.Size == 0 {
			res.Empty++
			continue
		}
		res.Accesses++
		res.Bytes += uint64(r.Size)
		h := hash(r.Addr ^ s.Seed)
		if h > limit {
			continue
		}
		res.Sampled++
		if n := uint64(r.Size); n > fits && n <= largest {
			res.Unfit++
		}
		for _, c := range curves {
			c.access(r.Addr, r.Size, int(h%groups))
		}
	}
	if err := s.seen(&res); err != nil {
		return res, err
	}
	for i, c := range curves {
		for j, m := range c.miss {
			p := point(s, s.Policies[i], s.Sizes[j], m, res.Accesses)
			if res.Bytes > 0 {
				p.ByteRatio = min(1, float64(c.lost[j])/s.Share/float64(res.Bytes))
			}
			res.Points = append(res.Points, p)
		}
	}
	return res, nil
}
