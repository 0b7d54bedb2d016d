package cxl

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// LossSpec is the loss of a link below a root or a switch.
type LossSpec struct {
	Down int           `yaml:"down" jsonschema:"minimum=0" doc:"The downstream port"`
	At   units.Latency `yaml:"at" jsonschema:"required" doc:"When its link is lost, for good"`
}

// FabricLossSpec is the loss of a link of a fabric: one or all between two switches, or
// that of a terminal.
type FabricLossSpec struct {
	Router   *int          `yaml:"router" jsonschema:"minimum=0" doc:"Switch at one end"`
	Port     *int          `yaml:"port" jsonschema:"minimum=0" doc:"Its port, terminals counted first"`
	To       *int          `yaml:"to" jsonschema:"minimum=0" doc:"In place of a port: the switch at the other end; all links between the two"`
	Terminal *int          `yaml:"terminal" jsonschema:"minimum=0" doc:"In place of a switch: the link of this terminal"`
	At       units.Latency `yaml:"at" jsonschema:"required" doc:"When the link is lost, for good"`
}

// An incident is what happens to the fabric itself at a time.
type incident struct {
	at  int64
	hop *hop // that is lost; nil: tables are filled again
}

// losses plans what the nodes say will be lost.
func (f *fabric) losses() error {
	var errs configs.Errors
	for _, d := range f.devices {
		if d.spec.HDM == "h" && (d.dev == nil || d.dev.spec.Reach != "host") {
			continue
		}
		for _, r := range f.roots {
			if r.times.timeout > 0 || len(r.spec.Lost) > 0 {
				errs.Add(d.at.Get("hdm").Errorf(nil, "%s has a timeout or links that are lost: not with coherent devices", r.Name()))
			}
		}
		if slices.ContainsFunc(f.switches, func(s *Switch) bool { return len(s.spec.Lost) > 0 }) || slices.ContainsFunc(f.nets, func(p *PBR) bool { return len(p.spec.Lost) > 0 }) {
			errs.Add(d.at.Get("hdm").Errorf(nil, "links of the fabric are lost: not with coherent devices"))
		}
	}
	at := func(v configs.Value, l units.Latency, hops ...*hop) {
		if err := inTime(l); err != nil {
			errs.Add(v.Get("at").Errorf(nil, "%s", err))
			return
		}
		if len(hops) == 0 {
			errs.Add(v.Errorf(nil, "there is no such link"))
		}
		for _, h := range hops {
			f.incidents = append(f.incidents, incident{ps(l), h})
		}
	}
	below := func(n system.Node, v configs.Value, list []LossSpec) {
		for i, s := range list {
			var hops []*hop
			for k, j := range f.joints {
				if j.From == n && index(j.FromPort) == s.Down {
					hops = append(hops, f.links[k])
				}
			}
			at(item(v, "lost", i), s.At, hops...)
		}
	}
	for _, r := range f.roots {
		below(r, r.at, r.spec.Lost)
	}
	for _, s := range f.switches {
		below(s, s.at, s.spec.Lost)
	}
	for _, p := range f.nets {
		for i, s := range p.spec.Lost {
			v := item(p.at, "lost", i)
			hops, err := p.named(f, s, v)
			if err != nil {
				errs.Add(err)
				continue
			}
			at(v, s.At, hops...)
			f.incidents = append(f.incidents, incident{ps(s.At) + ps(p.spec.Detect), nil})
		}
	}
	slices.SortStableFunc(f.incidents, func(a, b incident) int { return cmp.Compare(a.at, b.at) })
	return errs.Err()
}

// named finds the links that a loss is of.
func (p *PBR) named(f *fabric, s FabricLossSpec, v configs.Value) ([]*hop, error) {
	var out []*hop
	switch {
	case s.Terminal != nil && s.Router == nil && s.Port == nil && s.To == nil:
		for k, j := range f.joints {
			port := ""
			switch system.Node(p) {
			case j.From:
				port = j.FromPort
			case j.To:
				port = j.ToPort
			}
			if port != "" && index(port) == *s.Terminal {
				out = append(out, f.links[k])
			}
		}
	case s.Terminal == nil && s.Router != nil && (s.Port == nil) != (s.To == nil):
		for _, c := range p.channels {
			here := c.router == *s.Router && (s.Port != nil && c.port == *s.Port || s.To != nil && c.to == *s.To)
			there := c.to == *s.Router && (s.Port != nil && c.back == *s.Port || s.To != nil && c.router == *s.To)
			if here || there {
				out = append(out, f.links[p.leaving[c.router][c.port].link()])
			}
		}
	default:
		return nil, v.Errorf(nil, "names no link (want router with port, router with to, or terminal)")
	}
	return out, nil
}

