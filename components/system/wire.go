package system

import (
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// A plan is one wire to be made: ports that links join, directly or by a port
// that takes many.
type plan struct {
	ends []endpoint // by the name of the port
	opts []engine.EndOptions
}

// planWires gathers linked ports into wires and settles the latency and
// bandwidth of each end.
func (b *build) planWires() []*plan {
	var all []endpoint
	for p := range b.at {
		all = append(all, p)
	}
	slices.SortFunc(all, func(x, y endpoint) int { return configs.CompareNames(x.port().Name(), y.port().Name()) })
	seen := map[endpoint]bool{}
	var plans []*plan
	for _, p := range all {
		if seen[p] {
			continue
		}
		w := &plan{ends: b.gather(p, seen)}
		slices.SortFunc(w.ends, func(x, y endpoint) int { return configs.CompareNames(x.port().Name(), y.port().Name()) })
		for _, end := range w.ends {
			w.opts = append(w.opts, b.endOptions(w, end))
		}
		plans = append(plans, w)
	}
	return plans
}

// gather lists the ports that links connect with p.
func (b *build) gather(p endpoint, seen map[endpoint]bool) []endpoint {
	out := []endpoint{p}
	seen[p] = true
	for i := 0; i < len(out); i++ {
		for _, l := range b.at[out[i]] {
			if q := l.other(out[i]); !seen[q] {
				seen[q] = true
				out = append(out, q)
			}
		}
	}
	return out
}

// endOptions settles what an end is like. Links that meet in one port have to
// agree about it: they are one wire, and the port is one end of it.
func (b *build) endOptions(w *plan, p endpoint) engine.EndOptions {
	first := b.at[p][0]
	opts := engine.EndOptions{Latency: first.latency(p), Bandwidth: first.bandwidth(), Buffer: p.def().Buffer}
	if opts.Buffer == 0 {
		opts.Buffer = DefaultBuffer
	}
	for _, l := range b.at[p][1:] {
		if n := l.latency(p); n != opts.Latency {
			b.errs.Add(l.at.Errorf(nil, "links of %s share one wire, but take %d cycles here and %d at %s", p, n, opts.Latency, first.at.Pos()))
			break
		}
		if n := l.bandwidth(); n != opts.Bandwidth {
			b.errs.Add(l.at.Errorf(nil, "links of %s share one wire, but have bandwidth %s here and %s at %s", p, limit(n), limit(opts.Bandwidth), first.at.Pos()))
			break
		}
	}
	if _, ok := p.el.node.(Transparent); ok && len(w.ends) > 2 {
		opts.Uplink = true
		if i := slices.IndexFunc(w.opts, func(o engine.EndOptions) bool { return o.Uplink }); i >= 0 {
			opts.Uplink = false
			b.errs.Add(first.at.Errorf(nil, "%s and %s are ports of networks on one wire of %d ends", w.ends[i], p, len(w.ends)))
		}
	}
	b.cycles[p] = opts.Latency
	return opts
}

func limit(b units.Bandwidth) string {
	if b == 0 {
		return "without limit"
	}
	return b.String()
}

// latency is the cycles of p's clock that the link takes towards p.
func (l *link) latency(p endpoint) uint64 {
	if l.attr.Latency == nil {
		return 1
	}
	return max(1, l.attr.Latency.In(p.def().Clock))
}

func (l *link) bandwidth() units.Bandwidth {
	if l.attr.Bandwidth == nil {
		return 0
	}
	return *l.attr.Bandwidth
}

// border reports whether the wire joins a network to what runs apart from it. A node that
// shares its work with the network is divided like it.
func (w *plan) border() bool {
	divisible := false
	for _, e := range w.ends {
		if _, ok := e.el.node.(Sharer); ok {
			return false
		}
		_, ok := e.el.node.(Divisible)
		divisible = divisible || ok
	}
	return divisible
}

// cutThrough gives the bandwidth of a link between ranks and a network to the network's
// channel, so that a message does not pass one after the other.
func (w *plan) cutThrough() {
	if len(w.ends) != 2 {
		return
	}
	for i, e := range w.ends {
		n, ok := e.el.node.(Limiter)
		b := w.opts[i].Bandwidth
		if ok && b > 0 && w.ends[1-i].def().Protocol == Net && n.Limit(e.index, b) <= b {
			w.opts[0].Bandwidth, w.opts[1].Bandwidth = 0, 0
		}
	}
}

// make builds the wire.
func (w *plan) make(e sim.Engine) *engine.Wire {
	wire := engine.NewWire("Link."+w.ends[0].port().Name(), e)
	for i, p := range w.ends {
		wire.Attach(p.port(), p.def().Clock, w.opts[i])
	}
	return wire
}
