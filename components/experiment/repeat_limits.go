package experiment

// checkRepeatLimits refuses what cannot go on in layers that are not simulated (simulation.repeat:
// sampled), and notes what has gaps there.
func (x *Experiment) checkRepeatLimits(a *assembly) error {
	if x.sim.Repeat != sampled {
		return nil
	}
	s := x.doc.Root.Get("simulation")
	if x.sim.MaxTime != 0 {
		return s.Get("max_time").Errorf(nil, "does not go with simulation.repeat: sampled: what is taken as equal passes in one step, the limit within (want repeat: exact)")
	}
	if x.sim.Sample != 0 {
		a.notes = append(a.notes, "simulation.sample: what simulation.repeat takes as equal counts in the interval in which it begins, and those after have nothing of it.")
	}
	if a.record.Ports() > 0 {
		a.notes = append(a.notes, "simulation.record.requests: traces lack the requests of what simulation.repeat takes as equal.")
	}
	return nil
}
