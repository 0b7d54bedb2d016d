package network

import (
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Outages returns the channels that fail during the run, in the order of the list.
func (s *Spec) Outages(t topology.Topology) (out []topology.Outage, err error) {
	var errs configs.Errors
	items := s.node.Get("failed").Items()
	for i, f := range s.Failed {
		at := configs.Value{}
		if i < len(items) {
			at = items[i]
		}
		if f.At == nil {
			if f.Until != nil {
				errs.Add(located(at, nil, "until has no effect without at: a channel that has failed before the run stays so"))
			}
			continue
		}
		from, to := f.At.In(s.Clock.Clock), uint64(0)
		if f.Until != nil {
			switch to = f.Until.In(s.Clock.Clock); {
			case to == from && f.Until.String() != f.At.String():
				errs.Add(located(at, nil, "until is %s, in cycle %d as at is: times are rounded up to whole cycles (want a later cycle)", f.Until, to))
			case to <= from:
				errs.Add(located(at, nil, "until is %s (want after %s)", f.Until, f.At))
			}
		}
		ports, err := f.ports(t, at)
		if k, ok := s.before(&f); ok && err != nil {
			err = located(at, nil, "the channel has failed before the run, by failed[%d]", k)
		}
		errs.Add(err)
		for _, p := range ports {
			o := topology.Outage{Router: f.Router, Port: p, At: from, Until: to}
			for _, x := range out {
				if twice(o, x, t) {
					errs.Add(located(at, nil, "the channel of router %d port %d is down at that time already, by another entry", f.Router, p))
				}
			}
			out = append(out, o)
		}
	}
	return out, errs.Err()
}

// twice reports whether two outages of one channel overlap.
func twice(o, x topology.Outage, t topology.Topology) bool {
	r, p, _ := t.Peer(x.Router, x.Port)
	same := o.Router == x.Router && o.Port == x.Port || o.Router == r && o.Port == p
	return same && (x.Until == 0 || o.At < x.Until) && (o.Until == 0 || x.At < o.Until)
}

// failedChannel is a channel that has failed before the run: router and port of either end, and its entry
// in the configuration.
type failedChannel struct {
	end, peer [2]int
	entry     int
}

// before is the entry by which a failure's channel has failed before the run.
func (s *Spec) before(f *Failure) (entry int, ok bool) {
	for _, g := range s.gone {
		for _, ends := range [][2][2]int{{g.end, g.peer}, {g.peer, g.end}} {
			from, to := ends[0], ends[1]
			if from[0] == f.Router && (f.Port != nil && *f.Port == from[1] || f.To != nil && *f.To == to[0]) {
				return g.entry, true
			}
		}
	}
	return 0, false
}
