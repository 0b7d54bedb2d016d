package synthetic

import (
	"errors"
	"fmt"

	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// Heads is attention of queries over a context, as FlashAttention does it: for
// each block of queries a core reads all keys and values of the head, tile by
// tile, and writes the block's result.
type Heads struct {
	Heads   int         `yaml:"heads" jsonschema:"minimum=1" doc:"Query heads"`
	KVHeads int         `yaml:"kv_heads" jsonschema:"minimum=1" doc:"Heads of keys and values, a divisor of heads"`
	Dim     int         `yaml:"dim" jsonschema:"minimum=1" doc:"Elements per head"`
	Queries int         `yaml:"queries" jsonschema:"minimum=1" doc:"Query tokens"`
	Context int         `yaml:"context" jsonschema:"minimum=1" doc:"Tokens that the keys and values are of"`
	Block   int         `yaml:"block" jsonschema:"minimum=1" doc:"Query tokens that a core holds"`
	Tile    int         `yaml:"tile" jsonschema:"minimum=1" doc:"Tokens whose keys, and values, are read together"`
	Element units.Bytes `yaml:"element" doc:"Size of an element"`
	Cores   int         `yaml:"cores" jsonschema:"minimum=1" doc:"Cores that share the layer"`
	Sharers int         `yaml:"sharers" jsonschema:"minimum=1" doc:"Cores that work on the query heads of one head of keys and values at the same time"`
	Rounds  int         `yaml:"rounds" jsonschema:"minimum=0" doc:"Heads of keys and values that each core works on; 0 is all"`
}

// DefaultHeads are the heads of LLaMA-3 8B (Dubey et al., The Llama 3 Herd of Models, arXiv
// 2407.21783, table 3) on 4 cores.
func DefaultHeads() Heads {
	return Heads{Heads: 32, KVHeads: 8, Dim: 128, Queries: 2048, Context: 2048, Block: 128, Tile: 128, Element: 2, Cores: 4, Sharers: 1}
}

func init() {
	Layers.Add(registry.Entry[func(any) Layer]{
		Name:   "attention",
		Doc:    "Attention over keys and values, block of queries by block, of heads that are spread over cores.",
		Source: "Dao et al., FlashAttention, NeurIPS 2022, algorithm 1; Ainslie et al., GQA, EMNLP 2023",
		Spec:   DefaultHeads(),
		New:    func(spec any) Layer { h := spec.(Heads); return &h },
	})
}

// Check implements Layer.
func (h *Heads) Check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	least := func(name string, v, n int) {
		if v < n {
			bad("%s is %d (want %d or more)", name, v, n)
		}
	}
	least("heads", h.Heads, 1)
	least("kv_heads", h.KVHeads, 1)
	least("dim", h.Dim, 1)
	least("queries", h.Queries, 1)
	least("context", h.Context, 1)
	least("block", h.Block, 1)
	least("tile", h.Tile, 1)
	least("cores", h.Cores, 1)
	least("sharers", h.Sharers, 1)
	least("rounds", h.Rounds, 0)
	if h.Element < 1 || h.Element > 8 {
		bad("element is %s (want 1B to 8B)", h.Element)
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	if h.Heads%h.KVHeads != 0 {
		bad("%d heads share %d of keys and values (want a divisor)", h.Heads, h.KVHeads)
	} else if g := h.Heads / h.KVHeads; g%h.Sharers != 0 {
		bad("%d cores share %d query heads (want a divisor)", h.Sharers, g)
	}
	if h.Cores%h.Sharers != 0 {
		bad("%d cores in groups of %d (want a divisor)", h.Cores, h.Sharers)
	} else if groups := h.Cores / h.Sharers; h.KVHeads%groups != 0 {
		bad("%d groups of cores for %d heads of keys and values (want a divisor)", groups, h.KVHeads)
	} else if h.Rounds > h.KVHeads/groups {
		bad("rounds is %d, and each core has %d heads of keys and values", h.Rounds, h.KVHeads/groups)
	}
	return errors.Join(errs...)
}

// On implements Layer.
func (h *Heads) On() int { return h.Cores }

// groups of cores that work on heads of keys and values of their own.
func (h *Heads) groups() int { return h.Cores / h.Sharers }

// PerCore returns the number of heads of keys and values that each core processes in turn, and the
// number of query heads of each.
func (h *Heads) PerCore() (kv, query int) {
	kv = h.KVHeads / h.groups()
	if h.Rounds > 0 {
		kv = h.Rounds
	}
	return kv, h.Heads / h.KVHeads / h.Sharers
}

func (h *Heads) row() uint64    { return uint64(h.Dim) * uint64(h.Element) }
func (h *Heads) blocks() uint64 { return integer.Ceil(uint64(h.Queries), uint64(h.Block)) }
func (h *Heads) tiles() uint64  { return integer.Ceil(uint64(h.Context), uint64(h.Tile)) }

// Tensors implements Layer: keys and values of each head, then queries and results
// of each.
func (h *Heads) Tensors() []trace.Tensor {
	var ts []trace.Tensor
	_, q := h.PerCore()
	for i := range h.KVHeads {
		for _, name := range []string{"k", "v"} {
			ts = append(ts, trace.Tensor{
				Name: fmt.Sprintf("%s%d", name, i), Kind: graph.KV, Bytes: uint64(h.Context) * h.row(), Tile: uint64(h.Tile) * h.row(),
				Accesses: uint32(h.blocks()) * uint32(q*h.Sharers), Sharers: uint32(h.Sharers),
			})
		}
	}
	for i := range h.Heads {
		size := uint64(h.Queries) * h.row()
		ts = append(ts,
			trace.Tensor{Name: fmt.Sprintf("q%d", i), Kind: graph.Activation, Bytes: size, Tile: uint64(h.Block) * h.row(), Accesses: 1, Sharers: 1},
			trace.Tensor{Name: fmt.Sprintf("o%d", i), Kind: graph.Output, Bytes: size, Tile: uint64(h.Block) * h.row(), Accesses: 1, Sharers: 1, WriteOnce: true})
	}
	return lay(ts)
}

// The operands of attention as streams.
const (
	streamQ = iota
	streamK
	streamV
	streamO
)

// At implements Layer.
func (h *Heads) At(core int, i uint64) (Block, bool) {
	kvs, qs := h.PerCore()
	tiles, blocks := h.tiles(), h.blocks()
	per := 2 + 2*tiles // Q, K and V of each tile, O
	step, i := i%per, i/per
	block, i := i%blocks, i/blocks
	if i >= uint64(kvs*qs) {
		return Block{}, false
	}
	kv := core/h.Sharers + int(i)/qs*h.groups()
	group := h.Heads / h.KVHeads
	head := kv*group + core%h.Sharers + int(i)%qs*h.Sharers
	part := func(n, size uint64) (off, bytes uint64) { return n * size * h.row(), size * h.row() }
	switch {
	case step == 0 || step == per-1:
		b := Block{Tensor: 2*h.KVHeads + 2*head, Stream: streamQ}
		if step > 0 {
			b.Tensor, b.Stream, b.Write = b.Tensor+1, streamO, true
		}
		b.Offset, b.Bytes = part(block, uint64(h.Block))
		b.Bytes = min(b.Bytes, uint64(h.Queries)*h.row()-b.Offset)
		return b, true
	default:
		b := Block{Tensor: 2*kv + int(step-1)%2, Stream: streamK + uint8(step-1)%2}
		b.Offset, b.Bytes = part((step-1)/2, uint64(h.Tile))
		b.Bytes = min(b.Bytes, uint64(h.Context)*h.row()-b.Offset)
		return b, true
	}
}
