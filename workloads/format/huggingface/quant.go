package huggingface

import (
	"regexp"
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// expertWeights are weights of the experts of a mixture, as package zoo names them.
var expertWeights = regexp.MustCompile(`(^|\.)E[0-9]+\.`)

// quantized gives weights the types that the key quantization_config says: matrices of layers but for
// routers. Embedding and head stay as they are. plain is the type of other weights.
func (o *hubModel) quantized(g *graph.Graph, plain graph.DType) {
	if o.quantization == nil {
		return
	}
	s, ok := o.stored()
	if !ok {
		o.note("quantization_config %.60s is not read", o.quantization.raw)
		return
	}
	for _, d := range []*graph.DType{&s.Weight, &s.Attention, &s.Experts, &s.Shared} {
		if *d == graph.FP8Block {
			*d = graph.FP8
			o.noteOnce("quantization_config: scales of blocks of two dimensions are left out")
		}
	}
	o.noteOnce("quantization_config, " + s.String())
	for i := range g.Tensors {
		t := &g.Tensors[i]
		if t.Role != graph.Weight || len(t.Shape) < 2 || !strings.HasPrefix(t.Name, "L") && !strings.Contains(t.Name, ".L") {
			continue
		}
		_, rest, _ := graph.InLayer(t.Name)
		switch rest = strings.TrimSuffix(rest, ".weight"); {
		case expertWeights.MatchString(t.Name):
			t.DType = s.Experts
		case strings.Contains(rest, "router"):
		case strings.HasPrefix(rest, "shared."):
			t.DType = s.Shared
		case rest == "gate" || rest == "up" || rest == "down":
			t.DType = s.Weight
		default:
			t.DType = s.Attention
		}
	}
	g.SettleBlocks(plain)
}
