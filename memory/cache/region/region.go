// Package region is the key regions of a cache: rules for a part of its accesses. A Region selects accesses by
// the kind of their tensor, by core, by address and by a share of the lines. It reserves ways for them, or has
// them bypass the cache or evicted first.
//
// Left out: the replacement of lines, which the policies of package policy decide.
package region

import (
	"slices"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Region selects accesses and says how they are treated. An access fits if it meets all conditions that are
// set; a condition that is not set is always met.
type Region struct {
	// Kind is the kind of the tensor.
	Kind string `yaml:"kind" jsonschema:"enum=activation,enum=weight,enum=kv_cache,enum=input,enum=output" doc:"Role of the tensor that is accessed"`
	// Cores are the numbers of the requesting cores.
	Cores []int `yaml:"cores" doc:"Numbers of the cores that ask"`
	// Base and Size are a range of addresses; a Size of 0 is all addresses.
	Base units.Bytes `yaml:"base" doc:"First address of a window"`
	Size units.Bytes `yaml:"size" doc:"Bytes of the window; 0B is all addresses"`
	// Ratio is the share of the lines that fit, always the same lines; nil is all. Other lines may fit a
	// later Region.
	Ratio *float64 `yaml:"ratio" jsonschema:"minimum=0,maximum=1" doc:"Share of the lines that are treated so, always the same ones; the others may fit a later region"`

	// Ways is how many ways of each set are reserved for these lines.
	Ways int `yaml:"ways" jsonschema:"minimum=0" doc:"Ways of every set that hold these lines and no others"`
	// Pin never evicts a line from the reserved ways. A line that finds none free uses the other ways.
	Pin bool `yaml:"pin" doc:"Lines in those ways stay; what finds no room shares the other ways"`
	// Stream has these lines evicted before others.
	Stream bool `yaml:"stream" doc:"Lines go before all others, unless somebody else uses them"`
	// Bypass answers misses without allocating a line.
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

// A List has the regions of a cache. An access belongs to the first that it fits.
type List []Region

// Check adds errors for regions that fit no access or have no effect. ways are those of the cache.
func (l List) Check(ways int, at configs.Value, errs *configs.Errors) {
	items, sum := at.Items(), 0
	for i, r := range l {
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
		if sum += r.Ways; sum >= ways && r.Ways > 0 {
			errs.Add(v.Errorf(nil, "%d ways for regions leave none of %d for the rest", sum, ways))
		}
	}
	if len(l) > 255 {
		errs.Add(at.Errorf(nil, "%d regions (want at most 255)", len(l)))
	}
}

// Partition reserves the ways of the regions. build makes a replacement policy for a number of ways.
func (l List) Partition(c *tagstore.Store, build func(ways int) (policy.Policy, error)) error {
	var ways []int
	var pinned []bool
	for _, r := range l {
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
	return c.Partition(ways, pinned, build)
}

// Classify finds the region of an access to the line of an address, and notes in t how it is treated.
func (l List) Classify(h *memory.Hint, addr uint64, t *tagstore.Touch) {
	part := 0
	for i := range l {
		g := &l[i]
		if g.Ways > 0 {
			part++
		}
		if !g.fits(h, addr, t) {
			continue
		}
		if g.Ways > 0 {
			t.Part = part
		}
		t.Stream, t.NoFill = g.Stream, t.NoFill || g.Bypass
		return
	}
}

// fits reports whether an access is one of the region.
func (g *Region) fits(h *memory.Hint, addr uint64, t *tagstore.Touch) bool {
	if g.Kind != "" && (h == nil || h.Tensor == 0 || roles[g.Kind] != h.Kind) {
		return false
	}
	if len(g.Cores) > 0 && !slices.Contains(g.Cores, int(t.Core)) {
		return false
	}
	if g.Size > 0 && (addr < uint64(g.Base) || addr-uint64(g.Base) >= uint64(g.Size)) {
		return false
	}
	return g.Ratio == nil || Chosen(t.Line, *g.Ratio)
}

// Chosen reports whether a line belongs to a share of all lines. The share is chosen by Fibonacci hashing of
// the line number, folded twice, so that neighbours and strides spread.
func Chosen(line uint64, ratio float64) bool {
	x := (line ^ line>>29) * 0x9e3779b97f4a7c15
	x = (x ^ x>>32) * 0x9e3779b97f4a7c15
	return float64(x>>11) < ratio*(1<<53)
}
