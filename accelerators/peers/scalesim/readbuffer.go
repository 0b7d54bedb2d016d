package scalesim

import "fmt"

// A readBuffer estimates, as the tool does in CALC mode, when a double buffered
// SRAM must be filled from DRAM. Reads never wait; the bandwidth that this
// takes is a result.
//
// The serving half holds the words requested since the last swap. Another word is fetched; when
// the half is full the halves swap, and all words of the old one are dropped, also those that the
// array requests next.
type readBuffer struct {
	set   uint64 // words of a hundredth of the SRAM
	half  uint64 // words of 50 sets
	words uint64 // different words since the last turn, fewer than half
	turns uint64

	first      int64 // cycle of the first request
	last       int64 // cycle of the last turn
	impossible bool  // two turns in one cycle
}

// defaultFill is the words per cycle of the very first fetch, a constant in the
// tool.
const defaultFill = 10

func newReadBuffer(capacity, firstLine int) *readBuffer {
	set := uint64(capacity / 100)
	return &readBuffer{set: set, half: 50 * set, first: int64(firstLine)}
}

// turn empties the half that served; it got full by a request of this line.
// The words of the next half are fetched between this turn and the one
// before.
func (b *readBuffer) turn(line uint64) {
	b.impossible = b.impossible || b.turns > 0 && int64(line) == b.last
	b.last = int64(line)
	b.turns++
	b.words = 0
}

// finish is the traffic after the last request.
func (b *readBuffer) finish(operand string) (Traffic, error) {
	if b.turns == 0 {
		// All words fit. The tool fetches whole sets before cycle 0, whatever the cycle of the
		// first request.
		sets := (b.words + b.set - 1) / b.set
		return newTraffic(-fill(sets*b.set), -1, b.words), nil
	}
	if b.impossible {
		return Traffic{}, fmt.Errorf("scalesim: half of the %s SRAM, %d words, is asked for twice within one cycle: the tool divides by a window of zero cycles (want a larger SRAM or a smaller array)", operand, b.half)
	}
	return newTraffic(b.first-fill(b.half), b.last+1, b.turns*b.half+b.words), nil
}

// fill is how long the first fetch takes.
func fill(words uint64) int64 { return int64((words + defaultFill - 1) / defaultFill) }

// A tileState is the part of a tile that the serving half holds: the places from from on, if
// there was no swap since.
type tileState struct {
	turns uint64
	known bool
	from  uint64
}

// pass requests a tile of which no word occurs twice, nor in another tile. The half holds a tail
// of such a tile's order of demand: the part after the last swap. So only swaps take run time,
// and of many in one tile only the first and the last.
func (b *readBuffer) pass(d demand, s *tileState, line uint64) {
	missing := d.size()
	if s.known && s.turns == b.turns {
		missing = s.from
	}
	at, tail := uint64(0), uint64(0)
	for b.words+missing-at >= b.half {
		at += b.half - b.words
		b.turn(line + uint64(d.line+d.lineOf(at-1)))
		tail, missing = at, d.size()
		if more := (missing - at) / b.half; more > 2 && b.half > uint64(d.width()) {
			at += (more - 1) * b.half
			b.turns += more - 1
		}
	}
	b.words += missing - at
	*s = tileState{turns: b.turns, known: true, from: tail}
}
