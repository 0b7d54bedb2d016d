package huggingface

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"

	"github.com/causeway-sim/causeway/workloads/format"
)

type reader struct{}

func init() {
	format.All.Add(registry.Entry[format.Reader]{
		Name:   "config.json",
		Doc:    "Model-hub configuration (config.json): language models of some fifty families from GPT-2 to DeepSeek-V4, BERT, ViT, T5.",
		Source: "config.json of published checkpoints; configuration classes of the transformers library",
		New:    reader{},
	})
}

// Sniff implements Reader.
func (reader) Sniff(_ string, head []byte) int {
	head = bytes.TrimSpace(bytes.TrimPrefix(head, format.UTF8BOM))
	if !format.IsText(head) || head[0] != '{' {
		return 0
	}
	for _, key := range []string{`"model_type"`, `"architectures"`, `"hidden_size"`, `"n_embd"`, `"num_hidden_layers"`, `"text_config"`, `"d_model"`} {
		if bytes.Contains(head, []byte(key)) {
			return 90
		}
	}
	return 5
}

// hubActivations maps activation names to those of the graph.
var hubActivations = map[string]string{
	"silu": "silu", "swish": "silu", "quick_gelu": "silu", "relu": "relu", "gelu": "gelu", "gelu_python": "gelu",
	"gelu_new": "gelu_tanh", "relu6": "relu6", "gelu_fast": "gelu_tanh", "gelu_pytorch_tanh": "gelu_tanh", "tanh": "tanh", "sigmoid": "sigmoid",
	"relu2": "relu2", "swigluoai": "silu", "situ": "silu", // clipped, or bounded, forms of silu
}

var hubDTypes = map[string]graph.DType{
	"float32": graph.FP32, "float16": graph.FP16, "bfloat16": graph.BF16, "float8_e4m3fn": graph.FP8, "int8": graph.Int8,
}

// Keys, by the names that different families give them.
var (
	keyHidden   = []string{"hidden_size", "n_embd", "d_model", "n_embed"}
	keyLayers   = []string{"num_hidden_layers", "n_layer", "num_layers", "n_layers"}
	keyHeads    = []string{"num_attention_heads", "n_head", "n_heads", "num_heads"}
	keyKVHeads  = []string{"num_key_value_heads", "num_kv_heads"}
	keyFF       = []string{"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size", "d_ff"}
	keyWords    = []string{"vocab_size"}
	keyHeadSize = []string{"head_dim", "kv_channels"}
	keyPosition = []string{"max_position_embeddings", "n_positions", "n_ctx", "max_seq_length", "seq_length"}
	keyAct      = []string{"hidden_activation", "hidden_act", "activation_function", "activation"}
	keyExperts  = []string{"num_local_experts", "num_experts", "n_routed_experts"}
)

// Read implements Reader.
func (reader) Read(src format.Source, o format.Options) (*graph.Graph, error) {
	h, build, err := open(src, o)
	if err != nil {
		return nil, err
	}
	g, err := build(h.params)
	if err != nil {
		return nil, h.whole(err)
	}
	if err := format.CheckWork(g); err != nil {
		return nil, h.whole(err)
	}
	if o.DTypes == (graph.DTypes{}) {
		g.SetDTypes(graph.Uniform(h.dtype))
		h.quantized(g, h.dtype)
	} else if h.quantization != nil && o.Only == nil {
		said := ""
		if s, ok := h.stored(); ok {
			said = " (" + s.String() + ")"
		}
		h.note("quantization_config%s is not read: the workload's dtype says how wide weights are (dtype: file takes what the file says)", said)
	}
	g.Notes = h.notes
	return g, nil
}

// Decoder implements format.Described.
func (reader) Decoder(src format.Source) (zoo.Decoder, error) {
	h, _, err := open(src, format.Options{})
	if err != nil {
		return zoo.Decoder{}, err
	}
	if h.described == nil {
		return zoo.Decoder{}, h.fault(h.at, nil, "the model is no decoder")
	}
	return *h.described, h.described.Check()
}

// Stored implements format.Described.
func (reader) Stored(src format.Source) (s format.Stored, ok bool, err error) {
	h, _, err := open(src, format.Options{})
	if err != nil {
		return s, false, err
	}
	s, ok = h.stored()
	return s, ok, nil
}

