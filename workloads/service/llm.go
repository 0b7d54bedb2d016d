package service

import "fmt"

// LLM is decoding of a language model: each layer reads its weights, and the keys and
// values of every sequence.
type LLM struct {
	Layers  int `yaml:"layers" jsonschema:"minimum=1" doc:"Layers that are run, one token each"`
	Width   int `yaml:"width" jsonschema:"minimum=1" doc:"Elements of a token"`
	Hidden  int `yaml:"hidden" jsonschema:"minimum=1" doc:"Width of the feed-forward layer (gated: three matrices)"`
	Heads   int `yaml:"heads" jsonschema:"minimum=1" doc:"Heads of the queries; divides width"`
	KVHeads int `yaml:"kv_heads" jsonschema:"minimum=1" doc:"Heads of keys and values; divides heads"`
	Context int `yaml:"context" jsonschema:"minimum=1" doc:"Tokens of a sequence whose keys and values are read"`
	Batch   int `yaml:"batch" jsonschema:"minimum=1" doc:"Sequences"`
	Bytes   int `yaml:"bytes" jsonschema:"minimum=1,maximum=8" doc:"Bytes of an element"`
}

// DefaultLLM is a layer of LLaMA-3 8B.
//
// assumption: 8 sequences of 2,048 tokens, bf16.
func DefaultLLM() LLM {
	return LLM{Layers: 1, Width: 4096, Hidden: 14336, Heads: 32, KVHeads: 8, Context: 2048, Batch: 8, Bytes: 2}
}

func init() {
	register("llm", "Decoding of a language model: weights, keys and values of each layer.",
		"Grattafiori et al., The Llama 3 herd of models, arXiv 2407.21783, table 3",
		DefaultLLM(), func(s LLM) (*Program, error) {
			if err := positive([]string{"layers", "width", "hidden", "heads", "kv_heads", "context", "batch", "bytes"}, s.Layers, s.Width, s.Hidden, s.Heads, s.KVHeads, s.Context, s.Batch, s.Bytes); err != nil {
				return nil, err
			}
			if err := steps(float64(s.Layers)); err != nil {
				return nil, err
			}
			if s.Width%s.Heads != 0 || s.Heads%s.KVHeads != 0 {
				return nil, fmt.Errorf("heads is %d and kv_heads %d (want divisors of width %d and of heads)", s.Heads, s.KVHeads, s.Width)
			}
			kv := s.Width / s.Heads * s.KVHeads
			matrices := 2*s.Width*s.Width + 2*s.Width*kv + 3*s.Width*s.Hidden
			weights := uint64(matrices) * uint64(s.Bytes)
			cache := 2 * uint64(s.Batch) * uint64(s.Context) * uint64(kv) * uint64(s.Bytes)
			n := uint64(s.Layers)
			p := &Program{Regions: []Region{{"weights", n * weights}, {"kv_cache", n * cache}}, Items: s.Batch}
			for i := range n {
				p.Steps = append(p.Steps, Step{
					Name: "layer", Free: true,
					// matrices, then scores and weighted sums
					Compute: 2*float64(matrices)*float64(s.Batch) + 4*float64(s.Batch)*float64(s.Context)*float64(s.Width),
					Reads:   []Read{{Region: 0, Count: 1, Bytes: weights, At: i * weights}, {Region: 1, Count: 1, Bytes: cache, At: i * cache}},
				})
			}
			return p, nil
		})
}
