package serve

import (
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/serving"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// batch puts the sequences of a step into groups: each chunk of a prompt is one, and those
// that compute one token are one together, which attend to the mean of their entries. Work
// and bytes of attention grow with entries, so that the mean stands for all. A step that
// is recorded is padded.
func (c *Comp) batch(s *serving.Step) work.Batch {
	var b work.Batch
	one, entries := -1, 0
	for i, g := range groupsOf(s) {
		p := &s.Parts[i]
		if p.Single() {
			if entries += p.Entries + 1; g < len(b.Groups) {
				b.Groups[g].Requests++
				continue
			}
			one = g
		}
		b.Groups = append(b.Groups, zoo.Group{Requests: 1, Tokens: p.Tokens, Context: p.Entries + p.Tokens, Sample: p.Sample})
		b.At = append(b.At, p.Sequence.Place()*c.spec.Block)
	}
	if one >= 0 {
		g := &b.Groups[one]
		g.Context = (entries + g.Requests - 1) / g.Requests
	}
	if c.sample != nil {
		for k := range b.Groups {
			b.Groups[k].Context = c.alike(&b.Groups[k])
		}
	}
	for k, g := range b.Groups { // entries that lie one after the other end within the memory
		b.At[k] = max(min(b.At[k], c.entries-g.Requests*g.Context), 0)
	}
	if n := c.recorded(s) - s.Tokens; n > 0 {
		b.Groups = append(b.Groups, zoo.Group{Requests: n, Tokens: 1, Context: 1})
		b.At, b.Padding = append(b.At, 0), true
	}
	return b
}

// groupsOf is the group of each part.
func groupsOf(s *serving.Step) []int {
	out := make([]int, len(s.Parts))
	one, n := -1, 0
	for i := range s.Parts {
		if s.Parts[i].Single() && one >= 0 {
			out[i] = one
			continue
		}
		if out[i] = n; s.Parts[i].Single() {
			one = n
		}
		n++
	}
	return out
}

// recorded is the number of tokens of the recorded step for a step, or its own where none is.
func (c *Comp) recorded(s *serving.Step) int {
	if c.eager(s) {
		return s.Tokens
	}
	return padded(s.Tokens, c.spec.Graphs)
}

// eager reports whether a step is not recorded as a graph.
func (c *Comp) eager(s *serving.Step) bool {
	return s.Tokens > c.spec.Graphs || s.Prompts() && c.traits.Single
}

// padded is the number of tokens of the recorded step for a number of tokens: vLLM records steps
// of 1, 2, 4, multiples of 8 up to 256 and of 16 beyond.
func padded(tokens, most int) int {
	n := tokens
	switch {
	case tokens <= 2:
	case tokens <= 4:
		n = 4
	case tokens <= 256:
		n = (tokens + 7) / 8 * 8
	default:
		n = (tokens + 15) / 16 * 16
	}
	if n > most {
		return tokens
	}
	return n
}
