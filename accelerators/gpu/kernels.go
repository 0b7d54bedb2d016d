package gpu

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/launch"
	"github.com/causeway-sim/causeway/accelerators/gpu/library"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// KernelsSpec names the library whose kernels carry out products and attention.
type KernelsSpec struct {
	// Library: cutlass is the model of accelerators/gpu/kernel; others are of
	// accelerators/gpu/library.
	Library string `yaml:"library" jsonschema:"enum=auto,enum=cutlass,enum=trtllm,enum=vllm,description=Library of kernels for products; attention and mixtures of experts: cutlass (tiles of CUTLASS by least cost) or trtllm (TensorRT-LLM as measured; needs architecture) or vllm (as trtllm but for experts of mxfp4 on Hopper; which Marlin multiplies); auto: trtllm for an architecture whose kernels were measured cold; cutlass for others and with l2: none or rereads: lru"`
	// Fuse says that kernels apply what follows to their results, see fuse.Epilogues.
	Fuse bool `yaml:"fuse" jsonschema:"description=Kernels of convolutions and products apply folded norms and activations and (convolutions) an addition to their results before they write them; false: each operator is a kernel of its own"`
	// Join says that operators are kernels together as in serving frameworks, see joins.
	Join bool `yaml:"join" jsonschema:"description=Products of queries and keys and values are one product and those of gate and up too and a norm adds the residual before it, as serving frameworks have it; false: each operator is a kernel of its own"`
	// Generation is that of the kernels.
	Generation string `yaml:"generation" jsonschema:"description=Generation of SMs whose kernels run instead of those for the chip's architecture (library: trtllm or vllm)"`
	// TrainingAttention is that of steps of training, see library.TrainingAttention.
	TrainingAttention string `yaml:"training_attention" jsonschema:"enum=auto,enum=flash1,description=Kernels of fused attention in a step of training: auto (cuDNN on sm90 and later; FlashAttention-2 on sm80) or flash1 (FlashAttention 1 as of 2022 and its form in Triton); library: trtllm or vllm"`
	// Tiles says how thread blocks of a product come by their tiles, see record.lost.
	Tiles string `yaml:"tiles" jsonschema:"enum=auto,enum=own,enum=dynamic,description=Tiles that a thread block of a product goes over: those that are its own from the start (own: persistent kernels; which take twice as long beside a transfer of a communicator) or the next that is left (dynamic: Cluster Launch Control); auto: own for kernels of sm90 and later; library: trtllm or vllm"`
}

const (
	auto    = "auto"
	cutlass = "cutlass"
	usual   = "trtllm" // what auto takes where it can
)

// library is the one that an architecture takes.
func (k *KernelsSpec) library(architecture string) string {
	if k.Library != auto {
		return k.Library
	}
	if l, ok := library.Get(usual, k.of(architecture)); ok && (l.Cold || k.Generation != "") {
		return usual
	}
	return cutlass
}

// of is the generation of SMs whose kernels run on an architecture.
func (k *KernelsSpec) of(architecture string) string {
	if k.Generation != "" {
		return k.Generation
	}
	return architecture
}

// check reports a library that has no kernels for the chip; v is the node's mapping.
func (k *KernelsSpec) check(architecture string, v configs.Value, errs *configs.Errors) {
	at := v.Get("kernels")
	if k.Library == cutlass {
		for _, u := range []struct {
			key string
			set bool
		}{{"generation", k.Generation != ""}, {"training_attention", k.TrainingAttention != auto}, {"tiles", k.Tiles != auto}} {
			if x := at.Get(u.key); u.set && x.Exists() {
				errs.Add(x.Errorf(nil, "has no effect with library: %s (used by: trtllm, vllm)", cutlass))
			}
		}
		return
	}
	if k.Library == auto && k.Generation == "" {
		return
	}
	name := k.Library
	if name == auto {
		name = usual
	}
	if !slices.Contains(library.Names(), name) {
		return // the schema has reported it
	}
	if _, ok := library.Get(name, k.of(architecture)); ok {
		return
	}
	known := library.Generations(name)
	if k.Generation != "" {
		errs.Add(at.Place("generation").Errorf(known, "%s has no kernels for generation %q", name, k.Generation))
		return
	}
	errs.Add(at.Place("library").Errorf(known, "%s has no kernels for architecture %q", name, architecture))
}

