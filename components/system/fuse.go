package system

import (
	"slices"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// A Part is a node with Fused ports. Links join such ports and addresses are routed through them,
// but there is no wire: joined parts run as one component. Build calls Fuse of the first part, in
// canonical order, when the rest of the system has no error.
type Part interface {
	Node
	Fuse(*Fusion) error
}

// A Fusion is a set of parts that fused links join.
type Fusion struct {
	Parts  []Node // canonical order
	Joints []Joint
	Tiers  []FusedTier // all ranges of the system, by base
}

// A Joint is one fused link. From is the end that sends requests, or the left end.
type Joint struct {
	From, To  Node
	FromPort  string // as SetMap names ports: "down[1]"
	ToPort    string
	Latency   *units.Latency  // nil: none was given
	Bandwidth units.Bandwidth // 0: unlimited
	At        Value           // for messages
}

// A FusedTier is a range of addresses of the memory section.
type FusedTier struct {
	Name                   string
	Base, Size, Interleave uint64
	Homes                  []Node // by turns; parts and others
	At                     Value
}

// fusions finds the sets, in canonical order.
func (b *build) fusions(sp *space) []*Fusion {
	var out []*Fusion
	set := map[*element]*Fusion{}
	for _, el := range b.all {
		if set[el] != nil || !slices.ContainsFunc(el.specs, func(p PortSpec) bool { return p.Fused }) {
			continue
		}
		f := &Fusion{}
		b.joinParts(el, f, set)
		slices.SortFunc(f.Parts, func(x, y Node) int { return configs.CompareNames(x.Name(), y.Name()) })
		slices.SortFunc(f.Joints, func(x, y Joint) int {
			return configs.CompareNames(x.From.Name()+"."+x.FromPort+" "+x.To.Name(), y.From.Name()+"."+y.FromPort+" "+y.To.Name())
		})
		if sp != nil {
			for _, t := range sp.tiers {
				ft := FusedTier{Name: t.name, Base: t.base, Size: t.size, Interleave: t.interleave, At: t.at}
				for _, h := range t.homes {
					ft.Homes = append(ft.Homes, h.node)
				}
				f.Tiers = append(f.Tiers, ft)
			}
		}
		out = append(out, f)
	}
	return out
}

// joinParts adds el and what fused links join to it.
func (b *build) joinParts(el *element, f *Fusion, set map[*element]*Fusion) {
	set[el] = f
	f.Parts = append(f.Parts, el.node)
	for i := range el.specs {
		if !el.specs[i].Fused {
			continue
		}
		for j := range el.specs[i].Ports {
			p := endpoint{el, i, j}
			for _, l := range b.at[p] {
				q := l.other(p)
				if from := l.from(); from == p {
					to := l.other(from)
					f.Joints = append(f.Joints, Joint{from.el.node, to.el.node, from.local(), to.local(), l.attr.Latency, l.bandwidth(), l.at})
				}
				if set[q.el] == nil {
					b.joinParts(q.el, f, set)
				}
			}
		}
	}
}

// from is the end that requests come from.
func (l *link) from() endpoint {
	if l.b.def().Role == Requests || l.a.def().Role == Responds {
		return l.b
	}
	return l.a
}

// fuse has the parts become components.
func (b *build) fuse(all []*Fusion) {
	for _, f := range all {
		el := b.elementOf(f.Parts[0])
		p, ok := f.Parts[0].(Part)
		if !ok {
			panic("system: " + f.Parts[0].Name() + " has fused ports, but is no Part")
		}
		if err := p.Fuse(f); err != nil {
			b.errs.Add(located(el.shown, err))
		}
	}
}

func (b *build) elementOf(n Node) *element {
	return b.all[slices.IndexFunc(b.all, func(el *element) bool { return el.node == n })]
}

// inside makes a node that is part of another, as the mapping v of its kind
// describes it: the memory of a device. It belongs to the system like any other,
// its statistics included, but has no place in links and addresses: the node that
// makes it also wires it.
func (b *build) inside(name string, v Value) (Node, error) {
	el := &element{name: name, value: v, shown: v, inner: true}
	before := len(b.errs)
	f, ok := b.factory(el)
	if !ok {
		return nil, b.taken(before)
	}
	for _, key := range []string{"name", "count", "elements"} {
		if x := v.Get(key); x.Exists() {
			b.errs.Add(x.Errorf(nil, "has no effect on a node inside another, which is one and has its name from there"))
		}
	}
	v = b.effective(v, f)
	spec, err := f.Decode(v)
	if err != nil {
		return nil, err
	}
	if err := b.taken(before); err != nil {
		return nil, err
	}
	n, err := f.New(b.env, name, spec, v)
	if err != nil {
		return nil, located(el.value, err)
	}
	el.node, el.kind, el.spec = n, f, spec
	b.inner = append(b.inner, el)
	return n, nil
}

// taken is what was complained about since there were n errors, taken back.
func (b *build) taken(n int) error {
	var errs configs.Errors
	for _, e := range b.errs[n:] {
		errs.Add(e)
	}
	b.errs = b.errs[:n]
	return errs.Err()
}

// fused reports whether a wire to be made is none.
func (w *plan) fused() bool { return w.ends[0].def().Fused }
