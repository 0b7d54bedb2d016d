package huggingface

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// A hubFamily is what the configurations of one model type leave unsaid. The fields of
// Decoder are the defaults of the type's configuration class; sizes of 0 are required
// keys or follow from others.
type hubFamily struct {
	zoo.Decoder
	positions int // where max_position_embeddings is missing
	window    int // where sliding_window is missing
	period    int // of period layers the last has no window: Gemma 2 and 3; 0: all have one
	// windowOff says that the window is off unless use_sliding_window.
	windowOff bool
	halfFF    bool // intermediate_size counts both halves of the gate
	quadFF    bool // a missing intermediate_size is four times the hidden size
	// adjust reads the keys that only this family has.
	adjust func(*hubModel, *zoo.Decoder)
	read   func(*hubModel) hubBuild // nil: a Decoder
}

type hubBuild func(zoo.Params) (*graph.Graph, error)

// A hubModel is one configuration being read.
type hubModel struct {
	*jsonObject
	family hubFamily
	name   string
	params zoo.Params
	notes  []string
	dtype  graph.DType
	// described is the decoder that was read; nil: the model is none.
	described *zoo.Decoder
	// quantization is the value of quantization_config; nil: there is none.
	quantization *jsonValue
}

// hubFamilies are the model types. Each file of a family adds its own.
var hubFamilies = map[string]hubFamily{}

func addHub(f hubFamily, names ...string) {
	if f.read == nil {
		f.read = (*hubModel).decoder
	}
	for _, n := range names {
		if _, twice := hubFamilies[n]; twice {
			panic("format: model type " + n + " is registered twice")
		}
		hubFamilies[n] = f
	}
}

// note adds a note about an approximation of the graph.
func (o *hubModel) note(format string, a ...any) {
	o.notes = append(o.notes, o.file+": "+fmt.Sprintf(format, a...))
}

// noteOnce is like note, for text that may come again.
func (o *hubModel) noteOnce(text string) {
	if text = o.file + ": " + text; !slices.Contains(o.notes, text) {
		o.notes = append(o.notes, text)
	}
}

// decoder reads a language model that a zoo.Decoder describes.
func (o *hubModel) decoder() hubBuild {
	f := o.family
	d := f.Decoder
	d.Name = o.name
	o.required(d)
	d.Hidden, d.Layers = o.number(d.Hidden, 1, maxHub, keyHidden...), o.number(d.Layers, 1, maxHub, keyLayers...)
	d.Heads, d.Words = o.number(d.Heads, 1, maxHub, keyHeads...), o.number(d.Words, 1, maxHub, keyWords...)
	d.KVHeads = o.number(d.KVHeads, 1, maxHub, keyKVHeads...)
	if v, ok := o.values[keyKVHeads[0]]; ok && string(v.raw) == "null" {
		d.KVHeads = 0 // null means as many as heads, absence the default
	}
	d.HeadSize = o.number(d.HeadSize, 1, maxHub, keyHeadSize...)
	if f.quadFF && d.FF == 0 && d.Hidden < maxHub/4 {
		d.FF = 4 * d.Hidden
	}
	d.FF = o.number(d.FF, 1, maxHub, keyFF...)
	if f.halfFF {
		d.FF /= 2
	}
	d.Tied = o.truth(d.Tied, "tie_word_embeddings")
	if act := o.activation(d.Activation); !(d.Activation == "gelu_tanh" && act == "gelu") {
		d.Activation = act // Gemma's and Bloom's files say gelu and mean its tanh form
	}
	if o.truth(false, "attention_bias") {
		d.QKVBias, d.OutBias = true, true
	}
	d.FFBias = o.truth(d.FFBias, "mlp_bias")
	if d.Layers > maxHubLayers {
		return d.Graph // which refuses it, before a list per layer is made
	}
	if d.Experts > 0 {
		o.experts(&d)
	}
	o.windows(&d)
	if f.adjust != nil {
		f.adjust(o, &d)
	}
	o.positions(&d)
	o.described = &d
	return d.Graph
}

// maxHubLayers is far above any model; zoo refuses more.
const maxHubLayers = 1 << 14

// required reports the keys that a decoder of this family cannot do without.
func (o *hubModel) required(d zoo.Decoder) {
	var keys [][]string
	for _, k := range []struct {
		def  int
		keys []string
	}{{d.Hidden, keyHidden}, {d.Layers, keyLayers}, {d.Heads, keyHeads}, {d.FF, keyFF}, {d.Words, keyWords}} {
		if k.def == 0 && !(o.family.quadFF && k.keys[0] == keyFF[0]) {
			keys = append(keys, k.keys)
		}
	}
	o.missing(keys...)
}

// positions reads how far contexts go. Rotary positions and slopes go on beyond what
// the model was trained for, which is noted; learned ones do not.
func (o *hubModel) positions(d *zoo.Decoder) {
	n := o.number(o.family.positions, 1, maxHub, keyPosition...)
	if d.Positions > 0 {
		d.Positions, d.MaxContext = n, n
		return
	}
	d.MaxContext, d.DefaultSequence = max(n, farthest), min(2048, n)
	if c := max(o.params.Context, o.params.Sequence); c > n && n > 0 {
		o.note("a context of %d is longer than the %d positions that the model was trained for", c, n)
	}
}

// farthest is how far contexts go where positions are computed.
const farthest = 1 << 24

// experts reads the experts of a family that has some.
func (o *hubModel) experts(d *zoo.Decoder) {
	d.Experts = o.number(d.Experts, 1, maxHub, keyExperts...)
	d.ActiveExperts = o.number(d.ActiveExperts, 1, maxHub, "num_experts_per_tok", "experts_per_token")
	whole := d.FF
	d.FF = o.number(d.FF, 1, maxHub, "moe_intermediate_size")
	step := o.number(1, 1, maxHub, "decoder_sparse_step")
	plain := o.numbers("mlp_only_layers")
	for i := range d.Layers {
		if (i+1)%step != 0 || slices.Contains(plain, i) {
			o.dense(d, i, whole)
		}
	}
}

// dense marks layer i as one without experts.
func (o *hubModel) dense(d *zoo.Decoder, i, width int) {
	if d.Dense == nil {
		d.Dense = make([]bool, d.Layers)
	}
	d.Dense[i], d.DenseFF = true, width
}

// windows reads the sliding windows. Layers are windowed as layer_types says, or else
// as the family does.
func (o *hubModel) windows(d *zoo.Decoder) {
	if v, ok := o.values["sliding_window"]; ok && string(v.raw) == "null" || !o.truth(!o.family.windowOff, "use_sliding_window") {
		return
	}
	w := o.number(o.family.window, 1, maxHub, "sliding_window")
	if w == 0 {
		return
	}
	period := o.number(o.family.period, 1, maxHub, "sliding_window_pattern", "_sliding_window_pattern")
	first := 0
	if o.family.windowOff { // Qwen: the layers from max_window_layers on have it
		first = o.number(28, 0, maxHub, "max_window_layers")
	}
	types := o.words("layer_types", d.Layers, "sliding_attention", "full_attention")
	if types == nil && period == 0 && first == 0 {
		d.Window = w
		return
	}
	d.Windows = make([]int, d.Layers)
	for i := range d.Windows {
		has := i >= first && (period == 0 || (i+1)%period != 0)
		if types != nil {
			has = types[i] == "sliding_attention"
		}
		if has {
			d.Windows[i] = w
		}
	}
}
