package policy

// duel chooses between two ways of filling by set duelling: sets 0 and 1 of
// every 32, by their place, always use the first and the second, their misses move a counter of
// 10 bits, and the other sets follow it.
type duel struct {
	psel int
	g    Geometry
}

const (
	duelEvery = 32
	pselMax   = 1<<10 - 1
	pselStart = 1 << 9
)

// second reports which of the two policies fills a missed line, and counts the miss.
func (d *duel) second(set int) bool {
	switch d.g.place(set) % duelEvery {
	case 0:
		d.psel = min(d.psel+1, pselMax)
		return false
	case 1:
		d.psel = max(d.psel-1, 0)
		return true
	}
	return d.psel >= pselStart
}
