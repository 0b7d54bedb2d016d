package format

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

type hubReader struct{}

func init() {
	All.Add(registry.Entry[Reader]{
		Name:   "config.json",
		Doc:    "Model-hub configuration of a language model: LLaMA, Mistral, Qwen, Gemma, Mixtral, GPT-2, OPT.",
		Source: "config.json of published checkpoints; configuration classes of the transformers library",
		New:    hubReader{},
	})
}

// Sniff implements Reader.
func (hubReader) Sniff(_ string, head []byte) int {
	head = bytes.TrimSpace(bytes.TrimPrefix(head, utf8BOM))
	if !isText(head) || head[0] != '{' {
		return 0
	}
	for _, key := range []string{`"model_type"`, `"architectures"`, `"hidden_size"`, `"n_embd"`, `"num_hidden_layers"`, `"text_config"`} {
		if bytes.Contains(head, []byte(key)) {
			return 90
		}
	}
	return 5
}

// A hubFamily is what the configurations of one model type leave unsaid. Values
// are the defaults of the type's configuration class.
type hubFamily struct {
	zoo.Decoder      // defaults; sizes of 0 are required keys or follow from others
	maxPositions int // where max_position_embeddings is missing
	window       int // where sliding_window is missing
	// someWindows says that only some layers have the window.
	someWindows bool
	// windowOff says that the window is off unless use_sliding_window.
	windowOff bool
	halfFF    bool // intermediate_size counts both halves of the gate
	gpt       bool
}

var hubFamilies = map[string]hubFamily{
	"llama":     {maxPositions: 2048},
	"mistral":   {maxPositions: 131072, window: 4096, Decoder: zoo.Decoder{KVHeads: 8}},
	"mixtral":   {maxPositions: 131072, Decoder: zoo.Decoder{KVHeads: 8, Experts: 8, ActiveExperts: 2}},
	"qwen":      {maxPositions: 32768, halfFF: true, Decoder: zoo.Decoder{QKVBias: true}},
	"qwen2":     {maxPositions: 32768, window: 4096, someWindows: true, windowOff: true, Decoder: zoo.Decoder{QKVBias: true}},
	"qwen3":     {maxPositions: 32768, window: 4096, someWindows: true, windowOff: true, Decoder: zoo.Decoder{QKNorm: true, HeadSize: 128}},
	"qwen3_moe": {maxPositions: 32768, window: 4096, someWindows: true, windowOff: true, Decoder: zoo.Decoder{QKNorm: true, Experts: 128, ActiveExperts: 8}},
	"gemma":     {maxPositions: 8192, Decoder: zoo.Decoder{HeadSize: 256, EmbedScale: true, Tied: true, Activation: "gelu_tanh"}},
	"gemma2": {maxPositions: 8192, window: 4096, someWindows: true,
		Decoder: zoo.Decoder{HeadSize: 256, EmbedScale: true, Tied: true, PostNorm: true, Activation: "gelu_tanh"}},
	"phi3": {maxPositions: 4096},
	"gpt2": {maxPositions: 1024, gpt: true, Decoder: zoo.Decoder{Activation: "gelu_tanh"}},
	"opt":  {maxPositions: 2048, gpt: true, Decoder: zoo.Decoder{Name: "opt", Activation: "relu"}},
}

// hubActivations maps activation names to those of the graph.
var hubActivations = map[string]string{
	"silu": "silu", "swish": "silu", "quick_gelu": "silu", "relu": "relu", "gelu": "gelu", "gelu_python": "gelu",
	"gelu_new": "gelu_tanh", "gelu_fast": "gelu_tanh", "gelu_pytorch_tanh": "gelu_tanh", "tanh": "tanh", "sigmoid": "sigmoid",
}

var hubDTypes = map[string]graph.DType{
	"float32": graph.FP32, "float16": graph.FP16, "bfloat16": graph.BF16, "float8_e4m3fn": graph.FP8, "int8": graph.Int8,
}

