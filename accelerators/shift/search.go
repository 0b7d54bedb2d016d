package shift

import (
	"slices"

	"github.com/causeway-sim/causeway/components/integer"
)

// occupied is the share of the cores that a plan has to use where the product is large
// enough.
//
// assumption: T10 bounds it too, by a number that is not given.
const occupied = 0.85

// most is the computations along K that a plan has at most.
const most = 256

// all calls visit with every plan on the machine, whatever its memory.
func all(q Product, m *Machine, loads bool, visit func(Plan)) {
	for _, pb := range parts(q.Batch, m.Cores) {
		for _, pm := range parts(q.M, m.Cores/pb) {
			for _, pk := range parts(q.K, m.Cores/pb/pm) {
				pn := integer.Ceil(q.N, integer.Ceil(q.N, min(q.N, m.Cores/pb/pm/pk)))
				cores := float64(pb * pm * pn * pk)
				if cores < occupied*float64(m.Cores) && pn < q.N && cores < occupied*float64(q.Batch*q.M)*float64(q.N) {
					continue
				}
				if loads {
					for _, n := range parts(integer.Ceil(q.K, pk), most) {
						visit(Plan{Product: q, Pb: pb, Pm: pm, Pn: pn, Pk: pk, Fa: 1, Fb: 1, Slices: n})
					}
					continue
				}
				for _, fa := range integer.Divisors(pn) {
					for _, fb := range integer.Divisors(pm) {
						p := Plan{Product: q, Pb: pb, Pm: pm, Pn: pn, Pk: pk, Fa: fa, Fb: fb}
						if p.Steps() <= min(most, integer.Ceil(q.K, pk)) {
							visit(p)
						}
					}
				}
			}
		}
	}
}

// Plans returns the Pareto-optimal plans in memory per core and time, by rising memory; none if
// the product does not fit. setup, if not nil, returns seconds that a plan takes in addition.
func Plans(q Product, m *Machine, setup func(*Plan) float64) []Plan {
	return pareto(q, m, false, setup)
}

func pareto(q Product, m *Machine, loads bool, setup func(*Plan) float64) []Plan {
	type priced struct {
		Plan
		memory int64
		time   float64
	}
	var found []priced
	all(q, m, loads, func(p Plan) {
		if memory := p.Memory(m); memory <= m.Memory {
			time := p.Time(m)
			if setup != nil {
				time += setup(&p)
			}
			found = append(found, priced{p, memory, time})
		}
	})
	slices.SortStableFunc(found, func(a, b priced) int {
		switch {
		case a.memory != b.memory:
			return int(a.memory - b.memory)
		case a.time < b.time:
			return -1
		case a.time > b.time:
			return 1
		}
		return 0
	})
	var out []Plan
	var best float64
	for i := range found {
		if out == nil || found[i].time < best {
			out, best = append(out, found[i].Plan), found[i].time
		}
	}
	return out
}

// parts are the numbers of parts up to most that give different sizes, ascending.
func parts(n, most int) (out []int) {
	for p := 1; p <= min(n, most); p++ {
		if integer.Ceil(n, integer.Ceil(n, p)) == p {
			out = append(out, p)
		}
	}
	return out
}