// happen carries out an incident.
func (f *fabric) happen(x incident) error {
	f.now = x.at
	if x.hop == nil {
		return f.relearn()
	}
	if x.hop.dead {
		return nil
	}
	h := x.hop
	h.dead = true
	h.stir()
	for i := range f.lines {
		l := &f.lines[i]
		if l.on != h.index+1 {
			continue
		}
		if !l.departed && l.hop > 0 && !l.doomed {
			f.release(l, l.hop-1, x.at, l.class())
		}
		f.drop(int32(i), h.title())
	}
	return nil
}

// title is what a lost link is called in reports.
func (h *hop) title() string { return fmt.Sprintf("the link %s to %s", h.names[0], h.names[1]) }

// drop ends a line in the fabric: nobody has its message any more.
func (f *fabric) drop(i int32, where string) {
	l := &f.lines[i]
	l.on, l.over, l.lost = 0, true, true
	r := f.roots[l.root]
	r.count.lost++
	if l.done {
		f.end(i)
		return
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
	l.where = int32(n)
}

// end frees a line that is over for the host and in the fabric, unless a memory
// still has its data.
func (f *fabric) end(i int32) {
	if l := &f.lines[i]; l.done && l.over && (!l.early || l.stored) {
		f.freeLine(i)
	}
}

// relearn fills the tables of all fabrics again, without the links that are lost. The
// messages on their way keep theirs as far as it is whole, else they take the new one
// from the next switch on. Those that could then wait in a ring with others are
// discarded, as are those without a way.
func (f *fabric) relearn() error {
	f.epoch++
	for _, p := range f.nets {
		p.tables++
	}
	if err := f.find(); err != nil {
		return err
	}
	graphs := f.graphs()
	for i := range f.lines {
		l := &f.lines[i]
		if l.doomed || l.on == 0 && !l.held {
			continue
		}
		legs, ok := f.rest(l)
		side := 0
		if l.up {
			side = 1
		}
		from := legs
		if l.on > 0 && !l.departed && l.hop > 0 { // it still keeps the buffer behind the link before
			from = append([]leg{f.leg(l, l.hop-1)}, legs...)
		}
		if ok = ok && graphs[side].add(from); !ok {
			f.doom(l)
			continue
		}
		if len(legs) != len(f.routes[l.route])-int(l.hop) || !slices.Equal(legs, f.routes[l.route][l.hop:]) {
			f.routes = append(f.routes, append(slices.Clone(f.routes[l.route][:l.hop]), legs...))
			l.route = int32(len(f.routes) - 1)
		}
	}
	return nil
}

// rest is what is left of a line's route, the link that it is on or has passed last
// included; past a lost link by the present tables. false: there is no way.
func (f *fabric) rest(l *line) ([]leg, bool) {
	old := f.routes[l.route][l.hop:]
	if !slices.ContainsFunc(old[1:], func(x leg) bool { return f.links[x.link()].dead }) {
		return old, true
	}
	last := old[0]
	h := f.links[last.link()]
	p, router := h.nets[1-last.side()], h.routers[1-last.side()]
	if p == nil {
		return old, false
	}
	k := 1
	for f.links[old[k].link()].channel {
		k++
	}
	exit := old[k] // it leaves the fabric by the end that it begins at
	legs, ok := p.table.way([]leg{last}, router, -1, f.links[exit.link()].terminals[exit.side()])
	if !ok || slices.ContainsFunc(old[k:], func(x leg) bool { return f.links[x.link()].dead }) {
		return old, false
	}
	p.resumed++
	return append(legs, old[k:]...), true
}

// doom discards a line: the next switch that it comes to drops it. It keeps nothing
// meanwhile that others wait for.
func (f *fabric) doom(l *line) {
	if l.on > 0 && !l.departed && l.hop > 0 {
		f.release(l, l.hop-1, f.now, l.class())
	}
	l.doomed = true
}