// persistent reports whether products of a library have thread blocks with tiles of their own.
func (k *KernelsSpec) persistent(l *library.Library) bool {
	return l != nil && (k.Tiles == "own" || k.Tiles == auto && l.Persistent)
}

// open is the library's kernels for an architecture; nil: those of cutlass.
func (k *KernelsSpec) open(architecture string) *library.Library {
	l, _ := library.Get(k.library(architecture), k.of(architecture))
	return l.TrainingAttention(k.TrainingAttention)
}

// A named is the element types for which a library may have kernels; ok is false where none has.
type named struct {
	library.Type
	ok bool
}

// namedOf is that of an operator: of the types of all of its operands.
func namedOf(g *graph.Graph, op *graph.Op) named {
	first := g.Tensor(op.In[0]).DType
	if _, ok := op.Kind.(graph.MatMul); ok && (first == graph.BF16 || first == graph.FP16) {
		switch g.Tensor(op.In[1]).DType {
		case graph.Int8:
			return named{library.WeightInt8, true}
		case graph.Int4, graph.Int4G128, graph.Int4G64, graph.Q4:
			return named{library.WeightInt4, true}
		case graph.MXFP4:
			return named{library.WeightMX4, true}
		}
	}
	if _, ok := op.Kind.(graph.MatMul); ok && first == graph.MXFP8 && g.Tensor(op.In[1]).DType == graph.MXFP4 {
		return named{library.MX4, true}
	}
	if _, back := op.Kind.(graph.AttentionBackward); !back && !alike(g, op) && !latent(op.Kind) {
		return named{} // a backward pass has statistics in fp32 besides
	}
	switch first {
	case graph.BF16, graph.FP16:
		return named{library.BF16, true}
	case graph.FP8:
		return named{library.FP8, true}
	case graph.FP8Block:
		return named{library.FP8Block, true}
	case graph.Int8:
		return named{library.Int8, true}
	case graph.NVFP4:
		return named{library.NVFP4, true}
	}
	return named{}
}

// native says that the matrix units multiply the elements of d themselves, not widened.
func (s *Spec) native(d graph.DType) bool {
	return s.Tensor[d.String()] > 0 || d == graph.FP8Block && s.Tensor[graph.FP8.String()] > 0
}

// Multiplies implements work.Multiplier.
func (c *Comp) Multiplies(d graph.DType) bool { return c.spec.native(d) }

// chip is what a library's kernels know of the chip; m is the machine for an operator.
func (s *Spec) chip(m *kernel.Machine) library.Chip {
	c := library.Chip{SMs: m.SMs, Clock: m.Clock, Tensor: m.Tensor, Sustained: m.Sustained, Exponential: s.Exponentials,
		Memory: float64(s.Memory) / 8, Link: float64(s.Link) / 8, L2: m.L2, L2Bandwidth: m.L2Bandwidth, Latency: m.Latency, Shared: m.Shared, SharedSize: m.SharedSize}
	if m.L2 == 0 {
		c.L2Bandwidth = c.Memory
	}
	return c
}

