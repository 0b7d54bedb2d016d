package systolic

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// mostWalked is the most steps of a layer that fidelity analytic walks one by one, about
// half a second of work; longer layers take the estimate of their mapping (Plan.Time),
// which is within 1% on average where there are thousands of steps.
const mostWalked = 1 << 20

// long reports whether the time of a job is estimated: none of it stays on the chip, and
// it has more steps than are walked.
func (k *core) long(j *job) bool {
	if !k.estimates || j.Plan.Steps <= k.mostWalked {
		return false
	}
	r := j.residents()
	if r == nil {
		return true
	}
	ops := j.share.Graph.Ops
	for _, op := range j.All() {
		for _, id := range slices.Concat(ops[op].In, ops[op].Out) {
			if id != graph.None && r.Stays[id] {
				return false
			}
		}
	}
	return true
}

// estimate books a long layer and returns its end. Bytes and work are those of the
// mapping, exactly; cycles beyond those of the array belong to what moves, in proportion
// to its bytes.
func (k *core) estimate(l *layer, from uint64) (end uint64) {
	p, t := l.job.Plan, &l.job.Plan.Traffic
	l.macs = uint64(p.MACs)
	l.read = moved{uint64(t.Ifmap), uint64(t.Filter), uint64(t.Psum)}
	l.written[2] = uint64(t.Spill + t.Output)
	l.book[compute] = uint64(max(p.Cycles, p.Vector/int64(k.spec.Vector.Lanes)))
	idle := uint64(max(0, p.Estimate()-int64(l.book[compute])))
	left, all := idle, uint64(t.Total())
	for c, n := range l.read {
		hi, lo := bits.Mul64(idle, n)
		q, _ := bits.Div64(hi, lo, max(all, 1))
		l.book[waitIfmap+cause(c)] += q
		left -= q
	}
	l.book[storing] += left
	return from + l.book[compute] + idle
}

// estimated names the layers whose time was estimated, for the report.
func (k *core) estimated() (out []string) {
	for i := range k.jobs {
		if j := &k.jobs[i]; j.Plan != nil && k.long(j) {
			out = append(out, fmt.Sprintf("Layer %s has %d steps, more than the %d that are walked: its time is the estimate of its mapping.", j.share.Graph.Ops[j.Op].Name, j.Plan.Steps, k.mostWalked))
		}
	}
	return out
}
