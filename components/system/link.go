package system

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// A link joins two ports.
type link struct {
	a, b endpoint
	at   Value // for messages
	attr linkAttr
}

// other is the end of l that is not p.
func (l *link) other(p endpoint) endpoint {
	if l.a == p {
		return l.b
	}
	return l.a
}

// linkAttr is the mapping form of a link.
type linkAttr struct {
	// Link is A.port -> B.port.
	Link string `yaml:"link" jsonschema:"required" doc:"The ends: A.port -> B.port"`
	// Latency of the link, in each direction, rounded up to whole cycles of
	// the receiver; absent is one cycle.
	Latency *units.Latency `yaml:"latency" doc:"Time on the link; at least and by default one cycle of the receiver"`
	// Bandwidth in each direction; absent is unlimited.
	Bandwidth *units.Bandwidth `yaml:"bandwidth" doc:"Bandwidth in each direction; unlimited by default"`
	// Placement is the order in which nodes get the free ports of an array.
	Placement string `yaml:"placement" jsonschema:"enum=linear,enum=random,enum=router,enum=group,enum=spread" doc:"Which free terminals of a network the nodes get: linear (the first, the default), random, router or group (those of routers or groups in random order, each filled up), spread (one of each group in turn)"`
}

// An entry is one item of a links list.
type entry struct {
	scope  *scope
	at     Value
	whole  Value // the mapping form
	attr   linkAttr
	placed bool // attr.Placement was heeded
	refs   [2]ref
	sides  [2]*side
}

// readLinks parses the links of a scope and of the groups inside it.
func (b *build) readLinks(sc *scope) {
	if sc.links.Exists() && sc.links.Kind() != configs.List {
		b.errs.Add(sc.links.Errorf(nil, "links is %s, not a list", sc.links.Kind()))
		b.brokenAll = true
	}
	for _, v := range sc.links.Items() {
		if e, ok := b.readLink(sc, v); ok {
			b.entries = append(b.entries, e)
		}
	}
	for _, in := range sc.inside {
		b.readLinks(in)
	}
}

func (b *build) readLink(sc *scope, v Value) (*entry, bool) {
	e := &entry{scope: sc, at: v}
	switch v.Kind() {
	case configs.String:
		e.attr.Link = v.Text()
	case configs.Map:
		if err := v.Decode(&e.attr, configs.Beside("name")); err != nil {
			b.errs.Add(err)
			b.brokenAll = true
			return nil, false
		}
		e.at, e.whole = v.Get("link"), v
		if b.checkAttr(v, e.attr); !e.at.Exists() {
			b.errs.Add(v.Errorf(nil, "a link has no ends (want link: A.port -> B.port)"))
			b.brokenAll = true
			return nil, false
		}
	default:
		b.errs.Add(v.Errorf(nil, "a link is A.port -> B.port or a mapping with link, not %s", v.Kind()))
		b.brokenAll = true
		return nil, false
	}
	parts := strings.Split(e.attr.Link, "->")
	if len(parts) != 2 {
		b.errs.Add(e.at.Errorf(nil, "%q is no link (want A.port -> B.port)", e.attr.Link))
		b.brokenAll = true
		return nil, false
	}
	for i, p := range parts {
		r, err := parseRef(p)
		if err != nil {
			b.errs.Add(e.at.Errorf(nil, "%s (want A.port -> B.port)", err))
			b.brokenAll = true
			return nil, false
		}
		e.refs[i] = r
	}
	return e, true
}

// checkAttr checks the values that the types do not.
func (b *build) checkAttr(v Value, a linkAttr) {
	if a.Latency != nil && a.Latency.IsZero() {
		b.errs.Add(v.Get("latency").Errorf(nil, "a link takes at least one cycle of the receiver"))
	}
	if a.Bandwidth != nil && *a.Bandwidth == 0 {
		b.errs.Add(v.Get("bandwidth").Errorf(nil, "a link of no bandwidth carries nothing (leave it out for an unlimited one)"))
	}
}

// resolveLinks finds the ports of all entries: first of those that name both,
// then of those that name one, then of those that name none, each in canonical
// order. What is left out is chosen among what is free by then. Nodes that take as many ports
// as there are come last, those first that want a number of them.
func (b *build) resolveLinks() {
	slices.SortStableFunc(b.entries, func(x, y *entry) int {
		return cmp.Or(configs.CompareNames(x.scope.name, y.scope.name), configs.CompareNames(x.text(), y.text()))
	})
	var half, open []*entry
	for _, e := range b.entries {
		if !b.findSides(e) {
			b.broken(e)
			continue
		}
		switch x, y := e.sides[0].ends, e.sides[1].ends; {
		case x != nil && y != nil:
			b.checkPlacement(e)
			b.join(e)
		case x != nil || y != nil:
			half = append(half, e)
		default:
			open = append(open, e)
		}
	}
	for _, e := range append(half, b.lastElastic(open)...) {
		if !b.choosePorts(e) {
			b.broken(e)
			continue
		}
		b.checkPlacement(e)
		b.join(e)
	}
}

