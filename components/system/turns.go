package system

import "github.com/causeway-sim/causeway/memory"

// takeTurns passes to memories the addresses that they serve, of ranges by their base. A memory
// may be named several times, and then has as many turns.
func takeTurns(tiers []*tier) {
	turns := map[*element][]memory.Turn{}
	var order []*element
	for _, t := range tiers {
		for k, h := range t.homes {
			of := turns[h]
			if of == nil {
				order = append(order, h)
			}
			if n := len(of); n > 0 && of[n-1].Base == t.base {
				of[n-1].At = append(of[n-1].At, uint64(k))
				continue
			}
			turns[h] = append(of, memory.Turn{Base: t.base, Size: t.size, Of: uint64(len(t.homes)), Every: t.interleave, At: []uint64{uint64(k)}})
		}
	}
	for _, h := range order {
		if x, ok := h.node.(InterleavedHome); ok {
			x.SetInterleaving(turns[h])
		}
	}
}