// Keys, by the names that different families give them.
var (
	keyHidden   = []string{"hidden_size", "n_embd", "d_model"}
	keyLayers   = []string{"num_hidden_layers", "n_layer", "num_layers"}
	keyHeads    = []string{"num_attention_heads", "n_head"}
	keyKVHeads  = []string{"num_key_value_heads", "num_kv_heads"}
	keyFF       = []string{"intermediate_size", "n_inner", "ffn_dim"}
	keyWords    = []string{"vocab_size"}
	keyHeadSize = []string{"head_dim", "kv_channels"}
	keyPosition = []string{"max_position_embeddings", "n_positions", "n_ctx", "max_seq_length", "seq_length"}
	keyAct      = []string{"hidden_activation", "hidden_act", "activation_function"}
	keyExperts  = []string{"num_local_experts", "num_experts"}
)

// Read implements Reader.
func (hubReader) Read(src Source, o Options) (*graph.Graph, error) {
	c, err := parseJSON(src)
	if err != nil {
		return nil, err
	}
	dtype, typed := hubDTypes[c.word("", "torch_dtype", "dtype")]
	if _, v, ok := c.find("text_config"); ok { // a model of text and images: its text part
		if _, _, flat := c.find(keyHidden...); !flat {
			if c, err = c.object(v); err != nil {
				return nil, err
			}
		}
	}
	name, at := c.family()
	f, ok := hubFamilies[name]
	if err := c.errs.err(); err != nil {
		return nil, err
	}
	if !ok {
		want := slices.Sorted(maps.Keys(hubFamilies))
		if name == "" {
			return nil, c.fault(c.at, want, "the key model_type is missing")
		}
		return nil, c.fault(at, want, "unknown model_type %q", name)
	}
	p := zoo.Params{Batch: o.Batch, Sequence: o.Sequence, Context: o.Context, Phase: o.Phase}
	var build func(zoo.Params) (*graph.Graph, error)
	if f.gpt {
		build = c.gpt(f, hubName(o, src.Name)).Graph
	} else {
		build = c.decoder(f, hubName(o, src.Name), p).Graph
	}
	if err := c.errs.err(); err != nil {
		return nil, err
	}
	g, err := build(p)
	if err != nil {
		return nil, c.whole(err)
	}
	if err := checkWork(g); err != nil {
		return nil, c.whole(err)
	}
	if typed {
		g.SetDTypes(graph.Uniform(dtype))
	}
	return g, nil
}

// whole reports errors that no single key makes, at the object.
func (o *jsonObject) whole(err error) error {
	var out errorList
	errs := []error{err}
	if j, ok := err.(interface{ Unwrap() []error }); ok {
		errs = j.Unwrap()
	}
	for _, e := range errs {
		out.add(o.fault(o.at, nil, "%s", strings.ReplaceAll(e.Error(), "\n", "; ")))
	}
	return out.err()
}

// hubName is the graph's name. A file called config.json says nothing, so that
// its folder counts.
func hubName(o Options, file string) string {
	if name := graphName(o, file); name != "config" {
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
			o.errs.add(o.fault(v.at, nil, "architectures is %s (want a list of names)", jsonKind(v.raw)))
			return "", v.at
		}
		name = strings.ToLower(list[0])
		for _, suffix := range []string{"forcausallm", "lmheadmodel", "forconditionalgeneration", "model"} {
			name = strings.TrimSuffix(name, suffix)
		}
		if name == "qwen3moe" {
			name = "qwen3_moe"
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
		o.errs.add(o.fault(v.at, []string{"default", "llama"}, "unknown ffn_type %s", v.raw))
	}
	return "", o.at
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
		o.errs.add(o.fault(v.at, slices.Sorted(maps.Keys(hubActivations)), "unknown %s %q", key, name))
	}
	return fn
}

