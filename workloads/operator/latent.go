package operator

import (
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// latentSizes are those of a prompt's latent attention besides heads. Defaults are
// DeepSeek-V3's, arXiv 2412.19437, section 4.2.
func latentSizes() []size {
	return []size{may("batch", 1), may("context", 0), may("head_dim", 128), may("rope", 64)}
}

// buildLatentPrefill is latent attention of prompts: keys and values of each head were made from
// the latent vectors before.
func buildLatentPrefill(b *graph.Builder, name string, get func(string) int) {
	n, s, value := get("batch")*get("heads"), get("sequence"), get("head_dim")
	keys, dim := s+get("context"), value+get("rope")
	k := graph.Attention{Batch: n, Group: 1, Queries: s, Keys: keys, Size: dim, Value: value, Mask: masking.Mask{Causal: true}, ScoreOps: 1} // scale
	in := []graph.TensorID{b.Input(name+".q", n, 1, s, dim), b.Cache(name+".k", n, keys, dim), b.Cache(name+".v", n, keys, value)}
	b.Output(b.Op(name, k, in, n, 1, s, value))
}

// buildLatentDecode is latent attention of a token: the latent vectors are keys, and values are
// a part of them.
func buildLatentDecode(b *graph.Builder, name string, get func(string) int) {
	keys := get("context")
	if keys == 0 {
		keys = get("sequence")
	}
	n, heads, value := get("batch"), get("heads"), get("latent")
	dim := value + get("rope")
	k := graph.Attention{Batch: n, Group: heads, Queries: 1, Keys: keys, Size: dim, Value: value, Mask: masking.Mask{Causal: true}, ScoreOps: 1, Inside: true}
	cache := b.Cache(name+".latent", n, keys, dim)
	v := b.Op(name+Part+"values", graph.Move{Func: "slice"}, []graph.TensorID{cache}, n, keys, value) // a view: nothing moves
	b.Output(b.Op(name+Part+"attention", k, []graph.TensorID{b.Input(name+".q", n, heads, 1, dim), cache, v}, n, heads, 1, value))
}
