package nest

import (
	"fmt"
	"math"
)

// room finds a level that is too small for every mapping of the space: the outermost one
// holds all tensors whole, and others what fixed factors leave inside them of the tensors
// that they have to keep. The search would draw without end.
func (s *Space) room() error {
	n, ext := s.n, make([]float64, s.n.nD)
	for l := range n.nL {
		lv := &n.a.Levels[l]
		if lv.Words == 0 {
			continue
		}
		for d := range ext {
			ext[d] = s.least(l, d)
		}
		keep := s.c.Levels[l].Keep &^ s.c.Levels[l].Bypass
		if l == 0 {
			keep = everything(n.nT)
		}
		need, have := n.words(l, keep, ext), math.Floor(lv.Words/lv.Buffering)
		if need <= have {
			continue
		}
		why := "whatever the mapping"
		if l == 0 {
			why = "which the outermost level holds whole"
		}
		return &Fault{l, fmt.Sprintf("level %s has to hold %.0f words of %s, %s: %.0f more than its %.0f", lv.Name, need, n.tensorNames(keep), why, need-have, have)}
	}
	return nil
}

// least is the least extent of dimension d in level l: what fixed factors there and inside
// multiply to; where no factor outside is free, what those outside leave.
func (s *Space) least(l, d int) float64 {
	inside, outside := 1.0, 1.0
	for i := range s.n.nL {
		c := &s.c.Levels[i]
		for _, f := range [2]int64{c.Temporal.Factor[d], c.Spatial.Factor[d]} {
			if i < l {
				outside *= float64(max(1, f))
			} else {
				inside *= float64(max(1, f))
			}
		}
	}
	for _, x := range s.slots[d] {
		if x.level < l {
			return inside
		}
	}
	return s.n.size[d] / outside
}
