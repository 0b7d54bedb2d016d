package prefetch

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// A Choice is the value of the key prefetch: the name of a rule and its parameters.
type Choice struct{ named.Choice }

// Named returns the choice of a rule with parameters of the type of its entry's Spec; nil is the defaults.
func Named(name string, spec any) Choice { return Choice{named.Choice{Name: name, Spec: spec}} }

// UnmarshalConfig implements configs.Unmarshaler.
func (c *Choice) UnmarshalConfig(v configs.Value) (err error) {
	if c.Choice, err = named.Read(v, "prefetcher", All); err == nil {
		if _, err = newRule(c.Name, c.Spec, Geometry{Line: 64}); err != nil {
			err = v.Errorf(nil, "%s", err)
		}
	}
	return err
}

// MarshalText prints the name.
func (c Choice) MarshalText() ([]byte, error) { return []byte(c.Name), nil }

// On reports whether there is a rule.
func (c Choice) On() bool { return c.Name != "" && c.Name != "none" }

// Degree returns the key degree of the rule, 0 if it has none.
func (c Choice) Degree() int {
	spec := c.Spec
	if e, known := All.Entry(c.Name); known && spec == nil {
		spec = e.Spec
	}
	if d, ok := spec.(stepper); ok {
		return d.degree()
	}
	return 0
}

// A stepper is the keys of a rule that goes degree steps ahead.
type stepper interface{ degree() int }

func init() {
	All.Add(registry.Entry[Factory]{Name: "none", Doc: "Brings no line before it is asked for.", New: func(Geometry, any) (Rule, error) { return nil, nil }})
	schema.RegisterFunc[Choice](func() schema.Schema { return named.Schema("a prefetcher", All) })
}

// A Prefetcher is what a cache has of a rule. The zero value calls for no line.
type Prefetcher struct {
	rule    Rule // nil: none
	evicter Evicter
	timer   Timer
	resumer Resumer
	last    Access   // a field, so that a rule's pointer to it moves nothing to the heap
	lines   []uint64 // that the last access calls for
}

// New returns the prefetcher of a cache.
func New(c Choice, g Geometry) (p Prefetcher, err error) {
	if !c.On() {
		return p, nil
	}
	if p.rule, err = newRule(c.Name, c.Spec, g); err != nil {
		return Prefetcher{}, err
	}
	p.evicter, _ = p.rule.(Evicter)
	p.timer, _ = p.rule.(Timer)
	p.resumer, _ = p.rule.(Resumer)
	return p, nil
}

// On reports whether there is a rule.
func (p *Prefetcher) On() bool { return p.rule != nil }

// Most returns how many lines an access calls for at most.
func (p *Prefetcher) Most() int {
	if p.rule == nil {
		return 0
	}
	return p.rule.Most()
}

// Timed reports whether the rule wants a cache with time.
func (p *Prefetcher) Timed() bool { return p.timer != nil }

// Due notes an access, and returns how many lines it calls for: see Line.
func (p *Prefetcher) Due(a Access) int {
	p.last = a
	p.lines = p.rule.Access(&p.last, p.lines[:0])
	return len(p.lines)
}

// Line returns the d-th line, from 0, that the last access calls for.
func (p *Prefetcher) Line(d int) uint64 { return p.lines[d] }

// Took notes that the first n lines that the last access calls for are there or under way.
func (p *Prefetcher) Took(n int) {
	if p.resumer != nil {
		p.resumer.Took(n)
	}
}

// AsksAgain reports whether lines that are not taken are called for again.
func (p *Prefetcher) AsksAgain() bool { return p.resumer != nil }

// Evict notes an eviction.
func (p *Prefetcher) Evict(line uint64) {
	if p.evicter != nil {
		p.evicter.Evict(line)
	}
}

// Issue notes that a prefetch is sent below.
func (p *Prefetcher) Issue(line, stream, cycle uint64) {
	if p.timer != nil {
		p.timer.Issue(line, stream, cycle)
	}
}

// Fill notes that a line has come: see Timer.
func (p *Prefetcher) Fill(line uint64, slot int, cycle uint64, prefetched bool) {
	p.timer.Fill(line, slot, cycle, prefetched)
}
