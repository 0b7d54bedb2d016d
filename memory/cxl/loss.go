package cxl

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cxl/loss"
	"github.com/causeway-sim/causeway/memory/cxl/route"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
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
		x.deadlines = transit.NewMinTree(len(x.roots))
		a.After = x
	}
	return nil
}

// planLosses plans the losses that the nodes configure.
func (a *assembly) planLosses(plan *loss.Plan) error {
	var errs configs.Errors
	a.refuseCoherent(&errs)
	first := map[*transit.Hop]string{} // path of the entry that loses it
	lose := func(n *face, v configs.Value, l units.Latency, hops []*transit.Hop) {
		if err := setting.InTime(l); err != nil {
			errs.Add(v.Get("at").Errorf(nil, "%s", err))
			return
		}
		if len(hops) == 0 {
			errs.Add(v.Errorf(nil, "there is no such link"))
		}
		for _, h := range hops {
			if by, twice := first[h]; twice {
				errs.Add(v.Errorf(nil, "the link is lost already, by %s", by))
				return
			}
			first[h] = v.Path()
			plan.Lose(h, setting.Ps(l))
		}
		n.losses = append(n.losses, planned{plan, hops, l})
	}
	for _, r := range a.roots {
		for i, s := range r.spec.Lost {
			lose(&r.face, item(r.at, "lost", i), s.At, a.below(r, s.Down))
		}
	}
	for _, w := range a.switches {
		for i, s := range w.spec.Lost {
			lose(&w.face, item(w.at, "lost", i), s.At, a.below(w, s.Down))
		}
	}
	for _, p := range a.nets {
		for i, s := range p.spec.Lost {
			v := item(p.at, "lost", i)
			hops, err := a.lostLinks(p, s, v)
			if err != nil {
				errs.Add(err)
				continue
			}
			lose(&p.face, v, s.At, hops)
			plan.FillAgain(setting.Ps(s.At) + setting.Ps(p.spec.Detect))
		}
	}
	return errs.Err()
}

// below are the links of a port towards devices.
func (a *assembly) below(n system.Node, down int) (out []*transit.Hop) {
	for k, j := range a.Joints {
		if j.From == n && index(j.FromPort) == down {
			out = append(out, a.Hops[k])
		}
	}
	return out
}

// refuseCoherent reports coherent devices in a fabric that loses links or gives up lines.
func (a *assembly) refuseCoherent(errs *configs.Errors) {
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
}

// lostLinks finds the links that a loss in a fabric with port-based routing is of.
func (a *assembly) lostLinks(p *PBR, s setting.FabricLossSpec, v configs.Value) ([]*transit.Hop, error) {
	switch {
	case s.Terminal != nil && s.Router == nil && s.Port == nil && s.To == nil:
		return a.linksOf(p, *s.Terminal), nil
	case s.Terminal == nil && s.Router != nil && (s.Port == nil) != (s.To == nil):
		var out []*transit.Hop
		for i, c := range p.channels {
			if means(&s, c.router, c.port, c.to) || means(&s, c.to, c.back, c.router) {
				out = append(out, p.hops[i])
			}
		}
		return out, nil
	}
	return nil, v.Errorf(nil, "names no link (want router with port, router with to, or terminal)")
}

// means reports whether a loss that names a router is of the channel that leaves it by a
// port, to another router.
func means(s *setting.FabricLossSpec, router, port, to int) bool {
	return router == *s.Router && (s.Port != nil && port == *s.Port || s.To != nil && to == *s.To)
}

// linksOf are the links at a terminal of a fabric.
func (a *assembly) linksOf(p *PBR, terminal int) (out []*transit.Hop) {
	for k, ends := range a.sides {
		if slices.ContainsFunc(ends[:], func(e side) bool { return e.net == p && e.terminal == terminal }) {
			out = append(out, a.Hops[k])
		}
	}
	return out
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

// A planned loss is of the links that one entry of lost names.
type planned struct {
	plan *loss.Plan
	hops []*transit.Hop
	at   units.Latency
}

// Warnings implements system.Warner: lines that were given up.
func (r *Root) Warnings() []string {
	c, out := &r.count, r.face.Warnings()
	if c.expired == [2]uint64{} {
		return out
	}
	answer := "their requests failed"
	if r.spec.OnTimeout == "poison" {
		answer = "their requests were answered with poison, as any other"
	}
	return append(out, fmt.Sprintf("%s gave up %d lines of reads and %d of writes, which had no answer within %s (timeout); the first at %g ns. %d lines were lost with links, %d came late; %s.",
		r.Name(), c.expired[0], c.expired[1], r.spec.Timeout, float64(c.expiredAt)/1000, c.lost, c.late, answer))
}

// Warnings implements system.Warner: losses after all lines had ended.
func (f *face) Warnings() []string {
	late, next := 0, units.Latency{}
	for _, x := range f.losses {
		lines := &x.plan.Network.Lines
		if lines.Len() == 0 || !lines.Still() || !slices.ContainsFunc(x.hops, x.plan.Pending) {
			continue
		}
		if late == 0 || setting.Ps(x.at) < setting.Ps(next) {
			next = x.at
		}
		late++
	}
	if late == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d losses of %s (lost) have no effect: the next is at %s, and all lines had ended before.", late, len(f.losses), f.Name(), next)}
}
