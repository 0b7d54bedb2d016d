package served

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// addPortion adds the time of an operator, which is that of its name in all layers.
func addPortion(all []work.Portion, name string, t units.Time) []work.Portion {
	if _, rest, ok := graph.InLayer(name); ok {
		name = rest + " of all layers"
	}
	i := slices.IndexFunc(all, func(p work.Portion) bool { return p.What == name })
	if i < 0 {
		return append(all, work.Portion{What: name, Time: t})
	}
	all[i].Time += t
	return all
}

// portions implements work.Service: the parts of the time of a batch.
func (s *Served) portions(all []work.Batch, instance int) []work.Portion {
	p, err := s.pricer(instance)
	if err != nil {
		return nil
	}
	step, err := s.step(p, all, instance) // by the prices of the last step
	if err != nil {
		return nil
	}
	whole := step.time
	most, sampled := widest(all)
	d, err := s.but(p, instance, most, min(sampled, most), 1)
	if err != nil {
		return nil
	}
	out := slices.Clone(d.parts)
	sum := d.time
	for _, a := range d.attend {
		longest := s.longest(p, a, all).time * units.Time(a.layers)
		out = addPortion(out, "L0.attention", longest)
		sum += longest
	}
	if whole > sum { // of replicas that share experts
		out = addPortion(out, "experts of other replicas' tokens", whole-sum)
	}
	return out
}

// widest is the tokens of the replica that has the most, and those that are sampled of the one
// that samples the most.
func widest(all []work.Batch) (most, sampled int) {
	for _, b := range all {
		n, k := 0, 0
		for _, g := range b.Groups {
			n += g.Requests * g.Tokens
			if g.Sample {
				k += g.Requests
			}
		}
		most, sampled = max(most, n), max(sampled, k)
	}
	return most, sampled
}
