package system

import "github.com/causeway-sim/causeway/memory"

// shareRanges tells memories which addresses come to them, of ranges by their base.
func shareRanges(tiers []*tier) {
	turns := map[*element][]memory.Turn{}
	var order []*element
	for _, t := range tiers {
		for _, h := range t.homes {
			if turns[h] == nil {
				order = append(order, h)
			}
			turns[h] = append(turns[h], memory.Turn{Base: t.base, Size: t.size, Of: uint64(len(t.homes)), Every: t.interleave})
		}
	}
	for _, h := range order {
		if x, ok := h.node.(TurnTaker); ok {
			x.TakeTurns(turns[h])
		}
	}
}
