package gpu

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/profile"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// ProfileSpec is tables of measured kernels, whose times stand in place of the model's.
type ProfileSpec struct {
	DenseFile string `yaml:"dense_file" jsonschema:"description=CSV of dense layers: layer and tokens (or sequences) and time_us"`
	// SequenceFile is another such table, of layers that go by sequences: the head.
	SequenceFile string `yaml:"sequence_file" jsonschema:"description=Another such CSV: of layers that work on one token of a sequence"`
	// MixtureFile has the time of all experts of a layer.
	MixtureFile   string `yaml:"mixture_file" jsonschema:"description=CSV of a mixture of experts: tokens and activated_experts and time_us; it is the layer called mixture"`
	AttentionFile string `yaml:"attention_file" jsonschema:"description=CSV of attention: prefill_chunk and kv_prefill and n_decode and kv_decode and time_us"`
	// Layers says by the name of an operator, a pattern, which layer of the tables it
	// is, several joined by + if it takes their times; none takes no time, being a part of
	// another.
	Layers map[string]string `yaml:"layers" jsonschema:"description=Layer of the dense table by the name of an operator (a pattern: *.down); none: a part of another that takes no time"`
}

// A measured is the tables of a node.
type measured struct {
	dense     map[string]*profile.Curve
	attention *profile.Attention
	mixture   *profile.Surface
	layers    map[string]string
	patterns  []string // longest first, so that the closest holds
}

// openProfile reads the tables of a node; nil if it has none.
func openProfile(env *system.Env, s *ProfileSpec, v configs.Value) (*measured, error) {
	if !v.Exists() {
		return nil, nil
	}
	var errs configs.Errors
	m := &measured{layers: s.Layers}
	text := func(key string) (string, []byte) {
		if !v.Get(key).Exists() {
			return "", nil
		}
		file, err := env.File(v.Get(key))
		if err == nil {
			var b []byte
			if b, err = os.ReadFile(file); err == nil {
				return file, b
			}
		}
		errs.Add(err)
		return "", nil
	}
	var err error
	if file, b := text("dense_file"); b != nil {
		m.dense, err = profile.Dense(file, b)
		errs.Add(err)
	}
	if file, b := text("sequence_file"); b != nil {
		more, err := profile.Dense(file, b)
		errs.Add(err)
		for _, name := range slices.Sorted(maps.Keys(more)) {
			if _, twice := m.dense[name]; twice {
				errs = append(errs, v.Get("sequence_file").Errorf(nil, "layer %s is in dense_file too", name))
			}
			if m.dense == nil {
				m.dense = map[string]*profile.Curve{}
			}
			m.dense[name] = more[name]
		}
	}
	if file, b := text("mixture_file"); b != nil {
		m.mixture, err = profile.ReadMixture(file, b)
		errs.Add(err)
	}
	if file, b := text("attention_file"); b != nil {
		m.attention, err = profile.ReadAttention(file, b)
		errs.Add(err)
	}
	if len(s.Layers) > 0 != v.Get("dense_file").Exists() {
		errs = append(errs, v.Errorf(nil, "dense_file and layers go together: layers says which operators the table is about"))
	}
	names := append(slices.Sorted(maps.Keys(m.dense)), none)
	if m.mixture != nil {
		names = append(names, mixture)
	}
	for _, pattern := range slices.Sorted(maps.Keys(s.Layers)) {
		if _, err := path.Match(pattern, ""); err != nil {
			errs = append(errs, v.Get("layers").Get(pattern).Errorf(nil, "%q is no pattern", pattern))
		}
		for part := range strings.SplitSeq(s.Layers[pattern], "+") {
			if m.dense != nil && !slices.Contains(names, part) {
				errs = append(errs, v.Get("layers").Get(pattern).Errorf(names, "the table has no layer %q", part))
			}
		}
		m.patterns = append(m.patterns, pattern)
	}
	slices.SortStableFunc(m.patterns, func(a, b string) int { return len(b) - len(a) })
	return m, errs.Err()
}

// layerOf is the layer of the dense table that an operator is; ok is false for none.
func (m *measured) layerOf(name string) (layer string, ok bool) {
	for _, p := range m.patterns {
		if hit, _ := path.Match(p, name); hit {
			return m.layers[p], true
		}
	}
	return "", false
}