// library is the cost of an operator's kernel of the library; ok is false where the library has
// none for it. Operands of left bytes may lie in the L2.
func (c *record) library(op *graph.Op, sh *shape, m *kernel.Machine, left float64) (cost kernel.Cost, ok bool) {
	if k, ok := op.Kind.(graph.Recurrence); ok && c.lib != nil {
		chip := c.chipOf(m)
		return c.lib.Recurrence(&chip, library.Recurrence{Func: k.Func, Batch: k.Batch, Sequence: k.Sequence, Heads: k.Heads, Size: k.Size, States: k.State, Bytes: float64(sh.bytes.Bytes())})
	}
	if d := sh.dtype; c.lib == nil || !sh.named.ok || !c.spec.native(d) {
		return cost, false
	}
	d := sh.named.Type
	chip := c.chipOf(m)
	warm := min(left, m.Resident*m.L2)
	if sh.loop {
		warm = loops(m, &sh.bytes)
	}
	switch k := op.Kind.(type) {
	case graph.MatMul:
		x, _ := op.Matrix()
		p := library.Product{Batch: x.Batch, M: int(x.M), N: int(x.N), K: int(x.K), Type: d, Warm: warm, Loop: sh.loop, Quantised: k.Quantised || sh.quantised}
		if sh.thin {
			p.Sparse = float64(sh.bytes.WeightBytes) * 8 / (sh.dtype.Width() * float64(max(sh.bytes.WeightElements, 1)))
		}
		return c.lib.GEMM(&chip, p)
	case graph.AttentionBackward:
		return c.lib.Training(&chip, trained(&k.Attention, sh, d, warm), true)
	case graph.Attention:
		if k.Partial == graph.LogSumExp && sh.fresh {
			return c.lib.Training(&chip, trained(&k, sh, d, warm), false)
		}
		cache, ok := cacheOf(sh.cache)
		if k.Partial > 0 || !ok { // parts of an attention go as cutlass's
			return cost, false
		}
		return c.lib.Attention(&chip, library.Attention{Heads: k.Batch * k.Group, KVHeads: k.Batch, Queries: k.Queries, Keys: k.Keys,
			Cache: cache, Latent: latent(k) && !k.Inside, Absorbed: k.Inside,
			Size: k.Size, Value: k.Value, Pairs: float64(k.Pairs()), Bytes: float64(sh.bytes.Bytes()), Type: d, Warm: warm, Loop: sh.loop})
	}
	return cost, false
}

// trained is an attention of a step of training, or its backward pass.
func trained(k *graph.Attention, sh *shape, d library.Type, warm float64) library.Attention {
	return library.Attention{Heads: k.Batch * k.Group, KVHeads: k.Batch, Queries: k.Queries, Keys: k.Keys, Size: k.Size, Value: k.Value,
		Pairs: float64(k.Pairs()), Bytes: float64(sh.bytes.Bytes()), Type: d, Warm: warm}
}

// lackKernel notes a product or an attention for which the library has no kernel.
func (c *record) lackKernel(op *graph.Op, sh *shape) {
	if c.lib == nil {
		return
	}
	switch k := op.Kind.(type) {
	case graph.MatMul, graph.Conv:
		c.unmeasured(k.Type(), sh.dtype)
	case graph.Recurrence:
		c.unmeasured(k.Func, sh.dtype)
	case graph.AttentionBackward:
		c.unmeasured("backward attention", sh.dtype)
	case graph.Attention:
		what := "attention of prompts"
		if k.Queries == 1 {
			what = "attention of tokens"
		}
		if latent(k) {
			what = "latent " + what
		}
		c.unmeasured(what, sh.dtype)
	}
}

// Prepares implements work.Preparer: kernels of a library were measured with the rotary embedding
// and the write into the cache. A profile has times of its own for those.
func (c *record) Prepares(g *graph.Graph, op *graph.Op) bool {
	k, ok := op.Kind.(graph.Attention)
	if !ok || c.lib == nil || c.prof != nil || k.Partial > 0 || !c.spec.native(typeOf(g, op)) {
		return false
	}
	d := namedOf(g, op)
	if latent(k) {
		cache, ok := cacheOf(g.Tensor(op.In[1]).DType)
		return d.ok && ok && c.lib.AttendsLatent(d.Type, cache, k.Inside)
	}
	return d.ok && c.lib.Attends(d.Type, k.Queries == 1)
}

