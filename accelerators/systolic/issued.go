package systolic

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// next takes the oldest operator of the queue into the list of jobs: from then on it cannot
// be taken back.
func (k *core) next() *job {
	i, _ := k.ops.Next()
	s := k.known[i.Share]
	if s == nil || int(i.Job) >= len(s.Program.Jobs) {
		panic(fmt.Sprintf("systolic: %s was issued job %d of share %d, which it does not know", k.Name(), i.Job, i.Share))
	}
	j := s.job(int(i.Job))
	j.arrival, j.issued = i.Came, i
	k.planned.Add(j.Plan.Cycles)
	k.jobs = append(k.jobs, j)
	return &k.jobs[len(k.jobs)-1]
}

// takeAhead takes in what was issued ahead: all of it, so that the core may load for a job
// before the one before it has ended.
func (k *core) takeAhead() {
	for k.ops.Fixed() {
		k.next()
	}
}

// draw takes in the next operator that was issued while the run goes on, once all before it
// are done.
func (k *core) draw(cycle uint64) bool {
	if k.ops.Len() == 0 {
		return false
	}
	if k.free > cycle {
		k.ticker.WakeAt(k.free)
		return false
	}
	j := k.next()
	j.share.reuse.begin(j.share.ahead[j.issued.Job])
	return true
}

// Plan implements work.Executor: the time that the mapping is estimated to take, and no less
// than what the array or vector unit takes and what the bytes take at the nominal bandwidth.
func (k *core) Plan(id int32, i int) work.Cost {
	s := k.known[id]
	p := s.Program.Jobs[i].Plan
	j := s.job(i)
	l := layer{job: &j}
	l.read[0], l.read[1] = uint64(p.Traffic.Ifmap), uint64(p.Traffic.Filter)
	l.read[2], l.written[2] = uint64(p.Traffic.Psum), uint64(p.Traffic.Spill+p.Traffic.Output)
	spent := k.spend(&l)
	c := work.Cost{Bytes: uint64(p.Traffic.Total()), Energy: spent.Total()}
	cycles := uint64(max(p.Time, p.Cycles, p.Vector/int64(max(k.spec.Vector.Lanes, 1))))
	c.Time = units.Time(k.clock.Nanoseconds(cycles) * float64(units.Nanosecond))
	if b := k.routes.PlacedBandwidth(); b > 0 {
		c.Time = max(c.Time, units.Time(float64(c.Bytes)*8/float64(b)*float64(units.Second)))
	}
	return c
}

// An ahead is what the rest of a program will load of a tensor, from one of its jobs on.
type ahead struct {
	ids  []graph.TensorID
	left []int64
}

// lookAhead is, for each job, what hints may say of the tensors that it moves: the
// bytes that it and the jobs after it load. The hints are too high if a scheduler issues
// some of these jobs to other executors.
func lookAhead(s *share) []ahead {
	all := s.Program.Jobs
	out := make([]ahead, len(all))
	r := reuse{make([]int64, len(s.reuse.size)), s.reuse.size}
	for i := len(all) - 1; i >= 0; i-- {
		r.count(s.Graph, &all[i])
		for _, op := range all[i].All() {
			for _, ids := range [][]graph.TensorID{s.Graph.Ops[op].In, s.Graph.Ops[op].Out} {
				for _, id := range ids {
					if id != graph.None && !slices.Contains(out[i].ids, id) {
						out[i].ids = append(out[i].ids, id)
						out[i].left = append(out[i].left, r.left[id])
					}
				}
			}
		}
	}
	return out
}
