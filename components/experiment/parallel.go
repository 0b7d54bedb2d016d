package experiment

import (
	"math/rand/v2"
	"slices"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// handOver assigns the communication programs to the players without one, then to nodes that are
// ranks, and sets mapping.ranks and collectives for all players without these keys.
func (x *Experiment) handOver(a *assembly) error {
	players, idle, seats := a.findSeats()
	algorithms := seat.DefaultCollectives()
	a.algorithms = &algorithms
	if err := x.inherit(a, players, len(seats)); err != nil {
		return err
	}
	var programs []*plan.Workload
	a.Loads = slices.DeleteFunc(slices.Clone(x.workloads), func(w *plan.Workload) bool {
		if w.Program != nil {
			programs = append(programs, w)
		}
		return w.Program != nil
	})
	a.Given = a.Loads
	var errs configs.Errors
	for i, w := range programs {
		switch {
		case i < len(idle):
			errs.Add(w.At.Locate(idle[i].Play(w.Program)))
		case i == len(idle) && len(seats) > 0:
			errs.Add(x.seat(a, w, seats, &algorithms))
			seats = nil
		default:
			errs.Add(w.At.Errorf(nil, "there is no node of kind ranks without a program of its own for it, and no nodes with a nic"))
		}
	}
	for _, s := range seats {
		errs.Add(s.Unused())
	}
	for _, p := range players {
		errs.Add(p.Plan())
	}
	for _, p := range idle[min(len(idle), len(programs)):] {
		errs.Add(x.doc.Root.Errorf(nil, "%s has no program: it needs a trace: or a pattern:, or a communication trace as the workload", p.Name()))
	}
	return errs.Err()
}

// findSeats finds the players, those of them without a program, the nodes that are ranks
// themselves, and the agents of the assembly.
func (a *assembly) findSeats() (players, idle []seat.Player, seats []seat.Seat) {
	for _, n := range a.Sys.Nodes() {
		if p, ok := n.(seat.Player); ok {
			players = append(players, p)
			if p.Program() == nil {
				idle = append(idle, p)
			}
		}
		if s, ok := n.(seat.Agent); ok { // for the transfers of schedules
			a.agents = append(a.agents, s)
		} else if s, ok := n.(seat.Seat); ok {
			if p, _ := s.Interface(); p != nil {
				seats = append(seats, s)
			}
		}
	}
	return players, idle, seats
}

// inherit gives the sections collectives and mapping.ranks to the players; seats is how many
// nodes are ranks themselves.
func (x *Experiment) inherit(a *assembly, players []seat.Player, seats int) error {
	var errs configs.Errors
	section := x.doc.Root.Get("collectives")
	placement := x.doc.Root.Get("mapping").Get("ranks")
	for i, v := range []configs.Value{section, placement} {
		switch {
		case !v.Exists() || len(players)+seats > 0 || i == 0 && len(a.agents) > 0:
		case len(a.agents) > 0:
			errs.Add(v.Errorf(nil, "has no effect: ranks of a model are its chips in order (want links: [{link: Chip.nic -> Net, placement: spread}])"))
		default:
			errs.Add(v.Errorf(nil, "has no effect: there is no node of kind ranks, nor one with a nic"))
		}
	}
	if section.Exists() {
		errs.Add(section.Decode(a.algorithms))
		for _, p := range players {
			errs.Add(p.Inherit(a.algorithms, ""))
		}
	}
	if placement.Exists() && errs.Err() == nil {
		for _, p := range players {
			errs.Add(p.Inherit(nil, x.mapping.Ranks))
		}
	}
	return errs.Err()
}

// seat makes a player for nodes that are ranks themselves. The configuration does
// not name it: it is the program.
func (x *Experiment) seat(a *assembly, w *plan.Workload, seats []seat.Seat, algorithms *seat.Collectives) error {
	name := a.freeName(w.Plays + "Program")
	players := seat.Players.Entries()
	if len(players) == 0 {
		return w.At.Errorf(nil, "nothing is registered that plays a program on nodes (components/std and workloads/player/ranks do)")
	}
	p, err := players[0].New(name, a.driver, w.Program, seat.Seating{
		Seats: seats, Workload: w.Name(), Placement: x.mapping.Ranks, Collectives: algorithms, At: w.At,
		Random: func() *rand.Rand { return (&system.Env{Seed: x.sim.Seed}).Rand(name) },
	})
	if err != nil {
		return w.At.Locate(err)
	}
	if e, ok := a.driver.(engine.Watcher); ok {
		e.Watch(p)
	}
	a.extra = append(a.extra, p)
	a.starters = append(a.starters, p)
	return nil
}

// freeName is a name that no node has.
func (a *assembly) freeName(name string) string {
	for a.Sys.Node(name) != nil || len(a.Sys.Array(name)) > 0 {
		name += "X"
	}
	return name
}

// nodes are all nodes, those that the configuration does not name at the end.
func (a *assembly) nodes() []system.Node { return slices.Concat(a.Sys.Nodes(), a.extra) }
