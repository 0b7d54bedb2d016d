package sweep

import (
	"cmp"
	"math"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment/result"
)

// parameters is the metric that tells networks apart: neither the batch nor the machine changes it.
const parameters = "workload_parameters"

// networks are the axes whose values are other networks, or other parts of one: points that differ
// in such an axis alone differ in their parameters. Times and energies of unlike networks do not
// say which machine is better, so designs are judged within each. A search method has one
// objective for all points, and so no such axes.
func (s *Sweep) networks(points []finding) (axes []int) {
	if s.adaptive() {
		return nil
	}
	for k := range s.Grid {
		others := s.Grid.Except(k)
		of := map[int]float64{} // by combination of the others
		for i, p := range points {
			m, ok := p.values[parameters]
			if !ok {
				continue
			}
			g := s.Grid.Group(s.points[i], others)
			if first, seen := of[g]; seen && first != m.Value {
				axes = append(axes, k)
				break
			}
			of[g] = m.Value
		}
	}
	return axes
}

// A BestMachine is the machine that is best over all networks of a sweep by an objective.
type BestMachine struct {
	Objective string   `json:"objective"`
	Networks  int      `json:"networks"`
	Set       []string `json:"set"`   // its settings, without those of the network
	Ratio     float64  `json:"ratio"` // geometric mean over the networks of the objective over that of the first machine
}

// bestMachine compares machines that have a value above 0 for every network; nil if there are not two.
func (s *Sweep) bestMachine(axes []int, o Objective, row map[int]int, points []finding) *BestMachine {
	machines := s.Grid.Except(axes...)
	logs := map[int]map[int]float64{} // of each machine, by network
	var order, networks []int
	for _, p := range s.points {
		m, n := s.Grid.Group(p, machines), s.Grid.Group(p, axes)
		if !slices.Contains(networks, n) {
			networks = append(networks, n)
		}
		if logs[m] == nil {
			logs[m] = map[int]float64{}
			order = append(order, m)
		}
		f := points[row[p]]
		if f.status != string(result.Complete) {
			continue
		}
		if v, err := o.value(s.looks(p, f.values)); err == nil && v.X > 0 {
			logs[m][n] = math.Log(v.X)
		}
	}
	order = slices.DeleteFunc(order, func(m int) bool { return len(logs[m]) < len(networks) })
	if len(order) < 2 || len(networks) < 2 {
		return nil
	}
	mean := func(m int) (sum float64) {
		for _, n := range networks { // in their order, so that the sum is the same each time
			sum += logs[m][n] - logs[order[0]][n]
		}
		return sum / float64(len(networks))
	}
	best := slices.MinFunc(order, func(a, b int) int {
		if o.Max {
			a, b = b, a
		}
		return cmp.Compare(mean(a), mean(b))
	})
	out := &BestMachine{Objective: o.Name, Networks: len(networks), Ratio: math.Exp(mean(best))}
	for _, p := range s.points {
		if s.Grid.Group(p, machines) == best {
			out.Set = s.Grid.SetOf(p, machines)
			break
		}
	}
	return out
}
