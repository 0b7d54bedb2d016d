package collective

import "fmt"

// An Order gives each of a power of two of ranks its partner in each round of a pairwise
// exchange. After all rounds data of every rank have reached all others.
type Order string

// The orders. Distances are in numbers of ranks.
const (
	Near Order = "near" // 1, 2, 4, ...: neighbours first
	Far  Order = "far"  // ..., 4, 2, 1: half of the ranks away first
	// Bine has distances 1, -1, 3, -5, 11, ... for even ranks and the opposite for odd ones; the
	// sum of distances is a third less than with Near.
	Bine Order = "bine"
)

// check reports an order that there is not; "" is the default of the algorithm.
func (o Order) check() error {
	switch o {
	case "", Near, Far, Bine:
		return nil
	}
	return fmt.Errorf("order is %q (want one of: %s, %s, %s)", o, Near, Far, Bine)
}

// pairs returns the partners of p ranks, a power of two, by round.
func (o Order) pairs(p int) (rounds [][]int) {
	far := 1 // of Bine: the sum of (-2)^0 to (-2)^k
	step := 1
	for d := 1; d < p; d *= 2 {
		to := make([]int, p)
		for v := range to {
			switch o {
			case Far:
				to[v] = v ^ (p / 2 / d)
			case Bine:
				hop := far
				if v%2 == 1 {
					hop = -far
				}
				to[v] = ((v+hop)%p + p) % p
			default:
				to[v] = v ^ d
			}
		}
		rounds = append(rounds, to)
		step *= -2
		far += step
	}
	return rounds
}

// windows is where in a vector of p blocks the one lies that each rank keeps when pairs
// halve what they share, round by round: two ranks that meet share a window, and the one
// whose ranks of later rounds include the smallest number keeps its first half.
func windows(rounds [][]int) []int {
	p := 1 << len(rounds)
	id, at := upTo(p), make([]int, p) // id is the smallest rank of those that a rank meets from round r on
	for r := len(rounds) - 1; r >= 0; r-- {
		all := make([]int, p)
		for v, to := range rounds[r] {
			all[v] = min(id[v], id[to])
			if id[v] != all[v] {
				at[v] |= 1 << (len(rounds) - 1 - r)
			}
		}
		id = all
	}
	return at
}
