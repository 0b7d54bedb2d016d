package scalesim

// A writeBuffer drains results to DRAM as the tool does. Words fill lines as
// wide as the array; when the free space is less than half, half of the SRAM is
// drained, one line per cycle, oldest first. A drain closes the line that is
// being filled, so that a line may be written that is not full.
type writeBuffer struct {
	width  uint64 // words of a line
	keep   int64  // a drain starts when the free words are fewer
	burst  uint64 // lines of a drain
	free   int64
	filled uint64 // words in the open line
	closed uint64 // lines closed so far
	sent   uint64 // lines drained so far

	partial []partialLine // closed, not full, not yet drained
	end     int64         // last cycle of the drain

	words       uint64
	first, last int64
	started     bool
}

type partialLine struct{ line, missing uint64 }

func newWriteBuffer(capacity, width int) *writeBuffer {
	w := uint64(width)
	drain := uint64(capacity / 2)
	return &writeBuffer{width: w, keep: int64(capacity) - int64(drain), burst: (drain + w - 1) / w, free: int64(capacity)}
}

// pass writes a fold's tile; line is the first line of the fold. It moves from
// one start of a drain to the next.
//
// The tool lets the array wait when the buffer is full before a drain ends.
// That never happens: n lines drain in n-1 cycles after the one they start in,
// and free at once more than n-1 lines, while the array writes one line per
// cycle at most. So the free words never fall below what the first drain found.
func (b *writeBuffer) pass(d demand, line uint64) {
	line += uint64(d.line)
	lines := int64(d.lines())
	for at, size := uint64(0), d.size(); at < size; {
		if n := int64(d.lineOf(at)); int64(line)+n < b.end {
			during := d.before(int(min(lines, b.end-int64(line)))) - at
			b.put(during)
			at += during
			continue
		}
		need := uint64(max(1, b.free-b.keep+1))
		if need > size-at {
			b.put(size - at)
			return
		}
		b.put(need)
		at += need
		b.drain(int64(line) + int64(d.lineOf(at-1)))
	}
}

func (b *writeBuffer) put(words uint64) {
	b.free -= int64(words)
	b.filled += words
	b.closed += b.filled / b.width
	b.filled %= b.width
}

func (b *writeBuffer) drain(now int64) {
	b.close()
	lines := min(b.burst, b.closed-b.sent)
	words := lines * b.width
	b.sent += lines
	// Of the lines that are not full the tool corrects for the last one only.
	for len(b.partial) > 0 && b.partial[0].line < b.sent {
		if b.partial[0].line == b.sent-1 {
			words -= b.partial[0].missing
		}
		b.partial = b.partial[1:]
	}
	b.words += words
	b.free += int64(words)
	b.end = now + int64(lines) - 1
	if !b.started {
		b.first, b.started = now, true
	}
	b.last = max(b.last, b.end)
}

func (b *writeBuffer) close() {
	if b.filled > 0 {
		b.partial = append(b.partial, partialLine{b.closed, b.width - b.filled})
		b.closed++
		b.filled = 0
	}
}

// finish drains what is left, from the given cycle on, even while an earlier
// drain still runs.
func (b *writeBuffer) finish(now int64) Traffic {
	b.close()
	for b.sent < b.closed {
		b.drain(now)
		now = b.end + 1
	}
	return newTraffic(b.first, b.last, b.words)
}
