package systolic

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// With on_chip: all the DMA engine loads weights of the next job of the same workload
// before the current job ends: those of its first two steps follow the last two stores in
// the queue. The halves of the buffers that they need are free by then, as for any step.
// No job writes weights, so these loads wait for no result; everything else is loaded when
// the next job begins. A job ends when its own requests are answered and the loads of the
// next one's weights are issued.
//
// The last stores follow those loads in the queue. Where other cores wait for the results, weights
// are fetched ahead only if those of the first step come while the last step is computed, at the
// core's share of the bandwidth: else every core would wait for the weights of all.
//
// Weights of the second step come before what else the first step loads. They are fetched ahead where
// the first step needs nothing else, where they come while the last store is answered, or where the
// first step, which waits for them, computes for less time than the memory would be idle.

// aheadSteps is how many steps of the next job may have their weights fetched ahead: as many
// as there are halves of a buffer.
const aheadSteps = 2

// A lookahead is the weights of the first steps of a job.
type lookahead struct {
	loads [aheadSteps][]dma.Transfer
	steps int // of them are fetched ahead
	base  addresses
	next  *job
	most  uint64 // cycles that its first weights take; 0 where no other core waits for the job before
}

// after is what is fetched ahead of a job whose last step computes for so many cycles: all or
// nothing. A nil lookahead is nothing.
func (a *lookahead) after(last uint64) *lookahead {
	if a == nil || a.most <= last {
		return a
	}
	a.next.early = 0
	return nil
}

// secondAhead reports whether weights of the second step, which take so many cycles, are fetched before
// other operands of the first. The memory would be idle for its latency while the last store is
// answered. What the weights take longer the first step waits, and its cycles, during which they could
// come, are lost.
func secondAhead(first, weights, idle int64) bool { return min(first, weights-idle) <= idle }

// fetchedAhead reports whether a load is one that is fetched ahead where its step is.
func fetchedAhead(t *dma.Transfer, roles []graph.Role) bool {
	return t.Tensor >= 0 && t.Buffer == dma.Filter && roles[t.Tensor] == graph.Weight
}

// lookahead is what the job under way may fetch of the next one; nil for nothing.
func (k *core) lookahead() *lookahead {
	if keep, _ := k.spec.OnChip.keeps(); keep != machine.KeepAll || k.at+1 >= len(k.jobs) {
		return nil
	}
	now, next := &k.jobs[k.at], &k.jobs[k.at+1]
	if now.share != next.share || !now.issued.Ahead || !next.issued.Ahead {
		return nil
	}
	a := &lookahead{base: next.share.base, next: next}
	next.early = 0
	var s dma.Step
	w := next.steps()
	var first int64 // cycles of the first step
	var others bool // it loads anything else
	for i := range a.loads {
		if !w.Next(&s) {
			break
		}
		weights := 0
		for j := range s.Loads {
			if t := &s.Loads[j]; fetchedAhead(t, next.share.roles) {
				a.loads[i] = append(a.loads[i], *t)
				weights += int(t.Bytes())
			}
		}
		if i == 0 {
			first, others = s.Cycles, len(s.Loads) > len(a.loads[0])
		} else if others && !secondAhead(first, next.Plan.LoadTime(a.loads[i]), next.Plan.Latency()) {
			a.loads[i] = nil
			break
		}
		a.steps++
		next.early += uint64(weights)
	}
	if now.Awaited {
		a.most = uint64(next.Plan.LoadTime(a.loads[0]))
	}
	return a
}
