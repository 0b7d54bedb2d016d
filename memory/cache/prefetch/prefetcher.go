package prefetch

import "github.com/causeway-sim/causeway/memory/cache/tagstore"

// A Spec says which lines are brought before they are asked for.
type Spec struct {
	// Name of the rule.
	Name string `yaml:"name" jsonschema:"enum=none,enum=next_line,enum=tile,enum=stream" doc:"None; the lines after one that missed; the lines as far ahead of it as the request is long; or those of a page that reads go through, up or down"`
	// Degree is how many.
	Degree int `yaml:"degree" jsonschema:"minimum=1,maximum=64" doc:"Lines, or requests, ahead; of a stream at most, two for a read"`
}

// A Prefetcher says which lines an access calls for. The zero value calls for none.
type Prefetcher struct {
	degree  int // 0: none
	tile    bool
	streams *Streams // nil: none are looked for
}

// New returns the prefetcher of a cache with lines of so many bytes.
func New(s Spec, line uint64) Prefetcher {
	if s.Name == "none" || s.Name == "" {
		return Prefetcher{}
	}
	p := Prefetcher{degree: s.Degree, tile: s.Name == "tile"}
	if s.Name == "stream" {
		p.streams = NewStreams(line, s.Degree)
	}
	return p
}

// Due returns how many lines an access calls for: see Line.
func (p *Prefetcher) Due(t *tagstore.Touch, res *tagstore.Result) int {
	switch {
	case p.degree == 0:
		return 0
	case p.streams != nil:
		if t.Write {
			return 0
		}
		return p.streams.Note(t.Line)
	case res.Calls():
		return p.degree
	}
	return 0
}

// Line returns the d-th line, from 0, that an access to a line calls for, by a request of so many lines.
func (p *Prefetcher) Line(line uint64, lines, d int) uint64 {
	switch {
	case p.streams != nil:
		return p.streams.Line(d)
	case p.tile:
		return line + uint64(lines)*uint64(d+1)
	}
	return line + uint64(d+1)
}

// Took notes that the first n lines that an access calls for are brought or there. A stream calls for
// the others again.
func (p *Prefetcher) Took(n int) {
	if p.streams != nil {
		p.streams.Took(n)
	}
}

// AsksAgain reports whether lines that are not taken are called for again.
func (p *Prefetcher) AsksAgain() bool { return p.streams != nil }
