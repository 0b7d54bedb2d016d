package experiment

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/workloads/player/issue"
)

// depend links cores that share a workload and wait for each other's operators to a node that
// reports the operators done. The configuration does not name that node. Cores that do not wait
// for other cores need none.
func (a *assembly) depend(shares []plan.Share) error {
	need := map[int]bool{}
	for _, s := range shares {
		for _, j := range s.Program.Jobs {
			if len(j.After) > 0 || j.Awaited {
				need[s.Worker] = true
			}
		}
	}
	if len(need) == 0 {
		return nil
	}
	name := a.freeName("Issuer")
	issuer := issue.NewAhead(name, a.driver, a.Workers[shares[0].Worker].Clock())
	wire := engine.NewWire(name+"Wire", a.driver)
	attach := func(p sim.Port, spec system.PortSpec) {
		wire.Attach(p, spec.Clock, engine.EndOptions{Latency: 1, Buffer: max(spec.Buffer, system.DefaultBuffer)})
	}
	attach(issuer.Port(), issuer.PortSpecs()[0])
	for i, w := range a.Workers {
		if !need[i] {
			continue
		}
		for _, spec := range w.PortSpecs() {
			if len(spec.Ports) == 1 && spec.Ports[0] == w.Ops() {
				attach(w.Ops(), spec)
			}
		}
	}
	for i := range shares {
		s := &shares[i]
		if !need[s.Worker] {
			continue
		}
		s.Issuer = issuer.Port()
		if err := issuer.Issued(a.Workers[s.Worker], int32(s.Load), &s.Program); err != nil {
			return err
		}
	}
	a.extra = append(a.extra, issuer)
	return nil
}
