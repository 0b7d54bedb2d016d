package cache

import "github.com/causeway-sim/causeway/memory/cache/tagstore"

// A Prefetch says which lines are brought before they are asked for.
type Prefetch struct {
	// Name of the rule.
	Name string `yaml:"name" jsonschema:"enum=none,enum=next_line,enum=tile,enum=stream" doc:"None; the lines after one that missed; the lines as far ahead of it as the request is long; or those of a page that reads go through, up or down"`
	// Degree is how many.
	Degree int `yaml:"degree" jsonschema:"minimum=1,maximum=64" doc:"Lines, or requests, ahead; of a stream at most, two for a read"`
}

// due is how many lines an access calls for: see next.
func (b *base) due(t *tagstore.Touch, res *tagstore.Result) int {
	switch {
	case !b.core.Prefetching():
		return 0
	case b.streams != nil:
		if t.Write {
			return 0
		}
		return b.streams.Note(t.Line)
	case res.Calls():
		return b.spec.Prefetch.Degree
	}
	return 0
}

// took notes that of the lines that an access calls for the first n are brought or there.
func (b *base) took(n int) {
	if b.streams != nil {
		b.streams.Took(n)
	}
}

// next is the d-th line ahead of an access; false if there is none: it lies behind
// the end of its tensor or of the memories below.
func (b *base) next(r *request, t *tagstore.Touch, d int) (p tagstore.Touch, ok bool) {
	if t.Write && t.NoFill {
		return p, false // what is written around is not read next
	}
	stride := uint64(1)
	if b.spec.Prefetch.Name == "tile" {
		stride = uint64(b.lines(r))
	}
	p = tagstore.Touch{Access: t.Access, Sectors: b.core.Whole()}
	p.Line += stride * uint64(d+1)
	if b.streams != nil {
		p.Line = b.streams.Line(d)
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
func (b *base) do(r *request, t *tagstore.Touch, slice int) tagstore.Result {
	res, counted := b.accessCore(r, t)
	b.lapse(&res)
	if !counted {
		return res
	}
	if r.task != 0 {
		b.step(r, &res)
	}
	if b.detail != nil {
		b.detail.Note(r.hint, slice, &res)
	}
	if b.profile != nil {
		b.profile.Note(r.hint, &res)
	}
	if b.reuse != nil {
		b.reuse.Access(t.Line)
	}
	return res
}
