package routing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/routing"
)

// sensed is a fixed View that also knows which ports are ready, and their rates.
type sensed struct {
	fixed
	blocked map[int]bool
	rate    map[int]int
}

func (s *sensed) Ready(port, _ int) bool { return !s.blocked[port] }
func (s *sensed) Rate(port int) int      { return s.rate[port] }

// 72 terminals; router 0 has the global ports 5, which leads to group 1, and 6.
const (
	toGroup1, other = 5, 6
	inGroup1        = 10 // a terminal
)

// A global port is congested from one flit above its bound on:
//
//	Q > coefficient/100 * (Q + Qother)/2 + threshold
//
// Reference: FOGSim 2021, switchModule::updatePb.
func TestPiggybackBound(t *testing.T) {
	d := dragonfly(t, 2, 4, 2)
	for _, c := range []struct {
		coefficient, threshold, depth int
		other, last                   int // the most flits that are not congested
	}{
		{100, 24, 256, 0, 48},
		{100, 24, 256, 10, 58},
		{150, 24, 256, 10, 126}, // Q/4 > 7.5 + 24
		{100, 0, 256, 10, 10},
		{100, 24, 8, 10, 12}, // 24/256 of a depth of 8 is 1 flit
	} {
		alg, err := routing.New("pb", d, routing.PiggybackSpec{Coefficient: c.coefficient, GlobalThreshold: c.threshold})
		require.NoError(t, err)
		for q, want := range map[int]bool{0: false, c.last: false, c.last + 1: true} {
			v := &fixed{depth: c.depth, class: map[[2]int]int{{toGroup1, 0}: q, {other, 0}: c.other}}
			require.Equal(t, want, alg.(routing.Notifier).Congested(v, toGroup1), "%+v: %d flits", c, q)
		}
	}
}

// A packet leaves its minimal global port where that is not ready and holds more than
// its bound, from one flit above it on. Reference: FOGSim 2021, routing/par.cc.
func TestDivertBound(t *testing.T) {
	d := dragonfly(t, 2, 4, 2)
	for _, name := range []string{"par", "rlm"} {
		for _, c := range []struct {
			coefficient, threshold, depth int
			other, last                   int // the most flits of the minimal port that it is kept for
		}{
			{150, 40, 256, 10, 190}, // Q/4 > 7.5 + 40
			{100, 40, 256, 10, 90},
			{150, 0, 256, 10, 30},
			{150, 40, 8, 1, 7}, // 40/256 of a depth of 8 is 1 flit
		} {
			alg, err := routing.New(name, d, routing.DivertSpec{Global: "crg", Queue: "vc", Percent: 50, Coefficient: c.coefficient, Threshold: c.threshold})
			require.NoError(t, err)
			for _, x := range []struct {
				flits   int
				blocked bool
				want    int
			}{{c.last, true, toGroup1}, {c.last + 1, true, other}, {c.last + 1, false, toGroup1}} {
				v := &sensed{fixed: fixed{depth: c.depth, draws: []int{0, 0, 0}, class: map[[2]int]int{}}, blocked: map[int]bool{toGroup1: x.blocked}}
				for class := range alg.Classes() {
					v.class[[2]int{toGroup1, class}], v.class[[2]int{other, class}] = x.flits, c.other
				}
				require.Equal(t, x.want, alg.Next(v, &routing.Packet{Dst: inGroup1}).Port, "%s %+v %+v", name, c, x)
			}
		}
	}
}

// The threshold of tpr favours the minimal path until its port carries over twice the
// mean of the five ports to other routers, and Valiant from then on:
// 2*Qmin <= 6*Qnon +- 32.
func TestRateTurnsTheThreshold(t *testing.T) {
	d := dragonfly(t, 2, 4, 2)
	alg, err := routing.New("tpr", d, nil)
	require.NoError(t, err)
	const viaPort, group5, router21 = 3, 3, 1 // draws: of the 7 groups besides 0 and 1, and within it
	for _, c := range []struct{ rate, elsewhere, last int }{
		{0, 0, 46}, {0, 60, 46},
		{40, 60, 46}, // twice the mean of 100/5
		{41, 60, 14},
		{1, 0, 14},
	} {
		for qmin, want := range map[int]int{c.last: toGroup1, c.last + 1: viaPort} {
			v := &sensed{
				fixed: fixed{depth: 256, draws: []int{group5, router21}, port: map[int]int{toGroup1: qmin, viaPort: 10}},
				rate:  map[int]int{toGroup1: c.rate, 2: c.elsewhere},
			}
			require.Equal(t, want, alg.Next(v, &routing.Packet{Dst: inGroup1}).Port, "%+v: %d flits", c, qmin)
		}
	}
}