// text is the entry in canonical spelling.
func (e *entry) text() string { return e.refs[0].String() + " -> " + e.refs[1].String() }

func (b *build) findSides(e *entry) bool {
	ok := true
	for i, r := range e.refs {
		s, found := b.side(e.scope, r, e.at)
		e.sides[i] = s
		ok = ok && found
	}
	return ok
}

// broken notes that the nodes of an entry may look unlinked because of it.
func (b *build) broken(e *entry) {
	for _, r := range e.refs {
		x := e.scope.names[r.nodes[0].name]
		if x == nil {
			b.brokenAll = true // which node was meant is not known
			continue
		}
		for _, el := range x.elements {
			b.excused[el] = true
		}
		for _, in := range x.groups {
			for _, el := range in.elements() {
				b.excused[el] = true
			}
		}
	}
}

// join pairs the ends of an entry.
func (b *build) join(e *entry) {
	x, y := e.sides[0].ends, e.sides[1].ends
	switch {
	case len(x) == len(y):
	case len(y) == 1 && y[0].def().Many:
		for len(y) < len(x) {
			y = append(y, y[0])
		}
	case len(x) == 1 && x[0].def().Many:
		for len(x) < len(y) {
			x = append(x, x[0])
		}
	case len(x) == 1 || len(y) == 1:
		one, n := x[0], len(y)
		if len(y) == 1 {
			one, n = y[0], len(x)
		}
		b.errs.Add(e.at.Errorf(nil, "%s takes one link, not %d", one, n))
		b.broken(e)
		return
	default:
		b.errs.Add(e.at.Errorf(nil, "%d ports on the left (%s), %d on the right (%s): equal numbers pair up, n to 1 needs a port that takes many",
			len(x), e.sides[0].text, len(y), e.sides[1].text))
		b.broken(e)
		return
	}
	for i := range x {
		if !b.connect(e, x[i], y[i]) {
			b.broken(e)
			return
		}
	}
}

// connect adds one link after checking that the ports go together.
func (b *build) connect(e *entry, x, y endpoint) bool {
	p, q := x.def(), y.def()
	switch {
	case x.el == y.el:
		b.errs.Add(e.at.Errorf(nil, "%s is linked to itself", x.el.name))
		return false
	case p.Protocol != q.Protocol && p.Protocol != Any && q.Protocol != Any:
		b.errs.Add(e.at.Errorf(nil, "%s carries %s, %s carries %s", x, p.Protocol, y, q.Protocol))
		return false
	case !fits(p, q):
		verb := "send requests"
		if p.Role == Responds {
			verb = "answer requests"
		}
		b.errs.Add(e.at.Errorf(nil, "%s and %s both %s", x, y, verb))
		return false
	}
	for _, l := range b.at[x] {
		if l.other(x) == y {
			b.errs.Add(e.at.Errorf(nil, "%s and %s are linked already, at %s", x, y, l.at.Pos()))
			return false
		}
	}
	for _, end := range []endpoint{x, y} {
		if old := b.at[end]; len(old) > 0 && !end.def().Many {
			b.errs.Add(e.at.Errorf(nil, "%s takes one link and has one, to %s at %s", end, old[0].other(end), old[0].at.Pos()))
			return false
		}
	}
	l := &link{x, y, e.at, e.attr}
	b.links = append(b.links, l)
	b.at[x], b.at[y] = append(b.at[x], l), append(b.at[y], l)
	return true
}

// checkUnlinked reports ports that need a link and have none: one message for
// all elements of an array.
func (b *build) checkUnlinked() {
	if b.brokenAll {
		return
	}
	type cause struct {
		entry Value
		port  string
	}
	first := map[cause]endpoint{}
	count := map[cause]int{}
	var order []cause
	for _, el := range b.all {
		if b.excused[el] {
			continue
		}
		for i := range el.specs {
			if d := &el.specs[i]; d.Elastic && !d.Optional && len(d.Ports) == 0 {
				b.errs.Add(el.shown.Errorf(nil, "port %s.%s is linked to nothing", el.name, d.Name))
			}
			for j := range el.specs[i].Ports {
				p := endpoint{el, i, j}
				if p.def().Optional || len(b.at[p]) > 0 {
					continue
				}
				c := cause{el.shown, p.def().Name}
				if count[c]++; count[c] == 1 {
					first[c] = p
					order = append(order, c)
				}
			}
		}
	}
	for _, c := range order {
		more := ""
		if n := count[c]; n > 1 {
			more = fmt.Sprintf(" (and %d more like it)", n-1)
		}
		b.errs.Add(c.entry.Errorf(nil, "port %s is linked to nothing%s", first[c], more))
	}
}