// decoder reads a model of the LLaMA family.
func (o *jsonObject) decoder(f hubFamily, name string, p zoo.Params) zoo.Decoder {
	o.missing(keyHidden, keyLayers, keyHeads, keyFF, keyWords)
	d := f.Decoder
	d.Name = name
	d.Hidden, d.Layers = o.number(0, 1, maxHub, keyHidden...), o.number(0, 1, maxHub, keyLayers...)
	d.Heads, d.Words = o.number(0, 1, maxHub, keyHeads...), o.number(0, 1, maxHub, keyWords...)
	d.KVHeads = o.number(d.KVHeads, 1, maxHub, keyKVHeads...)
	if v, ok := o.values[keyKVHeads[0]]; ok && string(v.raw) == "null" {
		d.KVHeads = 0 // null means as many as heads, absence the default
	}
	d.HeadSize = o.number(d.HeadSize, 1, maxHub, keyHeadSize...)
	d.FF = o.number(0, 1, maxHub, keyFF...)
	if f.halfFF {
		d.FF /= 2
	}
	if d.Experts > 0 {
		d.Experts = o.number(d.Experts, 1, maxHub, keyExperts...)
		d.ActiveExperts = o.number(d.ActiveExperts, 1, maxHub, "num_experts_per_tok")
		d.FF = o.number(d.FF, 1, maxHub, "moe_intermediate_size")
		if n := o.number(1, 0, maxHub, "decoder_sparse_step"); n != 1 {
			o.errs.add(o.fault(o.values["decoder_sparse_step"].at, nil, "models in which only some layers have experts are not supported"))
		}
		if _, v, ok := o.find("mlp_only_layers"); ok && string(bytes.Join(bytes.Fields(v.raw), nil)) != "[]" {
			o.errs.add(o.fault(v.at, nil, "models in which only some layers have experts are not supported"))
		}
	}
	d.Tied = o.truth(d.Tied, "tie_word_embeddings")
	if act := o.activation(d.Activation); !(d.Activation == "gelu_tanh" && act == "gelu") {
		d.Activation = act // Gemma's files say gelu and mean its tanh form
	}
	if o.truth(false, "attention_bias") {
		d.QKVBias, d.OutBias = true, true
	}
	d.FFBias = o.truth(false, "mlp_bias")
	d.MaxContext = o.number(f.maxPositions, 1, maxHub, keyPosition...)
	o.window(f, &d, p)
	return d
}

// window reads the sliding window. Where only some layers have one it makes no
// difference until the context is longer; then the layers would differ, which
// is refused.
func (o *jsonObject) window(f hubFamily, d *zoo.Decoder, p zoo.Params) {
	if v, ok := o.values["sliding_window"]; ok && string(v.raw) == "null" || !o.truth(!f.windowOff, "use_sliding_window") {
		return
	}
	w := o.number(f.window, 1, maxHub, "sliding_window")
	_, v, said := o.find("sliding_window")
	some := f.someWindows
	if f.windowOff { // Qwen: the layers from max_window_layers on have it
		first := o.number(28, 0, maxHub, "max_window_layers")
		switch {
		case first == 0:
			some = false
		case first >= d.Layers:
			return
		}
	}
	if !some {
		d.Window = w
		return
	}
	context := max(p.Context, p.Sequence)
	if context == 0 {
		context = min(2048, d.MaxContext)
	}
	if context > w && w > 0 {
		at := o.at
		if said {
			at = v.at
		}
		o.errs.add(o.fault(at, nil, "only some layers have the sliding window of %d, which is not supported beyond a context of %d (it is %d)", w, w, context))
	}
}

// gpt reads a model of the GPT family.
func (o *jsonObject) gpt(f hubFamily, name string) zoo.GPT {
	o.missing(keyHidden, keyLayers, keyHeads, keyWords)
	hidden, heads := o.number(0, 1, maxHub, keyHidden...), o.number(0, 1, maxHub, keyHeads...)
	g := zoo.GPT{
		Name: name, Heads: heads, Layers: o.number(0, 1, maxHub, keyLayers...), Words: o.number(0, 1, maxHub, keyWords...),
		FF: o.number(0, 1, maxHub, keyFF...), Positions: o.number(f.maxPositions, 1, maxHub, keyPosition...),
		Activation: o.activation(f.Activation),
	}
	if f.Name == "opt" {
		g.Positions += 2 // the table has two rows more than positions: padding
	}
	if heads > 0 {
		if hidden%heads != 0 {
			o.errs.add(o.fault(o.at, nil, "the hidden size %d is not a multiple of %d heads", hidden, heads))
			return g
		}
		g.HeadSize = hidden / heads
	}
	if kv := o.number(heads, 1, maxHub, keyKVHeads...); kv != heads {
		o.errs.add(o.fault(o.at, nil, "%d key/value heads of %d heads: models of this family have as many", kv, heads))
	}
	if _, v, ok := o.find("word_embed_proj_dim"); ok && o.number(hidden, 1, maxHub, "word_embed_proj_dim") != hidden {
		o.errs.add(o.fault(v.at, nil, "embeddings of another width than the layers are not supported"))
	}
	return g
}
