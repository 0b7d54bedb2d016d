package routing

import "strings"

// A ladder gives channels their classes: a fixed sequence of kinds of channels,
// which a packet climbs. A hop takes the next rung of its kind above the last
// one, and skips those between. The class is the number of rungs of this kind
// below. A packet that only climbs closes no cycle.
type ladder struct {
	rungs   string // l local, g global
	class   [2][10]int8
	after   [2][10]uint8
	classes int
	kinds   [2]int // rungs of each kind
}

// noRung marks a place from which no rung of a kind is left.
const noRung = 15

func newLadder(rungs string) *ladder {
	x := &ladder{rungs: rungs}
	for k, kind := range "lg" {
		x.kinds[k] = strings.Count(rungs, string(kind))
		x.classes = max(x.classes, x.kinds[k])
		for at := range len(x.class[k]) {
			i := noRung
			if at < len(rungs) {
				if i = strings.IndexRune(rungs[at:], kind); i < 0 {
					i = noRung
				}
			}
			if i == noRung {
				x.class[k][at], x.after[k][at] = noClass, noRung
				continue
			}
			x.class[k][at] = int8(strings.Count(rungs[:at+i], string(kind)))
			x.after[k][at] = uint8(at + i + 1)
		}
	}
	return x
}

func kind(global bool) int {
	if global {
		return 1
	}
	return 0
}

// climb is the class of a hop from place at, and the place after it. Running out
// of rungs is a bug of the algorithm.
func (x *ladder) climb(at uint8, global bool) (class int, after uint8) {
	k := kind(global)
	if x.after[k][at] == noRung {
		panic("routing: no class is left on ladder " + x.rungs)
	}
	return int(x.class[k][at]), x.after[k][at]
}

// below is the class of the last local rung below place at, and the place after
// that rung: what an opportunistic local hop uses again.
func (x *ladder) below(at uint8) (class int, after uint8) {
	i := strings.LastIndexByte(x.rungs[:at], 'l')
	return strings.Count(x.rungs[:i], "l"), uint8(i + 1)
}
