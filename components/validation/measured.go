package validation

// A Measured is one row of a measurement with its simulated value.
type Measured struct {
	Study, Measurement string
	Row                string // cells of the key columns, joined by slashes
	Set                string // fitted, other or carried
	Measured           float64
	Simulated          float64 // in the unit of Measured: ns
	Found              bool    // the run has such a row
}

// Error is the difference in percent of the measured value.
func (m *Measured) Error() float64 { return 100 * (m.Simulated - m.Measured) / m.Measured }

// each lists the rows in the order of the file.
func (c *compared) each(study string) []Measured {
	out := make([]Measured, 0, len(c.points))
	for i := range c.points {
		p := &c.points[i]
		t, ok := c.times[p.name]
		out = append(out, Measured{study, c.m.Name, p.name, p.set, p.measured, t, ok})
	}
	return out
}
