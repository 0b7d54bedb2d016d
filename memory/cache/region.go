package cache

import (
	"slices"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Region says which accesses are treated apart, and how. An access fits that
// has all that is given.
type Region struct {
	// Kind of the tensor.
	Kind string `yaml:"kind" jsonschema:"enum=activation,enum=weight,enum=kv_cache,enum=input,enum=output" doc:"Role of the tensor that is accessed"`
	// Cores that ask.
	Cores []int `yaml:"cores" doc:"Numbers of the cores that ask"`
	// Base and Size of a range of addresses; without size there is none.
	Base units.Bytes `yaml:"base" doc:"First address of a window"`
	Size units.Bytes `yaml:"size" doc:"Bytes of the window; 0B is all addresses"`
	// Ratio is the share of lines that are treated so, the same lines always; nil
	// is all. The others may fit a later region.
	Ratio *float64 `yaml:"ratio" jsonschema:"minimum=0,maximum=1" doc:"Share of the lines that are treated so, always the same ones; the others may fit a later region"`

	// Ways of every set that hold these lines and no others.
	Ways int `yaml:"ways" jsonschema:"minimum=0" doc:"Ways of every set that hold these lines and no others"`
	// Pin keeps what has got one of the ways; what finds none is treated like
	// others.
	Pin bool `yaml:"pin" doc:"Lines in those ways stay; what finds no room shares the other ways"`
	// Stream makes lines the first to go.
	Stream bool `yaml:"stream" doc:"Lines go before all others, unless somebody else uses them"`
	// Bypass brings no line in.
	Bypass bool `yaml:"bypass" doc:"Misses allocate no line"`
}

// roles are the kinds by their names.
var roles = func() map[string]graph.Role {
	out := map[string]graph.Role{}
	for _, r := range graph.Roles {
		out[r.String()] = r
	}
	return out
}()

// checkRegions reports regions that fit nothing or do nothing.
func (s *Spec) checkRegions(at configs.Value, errs *configs.Errors) {
	items, sum := at.Items(), 0
	for i, r := range s.Regions {
		v := at
		if i < len(items) {
			v = items[i]
		}
		does := 0
		for _, b := range []bool{r.Ways > 0, r.Stream, r.Bypass} {
			if b {
				does++
			}
		}
		switch {
		case does == 0:
			errs.Add(v.Errorf(nil, "does nothing (want ways, stream or bypass)"))
		case does > 1:
			errs.Add(v.Errorf(nil, "does several things (want one of ways, stream and bypass)"))
		case r.Pin && r.Ways == 0:
			errs.Add(v.Errorf(nil, "pins nothing: there are no ways"))
		case r.Base != 0 && r.Size == 0:
			errs.Add(v.Errorf(nil, "has a base but no size"))
		}
		if sum += r.Ways; sum >= s.Ways && r.Ways > 0 {
			errs.Add(v.Errorf(nil, "%d ways for regions leave none of %d for the rest", sum, s.Ways))
		}
	}
	if len(s.Regions) > 255 {
		errs.Add(at.Errorf(nil, "%d regions (want at most 255)", len(s.Regions)))
	}
}

// partition gives regions with ways their own.
func (s *Spec) partition(c *tagstore.Store, at func(key string) configs.Value) error {
	var ways []int
	var pinned []bool
	for _, r := range s.Regions {
		if r.Ways > 0 {
			ways, pinned = append(ways, r.Ways), append(pinned, r.Pin)
		}
		if r.Stream {
			c.Streams()
		}
	}
	if len(ways) == 0 {
		return nil
	}
	err := c.Partition(ways, pinned, func(n int) (policy.Policy, error) { return s.newPolicy(c.Sets(), n) })
	if err != nil {
		return at("policy").Errorf(nil, "%s", err)
	}
	return nil
}

// classify treats an access by the first region that it fits.
func (b *base) classify(r *request, t *tagstore.Touch) {
	part := 0
	for i := range b.spec.Regions {
		g := &b.spec.Regions[i]
		if g.Ways > 0 {
			part++
		}
		if !b.fits(g, r, t) {
			continue
		}
		if g.Ways > 0 {
			t.Part = part
		}
		t.Stream, t.NoFill = g.Stream, t.NoFill || g.Bypass
		return
	}
}

func (b *base) fits(g *Region, r *request, t *tagstore.Touch) bool {
	if g.Kind != "" && (r.hint == nil || r.hint.Tensor == 0 || roles[g.Kind] != r.hint.Kind) {
		return false
	}
	if len(g.Cores) > 0 && !slices.Contains(g.Cores, int(t.Core)) {
		return false
	}
	if addr := t.Line << b.shift; g.Size > 0 && (addr < uint64(g.Base) || addr-uint64(g.Base) >= uint64(g.Size)) {
		return false
	}
	return g.Ratio == nil || chosen(t.Line, *g.Ratio)
}

// chosen reports whether a line is among a share of all, spread by Fibonacci hashing
// of the line folded twice (so that neighbours and strides spread too).
func chosen(line uint64, ratio float64) bool {
	x := (line ^ line>>29) * 0x9e3779b97f4a7c15
	x = (x ^ x>>32) * 0x9e3779b97f4a7c15
	return float64(x>>11) < ratio*(1<<53)
}
