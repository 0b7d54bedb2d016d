// Package curve holds the time of a kernel by how slow the memory is. A rule of kernels has the
// bandwidth of the memory as an input; evaluated at a few bandwidths it becomes a Curve, which a node
// reads while the memory is simulated elsewhere:
//
//	c := curve.Of(func(slow float64) float64 { return rule(bandwidth / slow) })
//	c.At(1)   // as with the nominal bandwidth
//	c.At(1.3) // the memory took 1.3 times as long
//
// Left out: what a rule does between the places in Slow, which is taken as linear.
package curve

// Slow is the times of the memory, over those at its nominal bandwidth, at which a Curve knows the
// kernel: 0 is a memory that takes no time.
var Slow = [...]float64{0, 0.125, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 8, 16}

// A Curve is the time of a kernel, in any unit, at each of Slow.
type Curve [len(Slow)]float64

// Of evaluates a rule.
func Of(time func(slow float64) float64) (c Curve) {
	for i, x := range Slow {
		c[i] = time(x)
	}
	return c
}

// At is the time with a memory that is slow times as slow as its nominal bandwidth says. Beyond the
// last of Slow the time grows as it does before it.
func (c *Curve) At(slow float64) float64 {
	i := 1
	for i < len(Slow)-1 && slow > Slow[i] {
		i++
	}
	return c[i-1] + (c[i]-c[i-1])*(slow-Slow[i-1])/(Slow[i]-Slow[i-1])
}

// Scale multiplies all times.
func (c *Curve) Scale(by float64) {
	for i := range c {
		c[i] *= by
	}
}

// Add adds the times of a kernel that runs after it.
func (c *Curve) Add(d Curve) {
	for i := range c {
		c[i] += d[i]
	}
}
