package dco

import "math/bits"

func len64(x uint64) int { return bits.Len64(x) }

// update computes the ranks of a stream's classes anew. Chances of use per age
// are estimated as in survival analysis (Kaplan and Meier, Nonparametric
// estimation from incomplete observations, 1958): uses at an age over the lines
// that got that old, those still waiting included.
func (l *learner) update(stream uint16) {
	base := int(stream) * useClasses * ageBuckets
	pool, own, risk := &l.scratch[0], &l.scratch[1], &l.scratch[2]
	// All classes together, leaning on a constant chance.
	sum, events := 0.0, 0.0
	for b := ageBuckets - 1; b >= 0; b-- {
		e := 0.0
		for c := range useClasses {
			at := base + c*ageBuckets + b
			e += float64(l.ev[at])
			sum += float64(l.ev[at] + l.gone[at] + l.live[at])
		}
		events += e
		prior := min(l.prior*(l.start[b+1]-l.start[b]), 1)
		pool[b] = (e + priorWeight*prior) / (sum + priorWeight)
	}
	dead := events*deadAbove < sum
	for c := range useClasses {
		at := base + c*ageBuckets
		n := 0.0
		for b := ageBuckets - 1; b >= 0; b-- {
			n += float64(l.ev[at+b] + l.gone[at+b] + l.live[at+b])
			own[b] = (float64(l.ev[at+b]) + streamWeight*pool[b]) / (n + streamWeight)
		}
		l.write(l.index[at:at+ageBuckets], own, risk, dead)
		if n > halveAt {
			for b := range ageBuckets {
				l.ev[at+b] /= 2
				l.gone[at+b] /= 2
			}
		}
	}
}

// write turns chances per bucket into ranks. The rank at an age is the best
// ratio, over all ages to give up at, of the chance of a use until then to the
// expected time until then: the index of Gittins (Bandit processes and dynamic
// allocation indices, 1979), hits per time that a way is taken. With time and
// chance as coordinates it is the steepest slope to a later point, which a
// stack of the upper hull gives from right to left.
func (l *learner) write(index []float32, chance, time *[ageBuckets + 1]float64, dead bool) {
	var used [ageBuckets + 1]float64
	var hull [ageBuckets + 1]uint8
	alive := 1.0
	time[0] = 0
	for b := range ageBuckets {
		used[b+1] = used[b] + alive*chance[b]
		time[b+1] = time[b] + alive*(l.start[b+1]-l.start[b])
		alive *= 1 - chance[b]
	}
	slope := func(a, b uint8) float64 {
		if dt := time[b] - time[a]; dt > 0 {
			return (used[b] - used[a]) / dt
		}
		return 0
	}
	top := 0
	hull[0] = ageBuckets
	for b := ageBuckets - 1; b >= 0; b-- {
		for top > 0 && slope(uint8(b), hull[top]) <= slope(uint8(b), hull[top-1]) {
			top--
		}
		r := slope(uint8(b), hull[top]) * tilt(b)
		top++
		hull[top] = uint8(b)
		switch {
		case dead && !l.spec.DeadBlock:
			index[b] = l.unknown(b)
		case dead:
			index[b] = float32(l.prior / 4 * tilt(b))
		case l.spec.AntiThrash:
			index[b] = float32(r)
		default:
			index[b] = float32(1 / (2 + l.start[b]))
		}
	}
}
