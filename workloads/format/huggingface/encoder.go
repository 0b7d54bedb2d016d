package huggingface

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Encoders of text and pictures, and T5.
func init() {
	addHub(hubFamily{positions: 512, read: (*hubModel).bert}, "bert")
	addHub(hubFamily{positions: 512, read: (*hubModel).bert}, "roberta", "xlm-roberta", "camembert")
	addHub(hubFamily{read: (*hubModel).vit}, "vit", "deit")
	addHub(hubFamily{read: (*hubModel).t5}, "t5", "mt5")
}

func (o *hubModel) bert() hubBuild {
	kind, _ := o.jsonObject.family()
	o.missing(keyHidden, keyLayers, keyHeads, keyWords)
	e := zoo.Encoder{
		Name: o.name, Layers: o.number(0, 1, maxHub, keyLayers...), Hidden: o.number(0, 1, maxHub, keyHidden...), Heads: o.number(0, 1, maxHub, keyHeads...),
		FF: o.number(0, 1, maxHub, keyFF...), Words: o.number(0, 1, maxHub, keyWords...), Positions: o.number(o.family.positions, 1, maxHub, keyPosition...),
		Types: o.number(2, 0, maxHub, "type_vocab_size"), Pooler: true, Activation: o.activation("gelu"),
	}
	if kind != "bert" {
		e.Offset = 2 // positions count from the padding index on
	}
	o.headLeftOut()
	return e.Graph
}

// headLeftOut notes the head that the architecture puts on an encoder.
func (o *hubModel) headLeftOut() {
	_, v, ok := o.find("architectures")
	if !ok {
		return
	}
	var list []string
	if json.Unmarshal(v.raw, &list) != nil || len(list) == 0 {
		return
	}
	if _, head, ok := strings.Cut(list[0], "For"); ok {
		o.note("the head for %s is left out; the encoder and its pooler run", head)
	}
}

func (o *hubModel) vit() hubBuild {
	o.missing(keyHidden, keyLayers, keyHeads)
	v := zoo.Vision{
		Name: o.name, Layers: o.number(0, 1, maxHub, keyLayers...), Hidden: o.number(0, 1, maxHub, keyHidden...), Heads: o.number(0, 1, maxHub, keyHeads...),
		FF: o.number(0, 1, maxHub, keyFF...), Image: o.number(224, 1, maxHub, "image_size"), Patch: o.number(16, 1, maxHub, "patch_size"),
		Channels: o.number(3, 1, maxHub, "num_channels"), Activation: o.activation("gelu"),
	}
	if _, a, ok := o.find("architectures"); !ok || strings.Contains(string(a.raw), "ImageClassification") {
		v.Classes = o.number(o.labels(), 1, maxHub, "num_labels")
	} else {
		v.Pooler = true
	}
	return v.Graph
}

// labels counts the classes of a head.
//
// assumption: a configuration that names none has the 1000 of ImageNet.
func (o *hubModel) labels() int {
	if _, v, ok := o.find("id2label"); ok {
		if list, err := o.object(v); err == nil && len(list.values) > 0 {
			return len(list.values)
		}
	}
	return 1000
}

func (o *hubModel) t5() hubBuild {
	kind, _ := o.jsonObject.family()
	o.missing([]string{"d_model"}, []string{"num_layers"}, []string{"num_heads"}, []string{"d_ff"}, keyWords)
	t := zoo.T5{
		Name: o.name, Layers: o.number(0, 1, maxHub, "num_layers"), Hidden: o.number(0, 1, maxHub, "d_model"), Heads: o.number(0, 1, maxHub, "num_heads"),
		HeadSize: o.number(64, 1, maxHub, "d_kv"), FF: o.number(0, 1, maxHub, "d_ff"), Words: o.number(0, 1, maxHub, keyWords...),
		Buckets: o.number(32, 1, maxHub, "relative_attention_num_buckets"), Tied: o.truth(kind == "t5", "tie_word_embeddings"),
	}
	t.Decoders = o.number(t.Layers, 1, maxHub, "num_decoder_layers")
	def := "relu"
	if kind == "mt5" {
		def = "gated-gelu"
	}
	name := o.word(def, "feed_forward_proj")
	act, gated := strings.CutPrefix(name, "gated-")
	t.Gated = gated
	if gated && act == "gelu" {
		act = "gelu_new"
	}
	fn, ok := hubActivations[act]
	if !ok {
		_, v, _ := o.find("feed_forward_proj")
		o.errs.Add(o.fault(v.at, []string{"relu", "gated-gelu", "gated-silu"}, "unknown feed_forward_proj %q", name))
	}
	t.Activation = fn
	return t.Graph
}

// numbers is a list of whole numbers, nil where there is none.
func (o *jsonObject) numbers(key string) []int {
	_, v, ok := o.find(key)
	if !ok {
		return nil
	}
	var out []int
	if json.Unmarshal(v.raw, &out) != nil {
		o.errs.Add(o.fault(v.at, nil, "%s is no list of whole numbers", key))
	}
	return out
}

// words reads a list of n words, each one of want; nil if the key is missing.
func (o *jsonObject) words(key string, n int, want ...string) []string {
	_, v, ok := o.find(key)
	if !ok {
		return nil
	}
	var out []string
	if json.Unmarshal(v.raw, &out) != nil || len(out) != n {
		o.errs.Add(o.fault(v.at, nil, "%s is no list of %d words", key, n))
		return nil
	}
	for _, w := range out {
		if !slices.Contains(want, w) {
			o.errs.Add(o.fault(v.at, want, "%s has %q", key, w))
			return nil
		}
	}
	return out
}

// nested is the object that a key holds; ok is false, and the error noted, if it is none.
func (o *jsonObject) nested(key string) (c *jsonObject, ok bool) {
	_, v, ok := o.find(key)
	if !ok {
		o.missing([]string{key})
		return nil, false
	}
	if c, err := o.object(v); err == nil {
		return c, true
	}
	o.errs.Add(o.fault(v.at, nil, "%s is %s (want an object)", key, jsonKind(v.raw)))
	return nil, false
}

// list reads a list of words; nil if the key is missing.
func (o *jsonObject) list(key string) []string {
	_, v, ok := o.find(key)
	if !ok {
		return nil
	}
	var out []string
	if json.Unmarshal(v.raw, &out) != nil {
		o.errs.Add(o.fault(v.at, nil, "%s is no list of words", key))
	}
	return out
}

// fraction is a number from 0 to 1, or def.
func (o *jsonObject) fraction(def float64, keys ...string) float64 {
	key, v, ok := o.find(keys...)
	if !ok {
		return def
	}
	var f float64
	if json.Unmarshal(v.raw, &f) != nil || !(f >= 0 && f <= 1) {
		o.errs.Add(o.fault(v.at, nil, "%s is %s (want a number from 0 to 1)", key, v.raw))
		return def
	}
	return f
}
