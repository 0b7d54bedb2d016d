package zoo

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Block is what a layer of a mixed decoder has in place of what the Decoder says. The zero value
// changes nothing.
type Block struct {
	// Mixer is in place of attention: StateSpace, DeltaRule, Compressed.
	Mixer Mixer
	// Only is one of the two parts of a layer, mixer or ff; "": both, one after the other.
	Only string
	// Sizes of the layer's attention; 0: those of the Decoder.
	Heads, KVHeads, HeadSize int
	RotarySize               int
	SharedKV                 bool          // keys are the values too: Gemma 4
	Sinks                    bool          // as Decoder.Sinks: MiMo-V2
	Index                    *BlockIndexer // chooses the blocks of entries that its attention reads; nil: all
	FF                       int           // inner width of its feed-forward part, which has no experts; 0: as the Decoder
}

// A Mixer mixes the tokens of a sequence by other means than the Decoder's attention.
type Mixer interface {
	// mix adds the operators of a layer, from the output of its first norm.
	mix(b *graph.Builder, m mixing, x graph.TensorID) graph.TensorID
	check(errorf func(string, ...any))
	// Share is the part of one of n ranks that divide the heads.
	Share(n int) Mixer
}

// mixing is the layer that a Mixer is part of.
type mixing struct {
	d       Decoder
	prefix  string // of names
	h       heads  // sizes of the batch
	groups  []Group
	angles  graph.TensorID
	context int
}

// The parts of a layer that a Block may be limited to.
const (
	OnlyMixer = "mixer"
	OnlyFF    = "ff"
)

// block is the Block of layer i.
func (d Decoder) block(i int) Block {
	if len(d.Blocks) == 0 {
		return Block{}
	}
	return d.Blocks[i]
}

// of is the decoder with the attention sizes of a layer.
func (d Decoder) of(k Block) Decoder {
	d.Heads, d.HeadSize = cmp.Or(k.Heads, d.Heads), cmp.Or(k.HeadSize, d.HeadSize)
	d.KVHeads = cmp.Or(k.KVHeads, d.KVHeads)
	if k.RotarySize > 0 || k.HeadSize > 0 {
		d.RotarySize = cmp.Or(k.RotarySize, d.HeadSize)
	}
	d.SharedKV = d.SharedKV || k.SharedKV
	d.Sinks = d.Sinks || k.Sinks
	return d
}

// checkBlocks reports blocks that no layer can have.
func (d Decoder) checkBlocks(errorf func(string, ...any)) {
	if n := len(d.Blocks); n != 0 && n != d.Layers {
		errorf("blocks are said for %d of %d layers", n, d.Layers)
		return
	}
	for i, k := range d.Blocks {
		if k.Only != "" && k.Only != OnlyMixer && k.Only != OnlyFF {
			errorf("layer %d has only %q (want one of: %s, %s)", i, k.Only, OnlyMixer, OnlyFF)
		}
		if k.Index != nil {
			k.Index.check(errorf)
		}
		if k.Mixer != nil {
			k.Mixer.check(errorf)
			continue
		}
		for _, n := range []int{k.Heads, k.KVHeads, k.HeadSize, k.RotarySize, k.FF} {
			if n < 0 || n > maxSize {
				errorf("layer %d has a size of %d (want 0 to %d)", i, n, maxSize)
			}
		}
		if l := d.of(k); l.KVHeads > 0 && l.Heads%l.KVHeads != 0 {
			errorf("layer %d: %d heads share %d key/value heads (want a divisor)", i, l.Heads, l.KVHeads)
		}
	}
}

// Stateful is set if requests keep states of constant size besides their cached entries.
func (d Decoder) Stateful() bool {
	for _, k := range d.Blocks {
		switch k.Mixer.(type) {
		case StateSpace, DeltaRule:
			return true
		}
	}
	return false
}

// scan adds a recurrence with its state for each group of requests; in are batch x tokens x width.
func (m mixing) scan(b *graph.Builder, name, fn string, heads, size, state int, in []graph.TensorID, weights ...graph.TensorID) graph.TensorID {
	groups := m.groups
	if len(groups) < 2 {
		return one(b, m.prefix+name, graph.Recurrence{Func: fn, Batch: m.h.batch, Sequence: m.h.queries, Heads: heads, Size: size, State: state}, append(in, weights...))
	}
	parts := make([][]graph.TensorID, len(in))
	for j, x := range in {
		s := b.Shape(x)
		out := make([]graph.TensorID, len(groups))
		for g, k := range groups {
			shape := append([]int{k.Requests, k.Tokens}, s[2:]...)
			out[g] = b.Tensor(m.prefix+name+".in"+number(j)+".g"+number(g), graph.Activation, shape...)
		}
		b.Into(m.prefix+name+".groups"+number(j), graph.Move{Func: "split"}, []graph.TensorID{x}, out...)
		parts[j] = out
	}
	sums := make([]graph.TensorID, len(groups))
	for g, k := range groups {
		own := make([]graph.TensorID, len(in))
		for j := range in {
			own[j] = parts[j][g]
		}
		p := m.prefix + "g" + number(g) + "." + name
		sums[g] = one(b, p, graph.Recurrence{Func: fn, Batch: k.Requests, Sequence: k.Tokens, Heads: heads, Size: size, State: state}, append(own, weights...))
	}
	all := b.Tensor(m.prefix+name+".merge", graph.Activation, m.h.batch, m.h.queries, heads*size)
	b.Into(m.prefix+name+".merge", graph.Move{Func: "concat"}, sums, all)
	return all
}

// one adds one recurrence. Its state is an input that is written again, since it is of a request
// and not of an entry.
func one(b *graph.Builder, name string, k graph.Recurrence, in []graph.TensorID) graph.TensorID {
	state := b.Input(name+".state", k.Batch, k.Heads, k.Size, k.State)
	y := b.Tensor(name, graph.Activation, k.Batch, k.Sequence, k.Heads*k.Size)
	next := b.Tensor(name+".next", graph.Output, k.Batch, k.Heads, k.Size, k.State)
	b.Into(name, k, append([]graph.TensorID{in[0], state}, in[1:]...), y, next)
	return y
}

// Kinds finds the layers that are not alike: of each layer the first one like it, and the first
// ones in order.
func (d Decoder) Kinds() (of, first []int) {
	type kind struct {
		block         Block
		window        int
		turned, dense bool
		shared        bool
	}
	of = make([]int, d.Layers)
	var kinds []kind
	for i := range d.Layers {
		k := kind{block: d.block(i), window: d.window(i), turned: len(d.NoRope) > 0 && d.NoRope[i], dense: len(d.Dense) > 0 && d.Dense[i],
			shared: d.Indexer != nil && len(d.Indexer.Shared) > 0 && d.Indexer.Shared[i]}
		at := slices.Index(kinds, k)
		if at < 0 {
			at = len(kinds)
			kinds, first = append(kinds, k), append(first, i)
		}
		of[i] = first[at]
	}
	return of, first
}
