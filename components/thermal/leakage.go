package thermal

import "math"

// powers are those of blocks at temperatures, and of them what leaks. run are those of the run; dynamic scales what does
// not leak.
func (n *Network) powers(run []float64, dynamic float64, at []Temperature) (all, leaks []float64) {
	all, leaks = make([]float64, len(run)), make([]float64, len(run))
	for b, w := range run {
		cold := n.spec.Leaking(b, w)
		if l := n.spec.Leakage; l != nil {
			leaks[b] = cold * math.Exp2((at[b].Mean-l.At)/l.Doubles)
		}
		all[b] = dynamic*(w-cold) + leaks[b]
	}
	return all, leaks
}

// A Point is where temperatures and powers agree.
type Point struct {
	State  State
	Blocks []Temperature
	Leaks  []float64 // W of each block
}

const (
	hottest = 1000.0 // degrees Celsius beyond which nothing is balanced
	settled = 1e-6   // K
	rounds  = 10000
)

// Close is the steady point of the powers that blocks have in a run. The error is a *Runaway.
func (n *Network) Close(run []float64) (Point, error) { return n.close(run, 1) }

func (n *Network) close(run []float64, dynamic float64) (Point, error) {
	p := Point{State: n.Cold()}
	p.Blocks = n.Blocks(p.State)
	top := 0.0
	for range rounds {
		power, leaks := n.powers(run, dynamic, p.Blocks)
		state := n.Steady(power)
		next := Point{state, n.Blocks(state), leaks}
		moved := 0.0
		top = 0
		for b := range next.Blocks {
			moved = max(moved, math.Abs(next.Blocks[b].Mean-p.Blocks[b].Mean))
			top = max(top, next.Blocks[b].Peak)
		}
		if p = next; top > hottest || math.IsNaN(top) {
			break
		}
		if moved < settled {
			return p, nil
		}
	}
	if top > hottest || math.IsNaN(top) {
		top = hottest
	}
	return p, &Runaway{top, n.spec.Leakage != nil} // they may still rise after all rounds
}

// warmSteps is the implicit steps of a warm-up.
//
// assumption: enough for a warm-up over one time constant to be within 0.2 % of the exponential (TestWarmUp).
const warmSteps = 200

// Warm is the point after so many seconds with the powers of a run, from cold.
func (n *Network) Warm(run []float64, seconds float64) (Point, error) {
	p := Point{State: n.Cold()}
	p.Blocks = n.Blocks(p.State)
	for range warmSteps {
		power, leaks := n.powers(run, 1, p.Blocks)
		p.State = n.Step(p.State, power, seconds/warmSteps)
		p.Blocks, p.Leaks = n.Blocks(p.State), leaks
		for _, t := range p.Blocks {
			if t.Peak > hottest {
				return p, &Runaway{hottest, n.spec.Leakage != nil}
			}
		}
	}
	return p, nil
}

// Throttle is the greatest share of the power beside leakage at which no block exceeds limit, at most 1. It is 0 where
// leakage alone does.
func (n *Network) Throttle(run []float64, limit float64) float64 {
	over := func(share float64) bool {
		p, err := n.close(run, share)
		if err != nil {
			return true
		}
		for _, t := range p.Blocks {
			if t.Peak > limit {
				return true
			}
		}
		return false
	}
	if !over(1) {
		return 1
	}
	if over(0) {
		return 0
	}
	low, high := 0.0, 1.0
	for range 20 {
		if mid := (low + high) / 2; over(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return low
}