// Fuses implements work.Fuser. A profile has times of its own for what follows.
func (c *record) Fuses() bool { return c.spec.Kernels.Fuse && c.prof == nil }

// insideKernel reports whether the kernel of another operator does this one.
func insideKernel(kind graph.Kind) bool {
	switch k := kind.(type) {
	case graph.Elementwise:
		return k.Inside
	case graph.Move:
		return k.Inside
	}
	return false
}

// latent says that an attention is latent: of a prompt with keys longer than values, or of
// values inside the keys, the projections absorbed.
func latent(k graph.Kind) bool {
	a, ok := k.(graph.Attention)
	return ok && (a.Inside || a.Size > a.Value)
}

// cacheOf is the type of cached keys in a library.
func cacheOf(d graph.DType) (library.Type, bool) {
	switch d {
	case graph.BF16, graph.FP16:
		return library.BF16, true
	case graph.FP8:
		return library.FP8, true
	}
	return 0, false
}

// alike reports whether all operands of an operator have one element type.
func alike(g *graph.Graph, op *graph.Op) bool {
	for _, id := range op.In {
		if id != graph.None && g.Tensor(id).DType != g.Tensor(op.In[0]).DType {
			return false
		}
	}
	return true
}

// Assumptions implements system.Assumer.
func (c *Comp) Assumptions() []string { return c.assumptions(c.Name()) }

// assumptions are those of a node's kernels.
func (c *record) assumptions(name string) (out []string) {
	k := &c.spec.Kernels
	out = append(out, c.launches(name))
	if c.moved != "" {
		out = append(out, fmt.Sprintf("%s: transfers between chips take kernels fitted on %s", name, c.moved))
	}
	if n := c.sum.fused; n > 0 {
		out = append(out, fusedOperators(name, n))
	}
	if c.loops {
		out = append(out, loopAssumption(name, c.spec.Caches))
	}
	if n := c.sum.joined; n > 0 {
		out = append(out, joinedOperators(name, n))
	}
	if c.limitedAt != "" {
		out = append(out, heldAssumption(name, c.limitedAt, c.spec.PowerLimit))
	}
	if c.over > 0 {
		out = append(out, burstAssumption(name, c.over, c.peakWatts, c.spec.PowerLimit))
	}
	if c.priced() {
		out = append(out, c.energyAssumption())
	}
	if c.lib == nil {
		return out
	}
	text := fmt.Sprintf("%s: products, attention and mixtures of experts take the kernels of %s for %s, fitted on %s; other operators and types go as with library: %s",
		name, k.library(c.spec.Architecture), k.of(c.spec.Architecture), c.lib.Fit, cutlass)
	if c.sum.inside > 0 {
		text += fmt.Sprintf("; of the operators, %d rotary embeddings and writes into the cache are parts of the kernels of attention", c.sum.inside)
	}
	if len(c.missing) > 0 {
		text += fmt.Sprintf("; without a measured kernel here: %s", strings.Join(slices.Sorted(maps.Keys(c.missing)), ", "))
	}
	return append(out, text)
}

// fusedOperators says what kernels apply.
func fusedOperators(name string, n uint64) string {
	return fmt.Sprintf("%s: kernels of convolutions and products apply %d norms, activations and additions to their results (kernels.fuse)", name, n)
}

// launches says how kernels are launched.
func (c *record) launches(name string) string {
	h, of := &c.spec.Host, "constants of kernels were fitted on nodes of graphs"
	if c.spec.Launch.Mode == launch.Eager {
		return fmt.Sprintf("%s: the host launches kernels one by one, %s each, with %s between those that wait (launch: eager); %s", name, h.Launch, h.Stream, of)
	}
	return fmt.Sprintf("%s: kernels are nodes of a graph, %s apart (launch: graph); %s", name, h.Graph, of)
}
