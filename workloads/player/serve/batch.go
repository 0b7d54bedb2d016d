package serve

import (
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/serving"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// batch puts the sequences of a step into groups of equal ones, in the order of the step.
// Sequences that get one token attend to whole blocks.
func (c *Comp) batch(s *serving.Step) work.Batch {
	var b work.Batch
	at := map[zoo.Group]int{}
	for i := range s.Parts {
		p := &s.Parts[i]
		g := zoo.Group{Requests: 1, Tokens: p.Tokens, Context: p.Entries + p.Tokens, Sample: p.Sample}
		if p.Tokens == 1 {
			g.Context = (g.Context + c.spec.Block - 1) / c.spec.Block * c.spec.Block
		}
		if k, ok := at[g]; ok {
			b.Groups[k].Requests++
			continue
		}
		at[g] = len(b.Groups)
		b.Groups = append(b.Groups, g)
		b.At = append(b.At, p.Sequence.Place()*c.spec.Block)
	}
	for k, g := range b.Groups { // entries that lie one after the other end within the memory
		b.At[k] = max(min(b.At[k], c.entries-g.Requests*g.Context), 0)
	}
	return b
}
