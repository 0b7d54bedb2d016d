package cause

// Busy counts the time in which at least one of several things is under way, in whatever
// unit its times are. Times never go back.
type Busy struct {
	open  int
	since uint64
	Sum   uint64 // of the intervals that have ended
}

// Begin notes that one more is under way.
func (b *Busy) Begin(at uint64) {
	if b.open == 0 {
		b.since = at
	}
	b.open++
}

// End notes that one less is.
func (b *Busy) End(at uint64) {
	if b.open--; b.open == 0 {
		b.Sum += at - b.since
	}
}
