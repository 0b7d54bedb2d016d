package spatial

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// widths finds elements that are not as wide as the words that hold them on the chip: room,
// accesses and energy there count words, whatever workload.dtype says. Bytes to and from
// the memory follow the elements.
type widths struct {
	node  string
	given []levelWord // levels on the chip whose words the configuration gives
	all   bool        // and these are all levels on the chip
	found []string
}

type levelWord struct {
	from string // what says so
	bits int64
}

func newWidths(s *Spec, d *nest.Description, v configs.Value) *widths {
	w := &widths{node: v.Path(), all: true}
	for i := 1; i < len(s.Levels); i++ {
		from := "key word"
		switch {
		case !s.Levels[i].Word.IsZero():
			from = "key levels." + s.Levels[i].Name + ".word"
		case !v.Get("word").Exists():
			w.all = false
			continue
		}
		if x := (levelWord{from, int64(d.Arch.Levels[i].WordBits)}); !slices.Contains(w.given, x) {
			w.given = append(w.given, x)
		}
	}
	return w
}

// of compares the tensors of all products of a graph.
func (w *widths) of(g *graph.Graph) {
	for i := range g.Ops {
		op := &g.Ops[i]
		if _, ok := g.Multiplied(op); !ok {
			continue
		}
		words := w.given
		if !w.all {
			words = append(slices.Clip(words), levelWord{"as the first operand of the product", g.Tensor(op.In[0]).DType.Bits()})
		}
		for _, id := range slices.Concat(op.In[:min(3, len(op.In))], op.Out[:1]) {
			if id != graph.None {
				w.compare(g.Tensor(id).DType, words)
			}
		}
	}
}

func (w *widths) compare(d graph.DType, words []levelWord) {
	for _, x := range words {
		if d.Bits() == x.bits {
			continue
		}
		text := fmt.Sprintf("%s: elements of %s take words of %d bits on the chip (%s): room, accesses and energy there count words", w.node, d, x.bits, x.from)
		if !slices.Contains(w.found, text) {
			w.found = append(w.found, text)
		}
	}
}
