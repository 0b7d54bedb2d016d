package demand

import (
	"github.com/causeway-sim/causeway/components/experiment/deployed"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Deployment is how the chips of a server share a model whose steps are priced by kernels.
type Deployment struct {
	deployed.Layout `yaml:",inline"`
	Prefill         deployed.Layout `yaml:"prefill" doc:"Of instances that compute prompts, in place of the sizes here"`
	Decode          deployed.Layout `yaml:"decode" doc:"Of instances that compute the tokens after the first"`
	Quantised       string          `yaml:"quantised" doc:"Element type that weights of more bits are quantised to before they are served; a model whose file has as few keeps the file's"`
	Attention       string          `yaml:"attention" doc:"Element type of the products around attention; left out: that of weights, or the file's"`
	Experts         string          `yaml:"experts" doc:"Element type of experts' weights; left out: that of weights, or the file's"`
	Tokens          string          `yaml:"tokens" doc:"Element type of the tokens that experts read; left out: that of experts, mxfp8 with mxfp4 where the chip multiplies it, and bf16 with others of 4 bits and with int8"`
	Fused           deployed.Fusion `yaml:"fused" jsonschema:"enum=all,enum=norms" doc:"Which kernels of the vector unit are parts of others. all: rotary embeddings and writes of keys and values are parts of attention, sums and norms of the all-reduce, and the kernel before a product quantises its input (TensorRT-LLM). norms: sums are parts of norms, and norms and activations quantise to one scale; all else is a kernel of its own (vLLM, SGLang). Left out: all"`
	Distribution    string          `yaml:"distribution" doc:"Of tokens on experts: balanced, or power_law_X of an exponent X"`
}

// Decoder is the language model of the workload.
func (w *Workload) Decoder(doc *configs.Document) (d zoo.Decoder, err error) {
	err = w.described(doc, func(x format.Described, src format.Source) (err error) {
		d, err = x.Decoder(src)
		return err
	})
	return d, err
}

// described calls do with the description of the workload's model.
func (w *Workload) described(doc *configs.Document, do func(format.Described, format.Source) error) error {
	src, ok := format.Model(w.Spec.Model)
	if w.Spec.File.Exists() {
		path, err := doc.ResolveFile(w.Spec.File)
		if err != nil {
			return err
		}
		opened, done, err := format.OpenFile(path)
		if err != nil {
			return err
		}
		defer done()
		src, ok = opened, true
	}
	at := w.At.Get("deployment")
	if !ok {
		if w.Spec.Model != "" && format.IsModel(w.Spec.Model) {
			return unknownModel(w.At.Get("model"), w.Spec.Model)
		}
		return at.Errorf(nil, "needs a model by its path on a hub, or a config.json (file)")
	}
	r, name, err := format.Sniff(src)
	if err != nil {
		return err
	}
	x, ok := r.(format.Described)
	if !ok {
		return at.Errorf(nil, "has no effect on a file of format %s (want config.json)", name)
	}
	return do(x, src)
}

// oneOfEach builds a layer of each kind only, where steps are priced from the description.
func (w *Workload) oneOfEach(doc *configs.Document) error {
	at := w.At.Get("deployment")
	if !at.Exists() {
		return nil
	}
	if !w.At.Get("requests").Exists() {
		return at.Errorf(nil, "has no effect without requests")
	}
	if v := w.At.Get("parallel"); v.Exists() {
		return v.Errorf(nil, "has no effect with deployment, which says how chips share the model")
	}
	if !w.At.Get("dtype").Exists() {
		w.Spec.DType.file = true
	}
	d, err := w.Decoder(doc)
	if err != nil {
		return err
	}
	_, w.Only = d.Kinds()
	return nil
}
