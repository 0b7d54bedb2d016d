package cache

import (
	"fmt"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
)

// checkInclusion reports what an inclusive or exclusive cache cannot be.
func (s *Spec) checkInclusion(at func(key string) configs.Value, errs *configs.Errors) {
	switch s.Inclusion {
	case "", "none":
		return
	case "inclusive", "exclusive":
	default:
		errs.Add(at("inclusion").Errorf([]string{"none", "inclusive", "exclusive"}, "unknown inclusion %q", s.Inclusion))
		return
	}
	if why := s.plainLines(); why != "" {
		errs.Add(at("inclusion").Errorf(nil, "%s wants %s", s.Inclusion, why))
	}
	if s.Inclusion == "exclusive" && s.Prefetch.On() {
		errs.Add(at("prefetch").Errorf(nil, "has no effect on an exclusive cache, which is filled from above"))
	}
}

// plainLines is what a cache lacks to take part in inclusion; "" for nothing.
func (s *Spec) plainLines() string {
	switch {
	case s.Sectors > 1:
		return "lines of one sector"
	case s.Write != "back":
		return "write: back"
	case s.Functional:
		return "functional: false"
	}
	return ""
}

// includes looks at the caches below.
func (b *base) includes(m *memory.Map) error {
	for _, r := range m.Ranges() {
		for _, p := range r.Ports {
			l, ok := p.Component().(level)
			if !ok || l.lower().spec.Inclusion == "none" || l.lower().spec.Inclusion == "" {
				continue
			}
			s := &l.lower().spec
			why := b.spec.plainLines()
			if why == "" && s.Inclusion == "inclusive" && b.spec.Inclusion == "exclusive" {
				why = "inclusion: inclusive or none, since an exclusive cache does not hold what it passes up, so that it could not be taken back"
			}
			if why == "" && s.Line != b.spec.Line {
				why = fmt.Sprintf("line: %s, as it has itself", s.Line)
			}
			if why == "" && b.fillsLate {
				why = "allocate: miss"
			}
			if why != "" {
				return memory.BadInputf("%s: %s below is %s and wants %s here", b.Name(), l.lower().Name(), s.Inclusion, why)
			}
			b.incl.Below = true
			l.lower().incl.Above = true
			b.incl.BelowExclusive = b.incl.BelowExclusive || s.Inclusion == "exclusive"
		}
	}
	return nil
}

// Warnings implements system.Warner: inclusion that no cache above takes part in.
func (b *base) Warnings() []string {
	if s := b.spec.Inclusion; s != "" && s != "none" && !b.incl.Above {
		return []string{fmt.Sprintf("%s: inclusion: %s has no effect: no cache is linked to its port top", b.Name(), s)}
	}
	return nil
}

// A level is a cache, of either fidelity.
type level interface{ lower() *base }

func (b *base) lower() *base { return b }

// isVictim reports whether a request brings what a cache above gave up.
func (r *request) isVictim() bool { return r.hint != nil && r.hint.Victim != memory.NoVictim }
