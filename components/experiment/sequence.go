package experiment

import (
	"errors"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
)

// sequence links the cores that share a workload to a sequencer, which the
// configuration does not name: it is part of sharing. Cores that depend on
// nobody get none.
func (a *assembly) sequence(shares []share) error {
	need := map[int]bool{}
	for _, s := range shares {
		for _, j := range s.program.Jobs {
			if len(j.Waits)+len(j.Signals) > 0 {
				need[s.worker] = true
			}
		}
	}
	if len(need) == 0 {
		return nil
	}
	makers := work.Sequencers.Entries()
	if len(makers) == 0 {
		return errors.New("cores share a workload, and no sequencer is registered (components/std and accelerators/sequencer do)")
	}
	name := a.freeName("Sequencer")
	clk := a.workers[shares[0].worker].Clock()
	s := makers[0].New(name, a.driver, clk)
	wire := engine.NewWire(name+"Wire", a.driver)
	attach := func(p sim.Port, spec system.PortSpec) {
		wire.Attach(p, spec.Clock, engine.EndOptions{Latency: 1, Buffer: max(spec.Buffer, system.DefaultBuffer)})
	}
	attach(s.Port(), s.PortSpecs()[0])
	for i, w := range a.workers {
		if !need[i] {
			continue
		}
		for _, spec := range w.PortSpecs() {
			if len(spec.Ports) == 1 && spec.Ports[0] == w.Sync() {
				attach(w.Sync(), spec)
			}
		}
		w.Follow(s.Port())
	}
	for _, sh := range shares {
		if need[sh.worker] {
			s.Listen(a.workers[sh.worker].Sync(), int32(sh.load), sh.program)
		}
	}
	a.extra = append(a.extra, s)
	return nil
}
