package demand

import (
	"cmp"

	"github.com/causeway-sim/causeway/components/experiment/deployed"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Deployment is how the chips of a server share a model whose steps are priced by kernels.
type Deployment struct {
	deployed.Layout `yaml:",inline"`
	Prefill         deployed.Layout `yaml:"prefill" doc:"Of instances that compute prompts, in place of the sizes here"`
	Decode          deployed.Layout `yaml:"decode" doc:"Of instances that compute the tokens after the first"`
	Attention       string          `yaml:"attention" doc:"Element type of the products around attention; left out: that of weights"`
	Experts         string          `yaml:"experts" doc:"Element type of experts' weights; left out: that of weights"`
	Tokens          string          `yaml:"tokens" doc:"Element type of the tokens that experts read; left out: that of experts"`
	Distribution    string          `yaml:"distribution" doc:"Of tokens on experts: balanced, or power_law_X of an exponent X"`
}

// Types are the element types of the deployed model; at is the section, for errors.
func (d *Deployment) Types(at configs.Value, t graph.DTypes) (out deployed.Types, err error) {
	out = deployed.Types{Weight: t.Weight, Attention: t.Weight, Experts: t.Weight, KV: t.KV}
	for _, x := range []struct {
		key, text string
		to        *graph.DType
	}{{"attention", d.Attention, &out.Attention}, {"experts", d.Experts, &out.Experts}} {
		if x.text == "" {
			continue
		}
		if *x.to, err = graph.ParseDType(x.text); err != nil {
			return out, at.Get(x.key).Errorf(graph.DTypeNames(), "unknown data type %q", x.text)
		}
	}
	if out.Token, err = graph.ParseDType(cmp.Or(d.Tokens, out.Experts.String())); err != nil {
		return out, at.Get("tokens").Errorf(graph.DTypeNames(), "unknown data type %q", d.Tokens)
	}
	return out, nil
}

// Decoder is the language model of the workload.
func (w *Workload) Decoder(doc *configs.Document) (d zoo.Decoder, err error) {
	src, ok := format.Model(w.Spec.Model)
	if w.Spec.File.Exists() {
		path, err := doc.ResolveFile(w.Spec.File)
		if err != nil {
			return d, err
		}
		opened, done, err := format.OpenFile(path)
		if err != nil {
			return d, err
		}
		defer done()
		src, ok = opened, true
	}
	at := w.At.Get("deployment")
	if !ok {
		return d, at.Errorf(nil, "needs a model by its path on a hub, or a config.json (file)")
	}
	r, name, err := format.Sniff(src)
	if err != nil {
		return d, err
	}
	x, ok := r.(format.Described)
	if !ok {
		return d, at.Errorf(nil, "has no effect on a file of format %s (want config.json)", name)
	}
	return x.Decoder(src)
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
	d, err := w.Decoder(doc)
	if err != nil {
		return err
	}
	_, w.Only = d.Kinds()
	return nil
}
