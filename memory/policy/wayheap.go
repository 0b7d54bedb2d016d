package policy

// wayHeap finds the way of the largest key of a set in logarithmic time; among
// equals the lowest way.
type wayHeap struct {
	ways int
	key  []uint64 // [set*ways+way], owned by the user
	way  []uint32 // [set*ways+slot] heap order
	slot []uint32 // [set*ways+way] where it stands
}

func newWayHeap(g Geometry, key []uint64) *wayHeap {
	h := &wayHeap{g.Ways, key, make([]uint32, len(key)), make([]uint32, len(key))}
	for i := range key {
		h.way[i] = uint32(i % g.Ways)
		h.slot[i] = uint32(i % g.Ways)
	}
	return h
}

func (h *wayHeap) top(set int) int { return int(h.way[set*h.ways]) }

// fix restores the order after the key of way has changed.
func (h *wayHeap) fix(set, way int) {
	base := set * h.ways
	key, ways, slot := h.key[base:][:h.ways], h.way[base:][:h.ways], h.slot[base:][:h.ways]
	above := func(a, b uint32) bool { return key[a] > key[b] || key[a] == key[b] && a < b }
	i, w := int(slot[way]), uint32(way)
	for i > 0 && above(w, ways[(i-1)/2]) {
		ways[i] = ways[(i-1)/2]
		slot[ways[i]] = uint32(i)
		i = (i - 1) / 2
	}
	for {
		c := 2*i + 1
		if c >= h.ways {
			break
		}
		if c+1 < h.ways && above(ways[c+1], ways[c]) {
			c++
		}
		if !above(ways[c], w) {
			break
		}
		ways[i] = ways[c]
		slot[ways[i]] = uint32(i)
		i = c
	}
	ways[i] = w
	slot[w] = uint32(i)
}
