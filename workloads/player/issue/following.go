package issue

import (
	"slices"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// A Following lets operators of equal chips take as long as those of one of them, the leader. The
// leader and a witness carry their operators out. An operator of any other chip begins when it is
// issued and the one before it on its executor has ended; from then on it takes as long as the
// leader's operator of the same number. It ends later than that, by the time called late, where
// the leader gets the operator later than the chip that follows.
type Following struct {
	chip   []int // by executor: its chip; interface is an interface
	last   int   // the witness
	queues []queue
	times  []pair // by operator of the step
	Late   units.Time
	Sum    FollowingSum
}

// A FollowingSum compares the witness with the leader, over the parts of steps that were simulated.
type FollowingSum struct {
	Taken uint64     // operators that took the times of the leader
	Late  units.Time // by which the latest of them was late
	Part  float64    // greatest difference of the times of a part's operators, as a share of the leader's
	// Time and Bytes are of the leader, in all parts; TimeApart and BytesApart are the sums of the
	// parts' absolute differences.
	Time, TimeApart   units.Time
	Bytes, BytesApart uint64
}

// Differ returns the differences of times and of bytes as shares of the leader's.
func (s *FollowingSum) Differ() (time, bytes float64) {
	return float64(s.TimeApart) / float64(max(s.Time, 1)), float64(s.BytesApart) / float64(max(s.Bytes, 1))
}

const leader, transfers = 0, -1

// A queue is the operators of a chip's executor that have been issued and have not ended.
type queue struct {
	asked []asked
	end   units.Time // of the operator before them
}

type asked struct {
	schedule.Ref
	at units.Time
}

// A pair is an operator of the leader and of the witness.
type pair struct {
	took    [2]units.Time // from when it could begin
	known   [2]bool
	compute units.Time // from begin to end
	report  units.Time // from its end until the node learns it
	counted bool
}

// An Ended is an operator of a chip that follows, which has ended.
type Ended struct {
	schedule.Ref
	Begin, End units.Time
}

// NewFollowing makes a Following. chip is the chip of each executor, -1 for interfaces.
func NewFollowing(chip []int) *Following {
	return &Following{chip: chip, last: slices.Max(chip), queues: make([]queue, len(chip))}
}

// Begin begins a step, which has other operators.
func (f *Following) Begin() { f.times = f.times[:0] }

// Issue notes an operator that is issued. It reports whether the operator follows, so that its
// executor must not get it.
func (f *Following) Issue(now units.Time, x schedule.Issue) (follows bool) {
	c := f.chip[x.Executor]
	if c == transfers {
		return false
	}
	q := &f.queues[x.Executor]
	q.asked = append(q.asked, asked{x.Ref, now})
	return c != leader && c != f.last
}

// Done notes an operator that a chip has carried out.
func (f *Following) Done(now units.Time, executor int, ref schedule.Ref, begin, end units.Time) {
	c := f.chip[executor]
	if c == transfers {
		return
	}
	q := &f.queues[executor]
	at := slices.IndexFunc(q.asked, func(a asked) bool { return a.Ref == ref })
	from := max(q.asked[at].at, q.end)
	q.asked, q.end = slices.Delete(q.asked, at, at+1), max(q.end, end)
	k := 0
	if c == f.last {
		k = 1
	}
	p := f.pair(ref.Op)
	p.took[k], p.known[k] = end-min(from, end), true
	if k == 0 {
		p.compute, p.report = end-begin, now-end
	}
}

func (f *Following) pair(op int32) *pair {
	for int(op) >= len(f.times) {
		f.times = append(f.times, pair{})
	}
	return &f.times[op]
}

// due is when the node learns the end of the first operator in a queue; ok is false where the
// leader has not done it.
func (f *Following) due(q *queue) (end, seen units.Time, ok bool) {
	if len(q.asked) == 0 {
		return 0, 0, false
	}
	p := f.pair(q.asked[0].Op)
	end = max(q.asked[0].at, q.end) + p.took[0]
	return end, end + p.report, p.known[0]
}

// Due removes and returns the operators that have ended by now.
func (f *Following) Due(now units.Time) (out []Ended) {
	for e := range f.queues {
		if c := f.chip[e]; c == leader || c == f.last {
			continue
		}
		for q := &f.queues[e]; ; {
			end, seen, ok := f.due(q)
			if !ok || seen > now {
				break
			}
			end += now - seen
			f.Sum.Late = max(f.Sum.Late, now-seen)
			f.Sum.Taken++
			ref := q.asked[0].Ref
			out = append(out, Ended{ref, end - min(f.pair(ref.Op).compute, end), end})
			q.asked, q.end = slices.Delete(q.asked, 0, 1), end
		}
	}
	return out
}

// Next is when the next operator that follows will have ended, if that is known.
func (f *Following) Next() (at units.Time, ok bool) {
	for e := range f.queues {
		if c := f.chip[e]; c == leader || c == f.last {
			continue
		}
		if _, seen, known := f.due(&f.queues[e]); known && (!ok || seen < at) {
			at, ok = seen, true
		}
	}
	return at, ok
}

// Settle compares the operators of leader and witness that have ended since the last Settle: a
// part of a step. In it the leader has moved bytes, and those of the witness are apart from them.
func (f *Following) Settle(bytes, apart uint64) {
	var sum [2]units.Time
	for i := range f.times {
		p := &f.times[i]
		if p.counted || !p.known[0] || !p.known[1] {
			continue
		}
		p.counted = true
		sum[0], sum[1] = sum[0]+p.took[0], sum[1]+p.took[1]
	}
	d := max(sum[0], sum[1]) - min(sum[0], sum[1])
	f.Sum.Time, f.Sum.TimeApart = f.Sum.Time+sum[0], f.Sum.TimeApart+d
	f.Sum.Bytes, f.Sum.BytesApart = f.Sum.Bytes+bytes, f.Sum.BytesApart+apart
	f.Sum.Part = max(f.Sum.Part, float64(d)/float64(max(sum[0], 1)))
}
