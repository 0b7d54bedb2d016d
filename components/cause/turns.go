package cause

// Turns books the time of a node by what it does: one thing in each instant, the first of the
// node's list that holds. Thing 0 is nothing. Times are in whatever unit the node counts, and
// never go back.
type Turns struct {
	sums  [8]uint64
	now   uint8
	since uint64
}

// Turn says that the node does something else from a time on.
func (t *Turns) Turn(at uint64, to int) {
	t.sums[t.now] += at - min(at, t.since)
	t.now, t.since = uint8(to), max(at, t.since)
}

// Sum is the time of a thing up to the last turn.
func (t *Turns) Sum(of int) uint64 { return t.sums[of] }
