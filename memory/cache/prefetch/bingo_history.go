package prefetch

import "math/bits"

const (
	bingoWays   = 16
	bingoStream = 16 // bits of the stream in a key
	bingoLong   = 16 // bits of the line in the key of the long event
)

// bingoHistory is one table for both events. The place of a footprint is found by the short event, stream and
// offset, which is a part of the long one, stream and line; so the tag of the long one tells of both.
type bingoHistory struct {
	lines     int
	short     uint // bits of an offset
	index     uint // log2 of the sets
	threshold float64
	table     []bingoPrint // [set*bingoWays+way]
	clock     uint64
}

// A bingoPrint is a footprint, turned so that the line that triggered is the lowest bit.
type bingoPrint struct {
	tag, print uint64
	used       uint64 // 0: free
}

func newBingoHistory(lines int, s BingoSpec) bingoHistory {
	return bingoHistory{
		lines: lines, short: uint(bits.Len(uint(lines)) - 1), index: uint(bits.Len(uint(s.History/bingoWays)) - 1),
		threshold: float64(float32(s.Threshold)), table: make([]bingoPrint, s.History),
	}
}

// key returns the set and the tag of an event.
func (h *bingoHistory) key(stream, line uint64) (set []bingoPrint, tag uint64) {
	stream &= 1<<bingoStream - 1
	line &= 1<<max(bingoLong, h.short) - 1
	low := stream<<h.short | line&(1<<h.short-1)
	k := line>>h.short<<(bingoStream+h.short) | low
	if h.index > 0 {
		for low > 0 {
			low >>= h.index
			k ^= low & (1<<h.index - 1)
		}
	}
	at := k & (1<<h.index - 1)
	return h.table[at*bingoWays:][:bingoWays], k >> h.index
}

// insert remembers the footprint of an event.
func (h *bingoHistory) insert(stream, line, print uint64) {
	set, tag := h.key(stream, line)
	at := &set[0]
	for i := range set {
		x := &set[i]
		if x.used > 0 && x.tag == tag {
			at = x
			break
		}
		if x.used < at.used {
			at = x
		}
	}
	h.clock++
	*at = bingoPrint{tag, h.turn(print, h.lines-int(line%uint64(h.lines))), h.clock}
}

// find returns the footprint that is expected after an event: that of the long event if there is one, else
// the lines that enough footprints of the short one have.
func (h *bingoHistory) find(stream, line uint64) uint64 {
	set, tag := h.key(stream, line)
	mask := uint64(1)<<(bingoStream+h.short-h.index) - 1
	offset := int(line % uint64(h.lines))
	var count [64]int
	n := 0
	for i := range set {
		x := &set[i]
		switch {
		case x.used == 0 || (x.tag^tag)&mask != 0:
			continue
		case x.tag == tag:
			h.clock++
			x.used = h.clock
			return h.turn(x.print, offset)
		}
		n++
		for b := x.print; b != 0; b &= b - 1 {
			count[bits.TrailingZeros64(b)]++
		}
	}
	print := uint64(0)
	for i := range h.lines {
		if n > 0 && float64(count[i])/float64(n) >= h.threshold {
			print |= 1 << i
		}
	}
	return h.turn(print, offset)
}

// turn turns a footprint up by so many lines.
func (h *bingoHistory) turn(print uint64, by int) uint64 {
	by %= h.lines
	all := ^uint64(0) >> (64 - h.lines)
	return (print<<by | print>>(h.lines-by)) & all
}
