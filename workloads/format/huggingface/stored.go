package huggingface

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A quantization is the object quantization_config, of several tools. Layers and parts that it names
// are those of the checkpoint.
//
// Sources: compressed-tensors (config_groups, ignore), modelopt (quant_algo, kv_cache_scheme,
// exclude_modules), and quant_method awq, gptq, fp8 and mxfp4 of the transformers library.
type quantization struct {
	Method  string           `json:"quant_method"`
	Algo    string           `json:"quant_algo"`
	Experts string           `json:"moe_quant_algo"`
	Bits    int              `json:"bits"`
	Wide    int              `json:"w_bit"`
	Group   int              `json:"group_size"`
	Other   int              `json:"q_group_size"`
	Blocks  []int            `json:"weight_block_size"`
	Groups  map[string]group `json:"config_groups"`
	KV      json.RawMessage  `json:"kv_cache_scheme"`
	Ignore  []string         `json:"ignore"`
	Exclude []string         `json:"exclude_modules"`
	Kept    []string         `json:"modules_to_not_convert"`
	Each    map[string]struct {
		Algo string `json:"quant_algo"`
	} `json:"quantized_layers"`
}

// A group is layers of one format.
type group struct {
	Weights struct {
		Bits  int    `json:"num_bits"`
		Type  string `json:"type"`
		Group int    `json:"group_size"`
	} `json:"weights"`
}

// dtype is the element type of a group.
func (g group) dtype() (graph.DType, bool) {
	w := g.Weights
	switch {
	case w.Type == "float" && w.Bits == 8:
		return graph.FP8, true
	case w.Type == "float" && w.Bits == 4 && w.Group == 16:
		return graph.NVFP4, true
	case w.Type == "float" && w.Bits == 4:
		return graph.MXFP4, true
	case w.Type == "int" && w.Bits > 0:
		return format.GroupedType(w.Bits, w.Group), true
	}
	return 0, false
}

// algos are the formats that modelopt names.
var algos = map[string]graph.DType{"FP8": graph.FP8, "NVFP4": graph.NVFP4, "W4A16_NVFP4": graph.NVFP4, "W4A8_MXFP4_FP8": graph.MXFP4, "MXFP8": graph.MXFP8, "FP8_PB_WO": graph.FP8Block}

// dtype is the element type that most weights have.
func (q *quantization) dtype() (graph.DType, bool) {
	switch q.Method {
	case "mxfp4":
		return graph.MXFP4, true
	case "awq", "gptq":
		return format.GroupedType(first(q.Bits, q.Wide, 4), first(q.Group, q.Other, 128)), true
	case "fp8":
		if len(q.Blocks) == 2 {
			return graph.FP8Block, true
		}
		return graph.FP8, true
	}
	if d, ok := algos[q.Algo]; ok {
		return d, true
	}
	d, ok := q.Groups["group_0"].dtype()
	return d, ok && len(q.Groups) == 1
}

func first(n ...int) int {
	for _, x := range n {
		if x != 0 {
			return x
		}
	}
	return 0
}

// parts are words in the names of modules by the part of a layer that they are of.
var parts = map[string]*regexp.Regexp{
	"attention": regexp.MustCompile(`attn`),
	"shared":    regexp.MustCompile(`shared_expert(s|\*|\b)`),
	"experts":   regexp.MustCompile(`(^|[^_])experts`),
	"dense":     regexp.MustCompile(`mlp\*|mlp\\?\.(\(gate\||gate_proj|up_proj|down_proj)`),
}

var (
	inLayer  = regexp.MustCompile(`layers\.([0-9]+)`)
	small    = regexp.MustCompile(`norm|indexer|bias`) // whose format no product depends on
	allLayer = regexp.MustCompile(`layers\.[0-9]+\.?\*$`)
)

// keeps reports whether a part of at least half of the layers is left as it is.
func (q *quantization) keeps(part string, layers int) bool {
	seen := map[string]bool{}
	for _, list := range [][]string{q.Ignore, q.Exclude, q.Kept} {
		for _, name := range list {
			if m := inLayer.FindStringSubmatch(name); small.MatchString(name) {
				continue
			} else if m != nil {
				if allLayer.MatchString(name) || parts[part].MatchString(name) {
					seen[m[1]] = true
				}
			} else if parts[part].MatchString(name) {
				return true
			}
		}
	}
	return layers > 0 && 2*len(seen) >= layers
}

// stored is the element types that the file says; ok is false for a quantisation that is not known.
func (o *hubModel) stored() (s format.Stored, ok bool) {
	s = format.Stored{Weight: o.dtype, Attention: o.dtype, Experts: o.dtype, Shared: o.dtype, KV: o.dtype, Plain: o.dtype}
	if o.quantization == nil {
		return s, true
	}
	q := quantization{}
	if json.Unmarshal(o.quantization.raw, &q) != nil {
		return s, false
	}
	d, ok := q.dtype()
	if len(q.Each) > 0 {
		d, ok = o.dtype, true
	}
	if !ok {
		return s, false
	}
	s.Method = q.Method
	if s.Method == "" {
		s.Method = q.Algo
	}
	layers := 0
	if o.described != nil {
		layers = o.described.Layers
	}
	for _, p := range []struct {
		part string
		to   *graph.DType
	}{{"attention", &s.Attention}, {"shared", &s.Shared}, {"experts", &s.Experts}, {"dense", &s.Weight}} {
		if len(q.Each) > 0 {
			*p.to = q.most(p.part, d)
		} else if !q.keeps(p.part, layers) {
			*p.to = d
		}
	}
	if q.Method == "mxfp4" { // of experts alone (gpt-oss model card, 2025)
		s.Weight, s.Attention, s.Shared = o.dtype, o.dtype, o.dtype
	}
	if q.Method == "fp8" && len(q.Each) > 0 { // what the list leaves out
		s.Weight, s.Attention, s.Shared = graph.FP8Block, graph.FP8Block, graph.FP8Block
	}
	if s.Experts != graph.BF16 && algos[q.Experts] != 0 {
		s.Experts = algos[q.Experts]
	}
	if kv := string(q.KV); strings.Contains(kv, `"FP8"`) || strings.Contains(strings.ReplaceAll(kv, " ", ""), `"num_bits":8`) {
		s.KV = graph.FP8
	}
	return s, true
}

// most is the format that most of the listed modules of a part have, or another.
func (q *quantization) most(part string, other graph.DType) graph.DType {
	count, best := map[graph.DType]int{}, 0
	for name, m := range q.Each {
		if d, ok := algos[m.Algo]; ok && parts[part].MatchString(name) {
			count[d]++
		}
	}
	for _, d := range []graph.DType{graph.NVFP4, graph.MXFP4, graph.FP8, graph.FP8Block, graph.MXFP8} {
		if count[d] > best {
			other, best = d, count[d]
		}
	}
	return other
}
