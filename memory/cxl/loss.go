package cxl

import (
	"slices"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cxl/loss"
	"github.com/causeway-sim/causeway/memory/cxl/route"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// interrupt adds losses of links and timeouts to the network, where nodes name any.
func (a *assembly) interrupt() error {
	plan := &loss.Plan{Network: &a.Network, Refill: a.refill}
	if err := a.planLosses(plan); err != nil {
		return err
	}
	if plan.Len() > 0 {
		a.Before = plan
	}
	a.Dropper = &dropper{a.fabric, a.roots}
	x := &timeouts{}
	for _, r := range a.roots {
		if r.times.timeout > 0 {
			x.add(r)
		}
		if r.times.timeout > 0 || plan.Len() > 0 {
			r.lossStats()
		}
	}
	if len(x.roots) > 0 {
		x.agenda = transit.NewAgenda(len(x.roots))
		a.After = x
	}
	return nil
}

// planLosses plans what the nodes say will be lost.
func (a *assembly) planLosses(plan *loss.Plan) error {
	var errs configs.Errors
	for _, d := range a.devices {
		if d.spec.HDM == "h" && (d.dev == nil || !d.dev.host) {
			continue
		}
		for _, r := range a.roots {
			if r.times.timeout > 0 || len(r.spec.Lost) > 0 {
				errs.Add(d.at.Get("hdm").Errorf(nil, "%s has a timeout or links that are lost: not with coherent devices", r.Name()))
			}
		}
		if slices.ContainsFunc(a.switches, func(s *Switch) bool { return len(s.spec.Lost) > 0 }) || slices.ContainsFunc(a.nets, func(p *PBR) bool { return len(p.spec.Lost) > 0 }) {
			errs.Add(d.at.Get("hdm").Errorf(nil, "links of the fabric are lost: not with coherent devices"))
		}
	}
	at := func(v configs.Value, l units.Latency, hops ...*transit.Hop) {
		if err := inTime(l); err != nil {
			errs.Add(v.Get("at").Errorf(nil, "%s", err))
			return
		}
		if len(hops) == 0 {
			errs.Add(v.Errorf(nil, "there is no such link"))
		}
		for _, h := range hops {
			plan.Lose(h, ps(l))
		}
	}
	below := func(n system.Node, v configs.Value, list []LossSpec) {
		for i, s := range list {
			var hops []*transit.Hop
			for k, j := range a.Joints {
				if j.From == n && index(j.FromPort) == s.Down {
					hops = append(hops, a.Hops[k])
				}
			}
			at(item(v, "lost", i), s.At, hops...)
		}
	}
	for _, r := range a.roots {
		below(r, r.at, r.spec.Lost)
	}
	for _, s := range a.switches {
		below(s, s.at, s.spec.Lost)
	}
	for _, p := range a.nets {
		for i, s := range p.spec.Lost {
			v := item(p.at, "lost", i)
			hops, err := a.lostLinks(p, s, v)
			if err != nil {
				errs.Add(err)
				continue
			}
			at(v, s.At, hops...)
			plan.FillAgain(ps(s.At) + ps(p.spec.Detect))
		}
	}
	return errs.Err()
}

// lostLinks finds the links that a loss in a fabric with port-based routing is of.
func (a *assembly) lostLinks(p *PBR, s FabricLossSpec, v configs.Value) ([]*transit.Hop, error) {
	var out []*transit.Hop
	switch {
	case s.Terminal != nil && s.Router == nil && s.Port == nil && s.To == nil:
		for k, ends := range a.sides {
			for _, e := range ends {
				if e.net == p && e.terminal == *s.Terminal {
					out = append(out, a.Hops[k])
					break
				}
			}
		}
	case s.Terminal == nil && s.Router != nil && (s.Port == nil) != (s.To == nil):
		for i, c := range p.channels {
			here := c.router == *s.Router && (s.Port != nil && c.port == *s.Port || s.To != nil && c.to == *s.To)
			there := c.to == *s.Router && (s.Port != nil && c.back == *s.Port || s.To != nil && c.router == *s.To)
			if here || there {
				out = append(out, p.hops[i])
			}
		}
	default:
		return nil, v.Errorf(nil, "names no link (want router with port, router with to, or terminal)")
	}
	return out, nil
}

// refill fills the tables of all fabrics again, without the links that are lost. The
// messages on their way keep their routes as far as they are whole; the others take a new
// one from the next switch on.
func (a *assembly) refill(t int64) error {
	a.refilled = true
	for _, p := range a.nets {
		p.tables++
	}
	if err := a.findRoutes(); err != nil {
		return err
	}
	a.Reroute(t, a.graphs(), a.rest)
	return nil
}

// rest is what is left of a route by the present tables; see transit.Network.Reroute.
func (a *assembly) rest(old []route.Leg) ([]route.Leg, bool) {
	dead := func(x route.Leg) bool { return a.Hops[x.Link()].Dead() }
	if !slices.ContainsFunc(old[1:], dead) {
		return old, true
	}
	last := old[0]
	p, router := a.end(last, 1-int(last.Direction()))
	if p == nil {
		return old, false
	}
	k := 1
	for int(old[k].Link()) >= len(a.sides) { // channels follow the links of the nodes
		k++
	}
	exit := old[k] // it leaves the fabric by the end that it begins at
	legs, ok := p.table.Route([]route.Leg{last}, router, -1, a.sides[exit.Link()][exit.Direction()].terminal)
	if !ok || slices.ContainsFunc(old[k:], dead) {
		return old, false
	}
	p.resumed++
	return append(legs, old[k:]...), true
}

// end is the fabric at an end of a link, and the router there.
func (a *assembly) end(l route.Leg, side int) (*PBR, int) {
	if n := int(l.Link()); n < len(a.sides) {
		return a.sides[n][side].net, a.sides[n][side].router
	}
	for _, p := range a.nets {
		for i, h := range p.hops {
			if h.Index == l.Link() {
				return p, [2]int{p.channels[i].router, p.channels[i].to}[side]
			}
		}
	}
	return nil, 0
}

// A dropper counts the lines that a loss takes.
type dropper struct {
	f     *fabric
	roots []*Root
}

// Dropped implements transit.Dropper.
func (d *dropper) Dropped(i int32, at *transit.Hop) {
	f := d.f
	l := f.Lines.At(i)
	l.Over, l.Lost = true, true
	r := d.roots[l.Root]
	r.count.lost++
	if l.Done {
		f.Lines.FreeIfEnded(i)
		return
	}
	where := ""
	switch {
	case at != nil:
		where = at.Title()
	case l.Up:
		where = "a way to " + r.Name()
	default:
		where = "a way to " + f.lds[l.LD].name
	}
	n := slices.Index(f.places, where)
	if n < 0 {
		n = len(f.places)
		f.places = append(f.places, where)
	}
	for len(r.lost) <= n {
		r.lost = append(r.lost, 0)
	}
	r.lost[n]++
	l.Where = int32(n)
}
