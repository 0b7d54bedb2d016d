package offload

import "fmt"

// LLM is a decoder reading its prompt: causal attention on the device, block of
// queries by block, everything that works on single tokens on the host.
type LLM struct {
	Layers int `yaml:"layers" jsonschema:"minimum=1,maximum=1000" doc:"Layers"`
	Heads  int `yaml:"heads" jsonschema:"minimum=1,maximum=1000" doc:"Heads of attention"`
	Width  int `yaml:"width" jsonschema:"minimum=1,maximum=100000" doc:"Width of the model, a multiple of heads"`
	Tokens int `yaml:"tokens" jsonschema:"minimum=1,maximum=1000000" doc:"Tokens of the prompt, a multiple of block"`
	Block  int `yaml:"block" jsonschema:"minimum=1,maximum=100000" doc:"Queries of a device task, and tokens of a host task"`
}

func init() {
	register("llm", "OPT reads a prompt: attention on the device, projections and feed-forward on the host.", source+"; arXiv 2205.01068, table 1",
		LLM{32, 32, 2560, 1024, 32}, llm)
}

// lanes is how many multiply-adds a host unit does at once in dense products.
//
// assumption: 512-bit vectors of fp32.
const lanes = 16

func llm(s LLM, _ uint64) (Program, error) {
	if s.Width%s.Heads != 0 {
		return nil, fmt.Errorf("width is %d, no multiple of the %d heads", s.Width, s.Heads)
	}
	if s.Tokens%s.Block != 0 {
		return nil, fmt.Errorf("tokens is %d, no multiple of the block %d", s.Tokens, s.Block)
	}
	const (
		half  = 2  // bytes of a weight, query, key or value: fp16
		parts = 32 // of a dense product: one per unit of the published host
	)
	w, d, b := uint64(s.Width), uint64(s.Width/s.Heads), uint64(s.Block)
	blocks := s.Tokens / s.Block
	if err := fits(blocks, s.Heads); err != nil {
		return nil, err
	}
	tasks := blocks * s.Heads
	units := make([]uint32, tasks) // blocks of keys that a block of queries sees
	for i := range units {
		units[i] = uint32(i/s.Heads + 1)
	}
	return Program{{
		Name: "attention", Repeat: s.Layers, Argument: 3 * uint64(s.Tokens) * w * half,
		// Block by block, the heads of one across the units.
		Tasks: tasks, Rounds: tasks, Result: b * d * float,
		Units: units, Task: Cost{Ops: setup},
		// Per pair of query and key a multiply-add per element of the key and of the
		// value, and 20 for the softmax; the diagonal's block is done in full.
		Unit: Cost{Ops: b * b * (2*d + 20), Read: b * 2 * d * half},
		// Output projection, feed-forward of 4 times the width and the next layer's
		// query, key and value: 12 w^2 weights, which are read once per layer.
		Gather: s.Heads, Split: parts,
		Host: Cost{Ops: (b*12*w*w/parts + lanes - 1) / lanes, Read: 12 * w * w * half / uint64(blocks) / parts},
	}}, nil
}