// open reads a configuration as far as its graph is made.
func open(src format.Source, o format.Options) (*hubModel, hubBuild, error) {
	c, err := parseJSON(src)
	if err != nil {
		return nil, nil, err
	}
	dtype, typed := hubDTypes[c.word("", "torch_dtype", "dtype")]
	notes := c.towers()
	quantization := c.quantization(nil)
	if _, v, ok := c.find("text_config"); ok { // a model of text and other things: its text part
		if _, _, flat := c.find(keyHidden...); !flat {
			if c, err = c.object(v); err != nil {
				return nil, nil, err
			}
			if !typed {
				dtype, typed = hubDTypes[c.word("", "torch_dtype", "dtype")]
			}
			quantization = c.quantization(quantization)
		}
	}
	name, at := c.family()
	if err := c.errs.Err(); err != nil {
		return nil, nil, err
	}
	f, ok := hubFamilies[name]
	if !ok {
		want := slices.Sorted(maps.Keys(hubFamilies))
		if name == "" {
			return nil, nil, c.fault(c.at, want, "the key model_type is missing")
		}
		return nil, nil, c.fault(at, want, "unknown model_type %q", name)
	}
	p := zoo.Params{Batch: o.Batch, Sequence: o.Sequence, Context: o.Context, Phase: o.Phase, Experts: o.Experts, Groups: o.Groups, Only: o.Only}
	if !typed {
		dtype = graph.BF16 // assumption: as most are
	}
	h := &hubModel{jsonObject: c, family: f, name: hubName(o, src.Name), params: p, notes: notes, dtype: dtype, quantization: quantization}
	build := f.read(h)
	return h, build, c.errs.Err()
}

// quantization is the value of quantization_config, or else another.
func (o *jsonObject) quantization(other *jsonValue) *jsonValue {
	if _, v, ok := o.find("quantization_config"); ok {
		return &v
	}
	return other
}

// towers names the parts of a model of several kinds of input that are left out.
func (o *jsonObject) towers() []string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(o.values)) {
		if part, ok := strings.CutSuffix(key, "_config"); ok && hubTowers[part] && string(o.values[key].raw) != "null" {
			out = append(out, fmt.Sprintf("%s: the %s part of the model is left out; only its text part runs", o.file, part))
		}
	}
	return out
}

// hubTowers are the parts besides text, by the prefix of their keys.
var hubTowers = map[string]bool{"vision": true, "audio": true, "speech": true, "image": true, "talker": true, "code2wav": true}

// whole reports errors that no single key makes, at the object.
func (o *jsonObject) whole(err error) error {
	var out format.ErrorList
	errs := []error{err}
	if j, ok := err.(interface{ Unwrap() []error }); ok {
		errs = j.Unwrap()
	}
	for _, e := range errs {
		out.Add(o.fault(o.at, nil, "%s", strings.ReplaceAll(e.Error(), "\n", "; ")))
	}
	return out.Err()
}

// hubName is the name of the graph. For a file called config.json it is the name of its folder.
func hubName(o format.Options, file string) string {
	if name := format.GraphName(o, file); name != "config" {
		return name
	}
	if parts := strings.Split(strings.ReplaceAll(file, `\`, "/"), "/"); len(parts) > 1 && parts[len(parts)-2] != "" {
		return parts[len(parts)-2]
	}
	return "config"
}

// family is the model type: as said, or as the architecture or the feed-forward
// part (descriptions of LLM serving simulators) tell.
func (o *jsonObject) family() (name string, at int) {
	if _, v, ok := o.find("model_type"); ok {
		return o.word("", "model_type"), v.at
	}
	if _, v, ok := o.find("architectures"); ok {
		var list []string
		if json.Unmarshal(v.raw, &list) != nil || len(list) == 0 {
			o.errs.Add(o.fault(v.at, nil, "architectures is %s (want a list of names)", jsonKind(v.raw)))
			return "", v.at
		}
		name = strings.ToLower(list[0])
		for _, suffix := range []string{"forcausallm", "lmheadmodel", "forconditionalgeneration", "model"} {
			name = strings.TrimSuffix(name, suffix)
		}
		if full, ok := hubArchitectures[name]; ok {
			name = full
		}
		return name, v.at
	}
	if _, v, ok := o.find("ffn_type"); ok {
		switch o.word("", "ffn_type") {
		case "llama":
			return "llama", v.at
		case "default":
			return "opt", v.at
		}
		o.errs.Add(o.fault(v.at, []string{"default", "llama"}, "unknown ffn_type %s", v.raw))
	}
	return "", o.at
}

// hubArchitectures are the model types whose names are not those of their
// architectures in lower case.
var hubArchitectures = map[string]string{
	"qwen3moe": "qwen3_moe", "qwen2moe": "qwen2_moe", "gptneox": "gpt_neox", "gptj": "gptj", "gptbigcode": "gpt_bigcode",
	"deepseekv2": "deepseek_v2", "deepseekv3": "deepseek_v3", "gptoss": "gpt_oss", "gemma3": "gemma3", "llama4": "llama4",
	"bertformaskedlm": "bert", "robertaformaskedlm": "roberta", "t5": "t5", "vitforimageclassification": "vit",
}

// maxHub bounds a size; zoo has its own bounds, this one keeps it an int.
const maxHub = 1 << 30

func (o *jsonObject) activation(def string) string {
	key, v, ok := o.find(keyAct...)
	if !ok {
		return def
	}
	name := o.word("", key)
	fn, known := hubActivations[name]
	if !known && name != "" {
		o.errs.Add(o.fault(v.at, slices.Sorted(maps.Keys(hubActivations)), "unknown %s %q", key, name))
	}
	return fn
}
