package topology

import "math"

// A Figure is a property of a topology that a network reports, in percent.
type Figure struct {
	Name, Text string
	Value      float64
}

// Figured is a topology with figures.
type Figured interface{ Figures() []Figure }

// Figures implements Figured: the availability of the slice, and the share of the pod that slices
// of its size use, by the binomial distribution of working cubes (closed forms; ISCA 2023,
// section 2.3). Repair is left out.
func (p *Pod) Figures() []Figure {
	if p.spec.HostAvailability == 0 {
		return nil
	}
	up := math.Pow(p.spec.HostAvailability, float64(p.spec.Hosts))
	need := p.Routers() / (p.spec.Side * p.spec.Side * p.spec.Side)
	slice, goodput := 0.0, 0.0
	for k := range p.spec.Pod + 1 {
		q := binomial(p.spec.Pod, k, up)
		if k >= need {
			slice += q
		}
		goodput += q * float64(k/need*need) / float64(p.spec.Pod)
	}
	fixed := float64(p.spec.Pod/need*need) / float64(p.spec.Pod) * math.Pow(up, float64(need))
	return []Figure{
		{"slice_availability", "Probability that enough cubes of the pod are up for the slice, whichever they are: closed form from host_availability.", 100 * slice},
		{"pod_goodput", "Share of the pod that slices of this size use, from any cubes that are up: closed form.", 100 * goodput},
		{"pod_goodput_static", "The same where cables fix which cubes make a slice, all of which have to be up: closed form.", 100 * fixed},
	}
}

// binomial is the probability that k of n are up.
func binomial(n, k int, up float64) float64 {
	if up == 0 || up == 1 {
		if k == n && up == 1 || k == 0 && up == 0 {
			return 1
		}
		return 0
	}
	lg := func(n int) float64 { v, _ := math.Lgamma(float64(n + 1)); return v }
	return math.Exp(lg(n) - lg(k) - lg(n-k) + float64(k)*math.Log(up) + float64(n-k)*math.Log1p(-up))
}
