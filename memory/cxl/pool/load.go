package pool

// A Load is the load that a device reports in every answer: DevLoad.
//
// Source: CXL 3.1, section 3.3.4 (QoS telemetry for memory).
type Load uint8

// The loads, from low to high.
const (
	Light Load = iota
	Optimal
	Moderate // overload
	Severe   // overload
	Loads
)

// String is the name in metrics.
func (l Load) String() string { return [Loads]string{"light", "optimal", "moderate", "severe"}[l] }

// Load returns the load that the device reports to hosts of an LD, by the occupancy of its
// places: Light up to a quarter, Optimal up to three quarters, Moderate up to all, Severe if
// lines wait. On a device that is not Light, an LD with less than three quarters of its part of
// the lines reports Light, one with more than five quarters at least Moderate; parts are among
// LDs with lines. An LD that waits for its own limit reports at least Moderate, and Severe if
// more lines wait than its part of the places.
//
// assumption: the specification leaves the thresholds to the device.
func (d *Device) Load(ld int) Load {
	x := &d.LDs[ld]
	n := d.Inside + d.Waiting
	all := Severe
	switch {
	case 4*n <= d.Entries:
		all = Light
	case 4*n <= 3*d.Entries:
		all = Optimal
	case n <= d.Entries:
		all = Moderate
	}
	if len(d.LDs) > 1 && all > Light {
		mine := float64(x.Inside + x.Waiting)
		sum := 0.
		for i := range d.LDs {
			if o := &d.LDs[i]; i == ld || o.Inside+o.Waiting > 0 {
				sum += o.Share
			}
		}
		switch part := x.Share / sum * float64(n); { // 0/0 is no part, and compares false
		case mine < 0.75*part:
			all = Light
		case mine > 1.25*part:
			all = max(all, Moderate)
		}
	}
	if x.Limit != nil && x.Waiting > 0 {
		all = max(all, Moderate)
		if float64(x.Waiting) > x.Share*float64(d.Entries) {
			all = Severe
		}
	}
	return all
}
