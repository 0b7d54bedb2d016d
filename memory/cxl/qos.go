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
// quarters, up to all, and lines that wait without a place. On a device that is not
// lightly loaded a logical device with less than three quarters of its part of the
// lines is told of light load, one with more than five quarters of moderate overload
// at least; its part is that among those that have lines. One that waits because of
// its own limit is told of moderate overload too, with more waiting than its part of
// the places of severe overload.
//
// assumption: the specification leaves the thresholds to the device.
func (x *logical) load() load {
	d := x.device
	n := d.inside + d.waiting
	all := severeOverload
	switch {
	case 4*n <= d.spec.Entries:
		all = lightLoad
	case 4*n <= 3*d.spec.Entries:
		all = optimalLoad
	case n <= d.spec.Entries:
		all = moderateOverload
	}
	mine := float64(x.inside + int(x.queue.n))
	if len(d.lds) > 1 && all > lightLoad {
		sum := 0.
		for _, o := range d.lds {
			if o == x || o.inside+int(o.queue.n) > 0 {
				sum += o.part
			}
		}
		switch part := x.part / sum * float64(n); { // 0/0 is no part, and compares false
		case mine < 0.75*part:
			all = lightLoad
		case mine > 1.25*part:
			all = max(all, moderateOverload)
		}
	}
	if x.limited && x.queue.n > 0 {
		all = max(all, moderateOverload)
		if float64(x.queue.n) > x.part*float64(d.spec.Entries) {
			all = severeOverload
		}
	}
	return all
}

// A pace is how many lines a host has under way at one logical device.
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
