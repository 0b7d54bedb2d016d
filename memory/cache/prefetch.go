package cache

import "github.com/causeway-sim/causeway/memory/policy"

// A Prefetch says which lines are brought before they are asked for.
type Prefetch struct {
	// Name of the rule.
	Name string `yaml:"name" jsonschema:"enum=none,enum=next_line,enum=tile,enum=stream" doc:"None; the lines behind one that missed; the lines as far ahead of it as the request is long; or those of a page that reads go through, up or down"`
	// Degree is how many.
	Degree int `yaml:"degree" jsonschema:"minimum=1,maximum=64" doc:"Lines, or requests, ahead; of a stream at most, two for a read"`
}

// Prefetches makes room to note which lines were brought ahead.
func (c *Core) Prefetches() { c.ahead = make([]bool, len(c.tags)) }

// Prefetch brings a line in that nobody has asked for yet, unless it is there or
// the policy keeps it out. It is no access: only evictions and prefetches count.
func (c *Core) Prefetch(t Touch) Result {
	set := c.index.Set(t.Line)
	r := Result{Set: set, Way: policy.Bypass}
	if t.NoFill || c.way(set, t.Line) >= 0 || !c.room(&t, &r) {
		r.Bypassed = true
		return r
	}
	c.counts.Prefetches++
	i := set*c.ways + r.Way
	c.place(set, r.Way, t.Line)
	c.dirty[i], c.ahead[i] = 0, true
	if c.valid != nil {
		c.valid[i] = c.whole
	}
	if c.used != nil {
		c.used[i] = false
	}
	if c.stream != nil {
		c.stream[i] = t.Stream
	}
	r.Fetch = c.whole
	p := c.part(r.Way)
	p.policy.Fill(set, r.Way-p.from, t.Access)
	return r
}

// calls reports whether an access calls for a prefetch: it missed, or it is the
// first to use a line that was prefetched (tagged prefetch).
func (r *Result) calls() bool { return !r.Hit || r.First }

// due is how many lines an access calls for: see next.
func (b *base) due(t *Touch, res *Result) int {
	switch {
	case b.core.ahead == nil:
		return 0
	case b.streams != nil:
		if t.Write {
			return 0
		}
		return b.streams.note(t.Line)
	case res.calls():
		return b.spec.Prefetch.Degree
	}
	return 0
}

// took notes that of the lines that an access calls for the first n are brought or there.
func (b *base) took(n int) {
	if b.streams != nil {
		b.streams.took(n)
	}
}

// next is the d-th line ahead of an access; false if there is none: it lies behind
// the end of its tensor or of the memories below.
func (b *base) next(r *request, t *Touch, d int) (p Touch, ok bool) {
	if t.Write && t.NoFill {
		return p, false // what is written around is not read next
	}
	stride := uint64(1)
	if b.spec.Prefetch.Name == "tile" {
		stride = uint64(b.lines(r))
	}
	p = Touch{Access: t.Access, Sectors: b.core.whole}
	p.Line += stride * uint64(d+1)
	if b.streams != nil {
		p.Line = b.streams.line(d)
	}
	p.Write, p.Reuse = false, 0
	addr := p.Line << b.shift
	if r.hint != nil && r.hint.About != nil && r.hint.About.Bytes > 0 && addr >= r.hint.About.Base+r.hint.About.Bytes {
		return p, false
	}
	if _, _, _, ok := b.below.homes.Find(addr); !ok {
		return p, false
	}
	if len(b.spec.Regions) > 0 {
		b.classify(r, &p)
	}
	return p, true
}

// do does an access and counts it wherever it is to be counted.
func (b *base) do(r *request, t *Touch, slice int) Result {
	res, counted := b.accessCore(r, t)
	b.lapse(&res)
	if !counted {
		return res
	}
	if r.task != 0 {
		b.step(r, &res)
	}
	if b.detail != nil {
		b.detail.note(r.hint, slice, &res)
	}
	if b.profile != nil {
		b.profile.note(r.hint, &res)
	}
	if b.reuse != nil {
		b.reuse.Access(t.Line)
	}
	return res
}
