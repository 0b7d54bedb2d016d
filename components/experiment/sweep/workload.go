package sweep

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
)

// A signature tells workloads apart: parameters, and multiply-accumulates of an image, a token or,
// where a run counts neither, of all. A batch changes neither, and a machine does not.
type signature struct{ parameters, macs float64 }

// signatureOf is that of a point's workload; ok is false where the point has none.
func signatureOf(f finding) (s signature, ok bool) {
	value := func(name string) float64 { return f.values[name].Value }
	s = signature{value("workload_parameters"), value("workload_macs")} // 0 where there is none
	for _, rate := range []string{"images_per_second", "tokens_per_second"} {
		if items := value(rate) * value("total_time") * 1e-9; items > 0 {
			s.macs /= items
			break
		}
	}
	return s, s != signature{}
}

// unlike reports whether workloads differ by more than what a batch or rounding makes. Where ranks
// share the work of a network, its division changes the multiply-accumulates of each: byMACs is false.
func (s signature) unlike(o signature, byMACs bool) bool {
	const near = 0.01
	off := func(a, b float64) bool { return math.Abs(a-b) > near*max(a, b) }
	return off(s.parameters, o.parameters) || (byMACs || s.parameters == 0) && off(s.macs, o.macs)
}

// ofWork reports whether an axis sets keys of the workload, and not how ranks share it.
func ofWork(paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		return strings.HasPrefix(p, "workload.") && !strings.HasPrefix(p, "workload.parallel") && !strings.HasPrefix(p, "workload.training")
	})
}

// workloads are the axes whose values are unlike workloads: points that differ in such an axis
// alone have unlike signatures. Times and energies of unlike workloads do not say which machine is
// better, so designs are judged within each.
func (s *Sweep) workloads(points []int, found func(i int) finding) (axes []int) {
	for k := range s.Grid {
		others, byMACs := s.Grid.Except(k), ofWork(s.Grid[k].Paths)
		of := map[int]signature{} // by combination of the others
		for i, p := range points {
			now, ok := signatureOf(found(i))
			if !ok {
				continue
			}
			g := s.Grid.Group(p, others)
			if first, seen := of[g]; seen && first.unlike(now, byMACs) {
				axes = append(axes, k)
				break
			} else if !seen {
				of[g] = now
			}
		}
	}
	return axes
}

// A BestMachine is the machine that is best over all workloads of a sweep by an objective.
type BestMachine struct {
	Objective string   `json:"objective"`
	Workloads int      `json:"workloads"`
	Set       []string `json:"set"`   // its settings, without those of the workload
	First     []string `json:"first"` // the machine that it is compared with: the first with a value for each workload
	Ratio     float64  `json:"ratio"` // geometric mean over the workloads of the objective over that of First
}

// bestMachine compares machines that have a value above 0 for every workload; nil if there are not
// two of them.
func (s *Sweep) bestMachine(axes []int, d designs, k int, o Objective) *BestMachine {
	machines := s.Grid.Except(append(slices.Clone(axes), s.averaged()...)...)
	logs := map[int]map[int]float64{} // of each machine, by workload
	first := map[int]int{}            // point of each machine
	var order, workloads []int
	for _, p := range s.points {
		if w := s.Grid.Group(p, axes); !slices.Contains(workloads, w) {
			workloads = append(workloads, w)
		}
	}
	for _, p := range d.good {
		m := s.Grid.Group(p, machines)
		if logs[m] == nil {
			logs[m], first[m] = map[int]float64{}, p
			order = append(order, m)
		}
		if v := math.Abs(d.known(p).Values[k]); v > 0 {
			logs[m][s.Grid.Group(p, axes)] = math.Log(v)
		}
	}
	order = slices.DeleteFunc(order, func(m int) bool { return len(logs[m]) < len(workloads) })
	if len(order) < 2 || len(workloads) < 2 {
		return nil
	}
	mean := func(m int) (sum float64) {
		for _, w := range workloads { // in their order, so that the sum is the same each time
			sum += logs[m][w] - logs[order[0]][w]
		}
		return sum / float64(len(workloads))
	}
	best := slices.MinFunc(order, func(a, b int) int {
		if o.Max {
			a, b = b, a
		}
		return cmp.Compare(mean(a), mean(b))
	})
	set := func(m int) []string { return s.Grid.SetOf(first[m], machines) }
	return &BestMachine{o.Name, len(workloads), set(best), set(order[0]), math.Exp(mean(best))}
}

// averaged are the axes that means are taken over.
func (s *Sweep) averaged() (axes []int) {
	kept, _ := s.settings()
	return s.Grid.Except(kept...)
}

// mixed says that a search has compared unlike workloads; "" if it has not.
func (s *Sweep) mixed(points []finding) string {
	var first *signature
	for _, p := range points {
		now, ok := signatureOf(p)
		switch {
		case !ok || p.status != string(result.Complete):
		case first == nil:
			first = &now
		case first.unlike(now, false):
			return "points run unlike workloads, and method " + s.methodName + " compares all of them: it follows the smallest one"
		}
	}
	return ""
}
