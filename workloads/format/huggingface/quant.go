package huggingface

import (
	"regexp"
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// quantMethods are the values of quant_method that are read.
var quantMethods = []string{"awq", "fp8", "gptq", "mxfp4"}

// expertWeights are weights of the experts of a mixture, as package zoo names them.
var expertWeights = regexp.MustCompile(`(^|\.)E[0-9]+\.`)

// quantized gives weights the types that the key quantization_config says: the experts of
// mxfp4 (OpenAI, gpt-oss model card, 2025: all else stays as it is), the matrices of the
// layers of awq, gptq and fp8. Embedding and head stay as they are. plain is the type of
// other weights.
func (o *hubModel) quantized(g *graph.Graph, plain graph.DType) error {
	_, v, ok := o.find("quantization_config")
	if !ok {
		return nil
	}
	c, err := o.object(v)
	if err != nil {
		return err
	}
	method := c.word("", "quant_method")
	bits, group := c.number(4, 2, 8, "bits", "w_bit"), c.number(128, -1, 1<<20, "group_size", "q_group_size")
	if err := c.errs.Err(); err != nil {
		return err
	}
	d, experts := graph.FP8, false
	switch method {
	case "mxfp4":
		d, experts = graph.MXFP4, true
	case "fp8":
		o.note("quantization_config: scales of blocks of two dimensions are left out")
	case "awq", "gptq":
		d = format.GroupedType(bits, group)
		o.note("quantization_config: weights of %d bits in groups of %d count as %s", bits, group, d)
	default:
		o.note("quantization_config of method %q is not read (read are: %s)", method, strings.Join(quantMethods, ", "))
		return nil
	}
	for i := range g.Tensors {
		t := &g.Tensors[i]
		layer := strings.HasPrefix(t.Name, "L") || strings.Contains(t.Name, ".L")
		if t.Role == graph.Weight && (experts && expertWeights.MatchString(t.Name) || !experts && layer && len(t.Shape) > 1) {
			t.DType = d
		}
	}
	g.SettleBlocks(plain)
	return nil
}
