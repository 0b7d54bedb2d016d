package experiment

import (
	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/experiment/served"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// serveAll gives all servers their requests.
func (x *Experiment) serveAll(a *assembly) error {
	var all []*served.Served
	for _, j := range a.Jobs {
		if j.Server == nil {
			continue
		}
		s, err := served.New(&served.System{
			Assignment: a.Assignment, First: a.first, FirstOf: a.firstOf, Agents: a.agents, Algorithms: a.algorithms, MACs: &a.batches,
			Seat: func(j *plan.Job, p *comm.Program, seats []seat.Seat) error { return x.seatJob(a, j, p, seats) },
			Idle: func(nics []string, p *comm.Program) (*served.Fabric, error) {
				return x.idleFabric(nics, p, a.algorithms)
			},
		}, j)
		if err != nil {
			return err
		}
		for _, o := range all {
			if err := s.ApartFrom(o); err != nil {
				return err
			}
		}
		all = append(all, s)
		if err := x.repeat(a, j); err != nil {
			return err
		}
		x.follow(a, j, s)
	}
	return nil
}

// idleFabric builds the system anew and seats the interfaces with these names.
func (x *Experiment) idleFabric(nics []string, p *comm.Program, algorithms *seat.Collectives) (*served.Fabric, error) {
	d, err := newDriver("", false)
	if err != nil {
		return nil, err
	}
	a := &assembly{driver: d, Assignment: x.unassigned()}
	if a.Sys, err = system.Build(x.doc, &system.Env{Engine: d, Seed: x.sim.Seed}); err != nil {
		return nil, err
	}
	var interfaces []system.Node
	for _, name := range nics {
		interfaces = append(interfaces, a.Sys.Node(name))
	}
	return served.NewFabric(d, interfaces, func(seats []seat.Seat) (system.Node, error) {
		w := &plan.Workload{Workload: demand.Workload{At: x.doc.Root.Get("nodes"), Program: p, Spec: demand.Spec{Name: "transfers"}}}
		if err := x.seat(a, w, seats, algorithms); err != nil {
			return nil, err
		}
		return a.extra[0], nil
	})
}
