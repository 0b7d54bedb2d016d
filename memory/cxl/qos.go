package cxl

// A load is what a device tells about itself in every answer: DevLoad.
//
// Source: CXL 3.1, section 3.3.4 (QoS telemetry for memory).
type load uint8

const (
	lightLoad load = iota
	optimalLoad
	moderateOverload
	severeOverload
	loads
)

var loadNames = [loads]string{"light", "optimal", "moderate", "severe"}

// load is the occupancy of the device's places: up to a quarter, up to three
// quarters, up to all, and lines that wait without a place.
//
// assumption: the specification leaves the thresholds to the device.
func (d *Type3) load() load {
	switch n := d.inside + int(d.queue.n); {
	case 4*n <= d.spec.Entries:
		return lightLoad
	case 4*n <= 3*d.spec.Entries:
		return optimalLoad
	case n <= d.spec.Entries:
		return moderateOverload
	}
	return severeOverload
}

// A pace is how many lines a host has under way at one device.
type pace struct {
	limit, under int
	answers      int // since the limit was last looked at
	worst        load
}

// answer takes the load of one answer. After as many answers as lines may be under
// way the worst load decides: light gives a sixteenth more, moderate overload a sixteenth
// less, severe overload half.
//
// assumption: the specification's model of a host has these directions, the steps are
// ours.
func (p *pace) answer(l load, most int) {
	p.under--
	p.answers++
	p.worst = max(p.worst, l)
	if p.answers < p.limit {
		return
	}
	step := p.limit/16 + 1
	switch p.worst {
	case lightLoad:
		p.limit += step
	case moderateOverload:
		p.limit -= step
	case severeOverload:
		p.limit /= 2
	}
	p.limit = min(max(p.limit, 1), most)
	p.answers, p.worst = 0, lightLoad
}
