package demand

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/deployed"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Formats are the element types of the deployed model, and a sentence that says them. multiplies
// reports whether the chip multiplies a type itself.
func (w *Workload) Formats(doc *configs.Document, multiplies func(graph.DType) bool) (out deployed.Types, said string, err error) {
	d, at := &w.Spec.Deployment, w.At.Get("deployment")
	file, known, err := w.stored(doc)
	if err != nil {
		return out, "", err
	}
	t := w.Spec.DType.DTypes
	out = deployed.Types{Weight: t.Weight, Attention: t.Weight, Experts: t.Weight, Shared: t.Weight, KV: t.KV}
	own := w.ownWeights()
	if w.Spec.DType.file {
		out.KV = file.KV
	}
	if d.Quantised != "" {
		if v := w.At.Get("dtype"); v.Get("weight").Exists() || v.Exists() && v.Kind() != configs.Map && !own {
			return out, "", at.Get("quantised").Errorf(nil, "has no effect with workload.dtype of weights; one of them must go")
		}
		q, err := graph.ParseDType(d.Quantised)
		if err != nil {
			return out, "", at.Get("quantised").Errorf(graph.DTypeNames(), "unknown data type %q", d.Quantised)
		}
		q = w.offered(q)
		out.Weight, out.Attention, out.Experts, out.Shared = q, q, q, q
		if own = known && file.Keeps(q); known && !own {
			out.Weight, out.Attention = narrower(file.Weight, q), narrower(file.Attention, q)
			out.Experts, out.Shared = narrower(file.Experts, q), narrower(file.Shared, q)
		}
	}
	if own {
		out.Weight, out.Attention, out.Experts, out.Shared = file.Weight, file.Attention, file.Experts, file.Shared
	}
	for _, x := range []struct {
		key, text string
		to        *graph.DType
	}{{"attention", d.Attention, &out.Attention}, {"experts", d.Experts, &out.Experts}, {"tokens", d.Tokens, &out.Token}} {
		if x.key == "tokens" {
			out.Token = tokensOf(out.Experts, multiplies)
		}
		if x.text == "" {
			continue
		}
		if *x.to, err = graph.ParseDType(x.text); err != nil {
			return out, "", at.Get(x.key).Errorf(graph.DTypeNames(), "unknown data type %q", x.text)
		}
	}
	said = fmt.Sprintf("attention %s, experts %s of tokens in %s, shared experts %s, other layers %s, keys and values %s", out.Attention, out.Experts, out.Token, out.Shared, out.Weight, out.KV)
	for _, t := range []graph.DType{out.Attention, out.Experts, out.Shared, out.Weight, out.Token} {
		if text := fmt.Sprintf("%s, which the chip does not multiply", t); !multiplies(t) && !strings.Contains(said, text) {
			said += fmt.Sprintf("; there is %s: it is widened to a type that it has", text)
		}
	}
	return out, said, nil
}

// offers are the element types of quantised checkpoints by the owner of a model on the hub and the
// type that a deployment asks for. Qwen's checkpoints of fp8 have scales by blocks of 128 x 128
// (weight_block_size in quantization_config of Qwen/Qwen3-32B-FP8).
var offers = map[string]map[graph.DType]graph.DType{"Qwen": {graph.FP8: graph.FP8Block}}

// offered is the element type of the checkpoint that the model's owner offers for a type; the type
// itself where none is known.
func (w *Workload) offered(t graph.DType) graph.DType {
	owner, _, _ := strings.Cut(w.Spec.Model, "/")
	if x, ok := offers[owner][t]; ok {
		return x
	}
	return t
}

// ownWeights reports whether the weights of a deployed model have the types of its file: those that dtype
// leaves open.
func (w *Workload) ownWeights() bool {
	v := w.At.Get("dtype")
	return w.Spec.DType.file || v.Kind() == configs.Map && !v.Get("weight").Exists() && !v.Get("activation").Exists()
}

// narrower is the type of fewer bits of the two; the second where they have as many.
func narrower(a, b graph.DType) graph.DType {
	if a.Bits() < b.Bits() {
		return a
	}
	return b
}

// tokensOf is the element type of the tokens that experts read: one that is multiplied by that of their
// weights. Weights of 4 bits in integers, and of 4 bits that the chip does not multiply, are widened.
func tokensOf(experts graph.DType, multiplies func(graph.DType) bool) graph.DType {
	switch experts {
	case graph.MXFP4:
		if multiplies(graph.MXFP8) {
			return graph.MXFP8
		}
		return graph.BF16
	case graph.Int4, graph.Int4G64, graph.Int4G128, graph.Q4, graph.Int8:
		return graph.BF16
	}
	return experts
}

// stored is the element types that the file of the model says, if they are known.
func (w *Workload) stored(doc *configs.Document) (s format.Stored, ok bool, err error) {
	err = w.described(doc, func(x format.Described, src format.Source) error {
		if s, ok, err = x.Stored(src); err != nil {
			return err
		}
		if !ok && w.ownWeights() && w.Spec.Deployment.Quantised == "" {
			return w.At.Get("deployment").Errorf(nil, "%s is quantised in a way that is not known here (want workload.dtype, which says the element types)", w.Name())
		}
		return nil
	})
	return s, ok, err
}
