package system

import (
	"errors"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// placement is the section of that name.
type placement struct {
	// Default is the tier of tensors that no rule speaks of.
	Default string `yaml:"default" doc:"Tier of tensors that no rule speaks of"`
	// Rules are tried in order; the first that matches wins.
	Rules []ruleSpec `yaml:"rules" doc:"Tried in order; the first that matches wins"`
}

// Sections describes the sections that Build reads and that are mappings, for
// the schema of whole documents.
func Sections() []schema.Section {
	return []schema.Section{{Name: "placement", Doc: "Which tensors live in which range of the memory section.", Spec: placement{}}}
}

type ruleSpec struct {
	// Tensor is a name or a role, * and ? stand for any text and any letter.
	Tensor string `yaml:"tensor" jsonschema:"required" doc:"Name or role of tensors; * and ? stand for any text and any letter"`
	// Tier is where they go.
	Tier string `yaml:"tier" jsonschema:"required" doc:"Tier they go to"`
}

// readPlacement reads the section and, if they are known, checks the tiers that
// it names.
func (b *build) readPlacement(sp *space, known bool) {
	var tiers []string
	for _, t := range sp.tiers {
		if !slices.Contains(tiers, t.family) {
			tiers = append(tiers, t.family)
		}
	}
	if sp.at.Exists() {
		if err := sp.at.Decode(&sp.placement); err != nil {
			b.errs.Add(err)
			return
		}
		if !known {
			return
		}
		check := func(v Value) {
			if v.Exists() && !slices.Contains(tiers, v.Text()) {
				b.errs.Add(v.Errorf(tiers, "no tier %q", v.Text()))
			}
		}
		check(sp.at.Get("default"))
		for _, r := range sp.at.Get("rules").Items() {
			check(r.Get("tier"))
		}
	}
	if sp.placement.Default == "" && len(tiers) == 1 {
		sp.placement.Default = tiers[0]
	}
}

// sends reports whether tensors go to a tier, by default or by a rule.
func (p *placement) sends(tier string) bool {
	return p.Default == tier || slices.ContainsFunc(p.Rules, func(r ruleSpec) bool { return r.Tier == tier })
}

// uses lists the values that send tensors to a tier.
func (p *placement) uses(sp *space, tier string) []Value {
	var out []Value
	if p.Default == tier {
		if v := sp.at.Get("default"); v.Exists() {
			out = append(out, v)
		} else if len(sp.tiers) > 0 {
			out = append(out, sp.tiers[0].at)
		}
	}
	for _, r := range sp.at.Get("rules").Items() {
		if r.Get("tier").Text() == tier {
			out = append(out, r.Get("tier"))
		}
	}
	return out
}

// Place assigns addresses to every tensor of the graphs, by the placement section. An error has
// the place of the rule that puts a tensor where it does not fit.
func (s *System) Place(graphs ...*graph.Graph) (*memory.Placement, error) {
	return s.PlaceFor(nil, graphs...)
}

// Reaches reports whether requests of node n reach a memory.
func (s *System) Reaches(n Node) bool { return len(s.reaches[n]) > 0 }

// Home returns the name of the first node that all memory requests of n reach, without array
// indices; "" if there are several or none.
func (s *System) Home(n Node) string { return s.homes[n] }

// ReachesTier reports whether requests of node n reach ranges of that name; of private ranges, its
// own.
func (s *System) ReachesTier(n Node, name string) bool { return s.reaches[n][name] != "" }

// PlaceFor is like Place, but node of[i] executes graph i, which may use its private memory; nil:
// any node.
func (s *System) PlaceFor(of []Node, graphs ...*graph.Graph) (*memory.Placement, error) {
	return s.PlaceBy(nil, of, graphs...)
}

// Tiers lists the names of address ranges that rules and nodes may use.
func (s *System) Tiers() (out []string) {
	for _, t := range s.space.tiers {
		if !slices.Contains(out, t.family) {
			out = append(out, t.family)
		}
	}
	return out
}

// PlaceBy is like PlaceFor, with rules that come before those of the placement section.
func (s *System) PlaceBy(rules []memory.Rule, of []Node, graphs ...*graph.Graph) (*memory.Placement, error) {
	sp := s.space
	if len(sp.tiers) == 0 {
		return nil, sp.at.Errorf(nil, "the system has no memory to place tensors in")
	}
	p := memory.Placer{Default: sp.placement.Default}
	own := map[string]string{} // the first of each family
	for _, t := range sp.tiers {
		p.Tiers = append(p.Tiers, memory.Tier{Name: t.name, Base: t.base, Size: t.size})
		if own[t.family] == "" {
			own[t.family] = t.name
		}
	}
	p.In = func(g int, family string) string {
		if g < len(of) && of[g] != nil {
			if name := s.reaches[of[g]][family]; name != "" {
				return name
			}
		}
		if name := own[family]; name != "" {
			return name
		}
		return family
	}
	if p.Default == "" {
		all, ok := s.pooled()
		if !ok {
			return nil, sp.noDefault()
		}
		p.Tiers, p.Default = []memory.Tier{all}, all.Name
	}
	p.Rules = slices.Clip(rules)
	for _, r := range sp.placement.Rules {
		p.Rules = append(p.Rules, memory.Rule(r))
	}
	out, err := p.Place(graphs...)
	var pe *memory.PlaceError
	if errors.As(err, &pe) {
		if pe.Rule >= 0 && pe.Rule < len(rules) {
			return nil, pe
		}
		if pe.Rule >= 0 {
			pe.Rule -= len(rules)
		}
		return nil, sp.locate(pe)
	}
	return out, err
}

// pooled is the one tier that all ranges are where a Pooler stands above all of them: an
// address is then the name of a page, so that no range has to be chosen for a tensor.
// The ranges must follow each other without a gap, and no rule may choose one.
func (s *System) pooled() (all memory.Tier, ok bool) {
	sp := s.space
	if len(sp.placement.Rules) > 0 {
		return all, false
	}
	for _, n := range s.nodes {
		if x, is := n.(Pooler); is && x.Pools() == len(sp.tiers) {
			ok = true
		}
	}
	var names []string
	for i, t := range sp.tiers {
		if i > 0 && t.base != all.Base+all.Size {
			return all, false
		}
		if i == 0 {
			all.Base = t.base
		}
		all.Size += t.size
		names = append(names, t.name)
	}
	all.Name = strings.Join(names, "+")
	return all, ok
}

// noDefault is the error for a system with several tiers and no default tier for tensors. Without
// a placement section it has the place of the first range.
func (sp *space) noDefault() error {
	var tiers []string
	for _, t := range sp.tiers {
		tiers = append(tiers, t.name)
	}
	v := sp.at.Get("default")
	e := v.Errorf(tiers, "is missing: there are %d tiers to place tensors in", len(tiers))
	if !sp.at.Exists() {
		e.Pos = sp.tiers[0].at.Pos()
	}
	return e
}

// locate gives an error of placing the position of the rule that caused it.
func (sp *space) locate(err *memory.PlaceError) error {
	at := sp.at.Get("default")
	if err.Rule >= 0 {
		at = sp.at.Get("rules").Items()[err.Rule]
		if err.Tensor == "" {
			at = at.Get("tensor")
		}
	}
	if !at.Exists() {
		at = sp.tiers[0].at
	}
	return at.Errorf(nil, "%s", err)
}
