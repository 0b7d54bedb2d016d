package experiment

import (
	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/workloads/graph"
)

func splitTmp(g *graph.Graph, cores []mapping.Core, s mapping.Spec) ([]mapping.Program, error) {
	m := mapping.NewMapper()
	var p mapping.Program
	for i := range g.Ops {
		pl, err := m.Map(&g.Ops[i], g, cores[0], s.Objective, mapping.Rule{})
		if err != nil {
			return nil, err
		}
		p.Jobs = append(p.Jobs, mapping.Job{Op: i, Plan: pl})
		p.Scratch = max(p.Scratch, pl.Scratch)
	}
	return []mapping.Program{p}, nil
}

func (x *Experiment) Mapping() ([]byte, error) { return nil, nil }
