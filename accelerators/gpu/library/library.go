package library

import (
	"maps"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
)

// A Library is the kernels of a library for one generation of SMs.
type Library struct {
	rules       *generationRules
	experts     map[Type]*experts
	recurrences map[string]*recurrence
	flash       *flash
	Fit         string // the rows that its values were fitted on
	Cold        bool   // those rows were measured with operands in memory
	// Persistent is set if a product launches as many thread blocks as there are SMs, each of which
	// goes over tiles that are its own from the start.
	Persistent bool
}

// generationRules are the families that a library has for a generation.
type generationRules struct {
	fitted     string
	warm       bool // many rows were measured with operands in the L2
	gemm       map[Type]*gemm
	context    map[Type]*context
	generation map[Type]*generation
	prompts    map[Type]*context // latent attention of prompts, by the type of the cache
	latent     map[Type]*latent  // and of tokens
}

var fusedExperts = map[string]map[string]map[Type]*experts{"trtllm": tensorRTExperts, "vllm": vllmExperts}

var libraries = map[string]map[string]*generationRules{"trtllm": tensorRT, "vllm": tensorRT}

// Names are the libraries.
func Names() []string { return slices.Sorted(maps.Keys(libraries)) }

// Generations are the generations of SMs that a library has kernels for.
func Generations(name string) []string {
	names := slices.Collect(maps.Keys(libraries[name]))
	for g, as := range older {
		if _, ok := libraries[name][as]; ok {
			names = append(names, g)
		}
	}
	slices.Sort(names)
	return names
}

// older is the generation whose kernels run on one that has no measured kernels of its own.
//
// assumption: sm120 has the instructions of sm89, not those of sm100 (PTX ISA: neither wgmma nor tcgen05).
var older = map[string]string{"sm86": "sm80", "sm103": "sm100", "sm120": "sm89"}

// persistent are the generations whose products are persistent kernels.
//
// Sources: PyTorch, issue 143988 and pull request 147966 (cuBLAS on an H100).
//
// assumption: cuBLAS on sm100 likewise.
var persistent = map[string]bool{"sm90": true, "sm100": true}

// Get is the library's kernels for a generation; ok is false where it has none.
func Get(name, generation string) (l *Library, ok bool) {
	r, ok := libraries[name][generation]
	if !ok {
		generation = older[generation]
		r, ok = libraries[name][generation]
	}
	if !ok {
		return nil, false
	}
	return &Library{r, fusedExperts[name][generation], recurrent[generation], flashes[generation], r.fitted, !r.warm, persistent[generation]}, true
}

// Experts is the cost of fused experts; ok is false where the library has no kernels for their
// type.
func (l *Library) Experts(c *Chip, p Experts) (kernel.Cost, bool) {
	x, ok := l.experts[p.Type]
	if !ok {
		return kernel.Cost{}, false
	}
	return c.bound(x.cost(c, p)), true
}

// GEMM is the cost of a product; ok is false where the library has no kernels for its type.
func (l *Library) GEMM(c *Chip, p Product) (kernel.Cost, bool) {
	g, ok := l.rules.gemm[p.Type]
	if !ok {
		return kernel.Cost{}, false
	}
	return c.bound(g.cost(c, p)), true
}

// Attention is the cost of a fused attention; ok is false where the library has none.
func (l *Library) Attention(c *Chip, p Attention) (kernel.Cost, bool) {
	if p.Latent || p.Absorbed {
		return l.latent(c, p)
	}
	if p.Queries == 1 && p.Keys > 1 { // a prompt of one token has no other keys
		if a, ok := l.rules.generation[p.Type]; ok {
			return c.bound(a.cost(c, p)), true
		}
		return kernel.Cost{}, false
	}
	a, ok := l.rules.context[p.Type]
	if !ok {
		return kernel.Cost{}, false
	}
	if b, ok := a.sizes[p.Size]; ok {
		a = b
	}
	return c.bound(a.cost(c, p)), true
}

// Attends reports whether the library has kernels for attention of a type: of prompts, and for
// one token per sequence of generation too.
func (l *Library) Attends(t Type, token bool) bool {
	_, context := l.rules.context[t]
	_, generation := l.rules.generation[t]
	return context && (generation || !token)
}

// AttendsLatent reports whether the library has kernels for latent attention of queries of a type,
// of prompts or, absorbed, of tokens.
func (l *Library) AttendsLatent(t, cache Type, absorbed bool) bool {
	_, ok := l.rules.prompts[cache]
	if absorbed {
		_, ok = l.rules.latent[cache]
	}
	return ok && t == BF16
}

// latent is the cost of latent attention; ok is false where the library has none.
func (l *Library) latent(c *Chip, p Attention) (kernel.Cost, bool) {
	if p.Type != BF16 {
		return kernel.Cost{}, false
	}
	if p.Absorbed {
		a, ok := l.rules.latent[p.Cache]
		if !ok || p.Queries > 1 {
			return kernel.Cost{}, false
		}
		return c.bound(a.cost(c, p)), true
	}
	a, ok := l.rules.prompts[p.Cache]
	if !ok {
		return kernel.Cost{}, false
	}
	return c.bound(a.cost(c, p)), true
}
