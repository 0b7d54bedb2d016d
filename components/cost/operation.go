package cost

// joulesPerKWh by definition.
const joulesPerKWh = 3.6e6

// Operational is the carbon in grams of a run that takes so many joules and seconds, on a grid whose
// intensity is x.
func (g *Grid) Operational(x *Intensity, joules, seconds float64) float64 {
	return joules * or(g.PUE, 1) / joulesPerKWh * x.Mean(g.Start, or(g.Hours, seconds/3600))
}

// Share is the part of the embodied carbon that a run of so many seconds takes. ok is false where no
// years of service are given.
func (s *Spec) Share(seconds float64) (part float64, ok bool) {
	if s.Years == nil {
		return 0, false
	}
	return seconds / 3600 / (*s.Years * hoursInYear * or(s.Utilization, 1)), true
}
