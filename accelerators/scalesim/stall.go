package scalesim

// stalls maps demand lines to cycles: line i is asked for in cycle i plus the
// stalls of the lines before it. The only stalls of CALC mode come from the
// write buffer, and hardly ever; nil means none.
type stalls []stall

type stall struct{ line, total uint64 } // total: stall cycles up to and with this line

// before is the cycle in which a line is asked for.
func (s stalls) before(line uint64) uint64 { return line + s.sum(line) }

// after is the cycle in which the write of a line is done.
func (s stalls) after(line uint64) uint64 { return line + s.sum(line+1) }

// sum is the stall cycles of the lines before the given one.
func (s stalls) sum(line uint64) uint64 {
	low, high := 0, len(s)
	for low < high {
		if mid := (low + high) / 2; s[mid].line < line {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == 0 {
		return 0
	}
	return s[low-1].total
}
