package topology

import "slices"

// An Outage is a channel between routers that is down for a time, in both directions, named
// by one of its ports.
type Outage struct {
	Router, Port int
	At, Until    uint64 // cycles; Until 0: for good
}

// A Spell is a time during which the same channels are down.
type Spell struct {
	At   uint64   // cycle
	Down [][2]int // router and port, of one end of each channel, in rising order
}

// Spells returns the spells of outages, by time. The last one has no end.
func Spells(outages []Outage) (out []Spell) {
	var times []uint64
	for _, o := range outages {
		times = append(times, o.At)
		if o.Until > 0 {
			times = append(times, o.Until)
		}
	}
	slices.Sort(times)
	for _, at := range slices.Compact(times) {
		s := Spell{At: at}
		for _, o := range outages {
			if o.At <= at && (o.Until == 0 || at < o.Until) {
				s.Down = append(s.Down, [2]int{o.Router, o.Port})
			}
		}
		slices.SortFunc(s.Down, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
		out = append(out, s)
	}
	return out
}