// cost replaces the time of a kernel by the measured one, launch and all. The tokens of
// a dense layer are the rows of its first operand, all its dimensions but the last, and but
// the heads where there are some; of an embedding the rows that it looks up.
func (m *measured) cost(g *graph.Graph, op *graph.Op, c kernel.Cost) (kernel.Cost, bool) {
	if k, ok := op.Kind.(graph.Attention); ok && m.attention != nil {
		switch {
		case k.Queries > 1 && m.attention.Prefill != nil:
			return kernel.Cost{Total: m.attention.Prefill.At(float64(k.Queries), float64(k.Keys-k.Queries)), Compute: c.Compute, Bytes: c.Bytes}, true
		case k.Queries == 1 && m.attention.Decode != nil:
			keys := g.Tensor(op.In[1]).Shape
			return kernel.Cost{Total: m.attention.Decode.At(float64(keys[0]), float64(k.Keys)), Compute: c.Compute, Bytes: c.Bytes, Late: c.Late}, true
		}
		return c, false
	}
	layer, ok := m.layerOf(op.Name)
	if !ok {
		return c, false
	}
	if layer == none {
		return kernel.Cost{}, true
	}
	x := g.Tensor(op.In[0])
	tokens := float64(x.Elements()) / float64(x.Shape[len(x.Shape)-1])
	if s := x.Shape; len(s) == 4 { // heads: requests x heads x tokens x size
		tokens = float64(s[0] * s[2])
	}
	if k, ok := op.Kind.(graph.Gather); ok { // the first operand is the table
		tokens = float64(k.Rows)
	}
	total := 0.0
	for part := range strings.SplitSeq(layer, "+") {
		if part == mixture { // the operator that sends tokens to experts: they are its results
			total += m.mixture.At(tokens, float64(len(op.Out)))
		} else {
			total += m.dense[part].At(tokens)
		}
	}
	return kernel.Cost{Total: total, Compute: c.Compute, Bytes: c.Bytes, Late: c.Late}, true
}

// mixture is the layer that all experts are.
const mixture = "mixture"

// attend is the time of one kernel for chunks of prompts and decodes: the longest chunk
// with the decodes as measured, and of each other chunk what is beyond the least that was
// measured. ok is false where the tables do not say.
func (m *measured) attend(chunks []graph.Attention, decodes, entries float64) (s float64, ok bool) {
	a := m.attention
	if a == nil || len(chunks) > 0 && a.Prefill == nil || decodes > 0 && a.Decode == nil {
		return 0, false
	}
	alone := func(c graph.Attention) float64 { return a.Prefill.At(float64(c.Queries), float64(c.Keys-c.Queries)) }
	if len(chunks) == 0 {
		return a.Decode.At(decodes, entries), true
	}
	longest := 0
	for i, c := range chunks {
		if alone(c) > alone(chunks[longest]) {
			longest = i
		}
	}
	least := a.Prefill.At(0, 0)
	for i, c := range chunks {
		switch {
		case i != longest:
			s += max(alone(c)-least, 0)
		case decodes == 0:
			s += alone(c)
		default:
			if both, ok := a.Both(float64(c.Queries), float64(c.Keys-c.Queries), decodes, entries); ok {
				s += both
			} else {
				s += alone(c) + max(a.Decode.At(decodes, entries)-least, 0)
			}
		}
	}
	return s, true
}

// check reports patterns that no operator of the shares has, and a table of attention
// without an attention.
func (m *measured) check(name string, shares []*work.Share) error {
	seen, attention := map[string]bool{}, false
	for _, s := range shares {
		for i := range s.Graph.Ops {
			op := &s.Graph.Ops[i]
			for _, p := range m.patterns {
				if hit, _ := path.Match(p, op.Name); hit {
					seen[p] = true
					break
				}
			}
			_, is := op.Kind.(graph.Attention)
			attention = attention || is
		}
	}
	for _, p := range slices.Sorted(slices.Values(m.patterns)) {
		if !seen[p] {
			return fmt.Errorf("%s: profile.layers: no operator is called %q, or a longer pattern has it", name, p)
		}
	}
	if m.attention != nil && !attention {
		return fmt.Errorf("%s: profile.attention_file: the workload has no attention as one operator (workload.attention: fused)", name)
	}
	return nil
}
