package cxl

import (
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// A watch is a line whose answer is waited for.
type watch struct {
	at   int64 // when no longer
	line int32
	turn uint32 // of the line's place, which others use later
}

// watches is a queue; all wait equally long, so that the first is due first.
type watches struct {
	list []watch
	head int
}

func (w *watches) push(x watch) {
	if w.head > 64 && 2*w.head > len(w.list) {
		w.list, w.head = w.list[:copy(w.list, w.list[w.head:])], 0
	}
	w.list = append(w.list, x)
}

// next is when the first is due that still waits.
func (w *watches) next(lines *transit.Lines) int64 {
	for w.head < len(w.list) {
		x := w.list[w.head]
		if l := lines.At(x.line); l.Turn == x.turn && !l.Done {
			return x.at
		}
		w.head++
	}
	return link.Never
}
