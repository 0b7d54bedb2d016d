package deadlock

import "math/bits"

// cycle looks for a closed chain of channels by depth-first search.
func (c *checker) cycle() []Channel {
	const (
		white = iota
		grey
		black
	)
	color := make([]uint8, len(c.leads))
	at := make([]int16, len(c.leads)) // next bit of the row to try
	for root := range c.leads {
		if color[root] != white || c.leads[root] == absent {
			continue
		}
		path := []int32{int32(root)}
		color[root] = grey
		for len(path) > 0 {
			n := path[len(path)-1]
			bit := c.step(int(n), int(at[n]))
			if bit == absent {
				color[n] = black
				path = path[:len(path)-1]
				continue
			}
			at[n] = int16(bit + 1)
			next := c.first[c.leads[n]]*int32(c.classes) + int32(bit)
			switch color[next] {
			case white:
				color[next] = grey
				path = append(path, next)
			case grey:
				i := len(path) - 1
				for path[i] != next {
					i--
				}
				var out []Channel
				for _, ch := range append(path[i:], next) {
					out = append(out, c.channel(ch))
				}
				return out
			}
		}
	}
	return nil
}

// step is the first bit, from one on, of the row of a channel, or absent if there is none.
func (c *checker) step(ch, from int) int {
	row := c.edges[ch*c.words : (ch+1)*c.words]
	for w := from / 64; w < len(row); w++ {
		set := row[w]
		if w == from/64 {
			set &= ^uint64(0) << (from % 64)
		}
		if set != 0 {
			return w*64 + bits.TrailingZeros64(set)
		}
	}
	return absent
}

func (c *checker) channel(ch int32) Channel {
	port := int(ch) / c.classes
	r := int(c.owner[port])
	return Channel{r, port - int(c.first[r]), int(ch) % c.classes}
}
