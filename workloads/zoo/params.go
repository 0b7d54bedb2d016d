package zoo

import (
	"errors"
	"fmt"
	"strings"
)

// The phases of a decoder model.
const (
	Prefill = "prefill" // all tokens of a request at once
	Decode  = "decode"  // one token per request
)

// Params are the free sizes of a model. Zero means the model's default. A parameter that the model
// does not have is an error; the Spec of its registry entry lists those it has.
type Params struct {
	Batch    int    `yaml:"batch"`    // images or requests, 1 to 4096
	Sequence int    `yaml:"sequence"` // tokens per request
	Context  int    `yaml:"context"`  // cache entries read per request, the new tokens included
	Phase    string `yaml:"phase"`    // prefill or decode
	Image    int    `yaml:"image"`    // height and width in pixels
	Experts  Draw   `yaml:"-"`        // how tokens fall on the experts of a mixture
	// Groups is a batch of different requests, in place of the four sizes above; for decoders.
	Groups []Group `yaml:"-"`
	// Only lists the layers of a decoder to build; nil: all. To measure the time of layers, each
	// kind of layer is needed once.
	Only []int `yaml:"-"`
	// Routed leaves the experts of a mixture out, but for their router: they are priced apart.
	Routed bool `yaml:"-"`
}

// A Group is a number of equal requests of a batch: each runs Tokens tokens and attends to Context
// entries, its own tokens included. If Sample is set the last token of each gets its logits.
type Group struct {
	Requests, Tokens, Context int
	Sample                    bool
}

// tokens is how many tokens a batch runs, and how many of them get logits.
func tokens(groups []Group) (all, sampled int) {
	for _, g := range groups {
		all += g.Requests * g.Tokens
		if g.Sample {
			sampled += g.Requests
		}
	}
	return all, sampled
}

// FixedSpec are the parameters of a model whose input size is fixed.
type FixedSpec struct {
	Batch int `yaml:"batch" jsonschema:"minimum=1,maximum=4096,description=Images"`
}

// ImageSpec are the parameters of a vision model.
type ImageSpec struct {
	Batch int `yaml:"batch" jsonschema:"minimum=1,maximum=4096,description=Images"`
	Image int `yaml:"image" jsonschema:"minimum=1,description=Height and width in pixels"`
}

// EncoderSpec are the parameters of an encoder of text.
type EncoderSpec struct {
	Batch    int `yaml:"batch" jsonschema:"minimum=1,maximum=4096,description=Requests"`
	Sequence int `yaml:"sequence" jsonschema:"minimum=1,description=Tokens per request"`
}

// DecoderSpec are the parameters of a language model.
type DecoderSpec struct {
	Batch    int    `yaml:"batch" jsonschema:"minimum=1,maximum=4096,description=Requests"`
	Sequence int    `yaml:"sequence" jsonschema:"minimum=1,description=Tokens per request in prefill; in decode the default of context"`
	Context  int    `yaml:"context" jsonschema:"minimum=0,description=Cache entries read per request with those of the new tokens; 0: as sequence"`
	Phase    string `yaml:"phase" jsonschema:"enum=prefill,enum=decode,description=All tokens of a request at once or one per request"`
}

// DiffusionSpec are the parameters of a text-to-image denoiser.
type DiffusionSpec struct {
	Batch    int `yaml:"batch" jsonschema:"minimum=1,maximum=4096,description=Latent pictures; guidance needs two per picture"`
	Sequence int `yaml:"sequence" jsonschema:"minimum=1,description=Tokens of the prompt"`
	Image    int `yaml:"image" jsonschema:"minimum=64,description=Height and width of the picture in pixels"`
}

// maxBatch keeps every count of every model far from 2^63.
const maxBatch = 4096

// A limit is what a size may be.
type limit struct{ def, max, multiple int }

func (m model) spec() any {
	switch {
	case m.decoder:
		return DecoderSpec{Batch: 1, Sequence: m.sequence.def, Phase: Prefill}
	case m.sequence.max > 0 && m.image.max > 0:
		return DiffusionSpec{Batch: 1, Sequence: m.sequence.def, Image: m.image.def}
	case m.sequence.max > 0:
		return EncoderSpec{Batch: 1, Sequence: m.sequence.def}
	case m.image.max > 0:
		return ImageSpec{Batch: 1, Image: m.image.def}
	}
	return FixedSpec{Batch: 1}
}

// keys are the parameters of the model in the order of Params.
func (m model) keys() []string {
	keys := []string{"batch"}
	if m.sequence.max > 0 {
		keys = append(keys, "sequence")
	}
	if m.decoder {
		keys = append(keys, "context", "phase")
	}
	if m.image.max > 0 {
		keys = append(keys, "image")
	}
	return keys
}

// resolve checks p and fills in defaults. Sequence is then the number of tokens
// that run, and Context the number of entries that they attend to.
func (m model) resolve(p Params) (Params, error) {
	var errs []error
	errorf := func(format string, a ...any) { errs = append(errs, fmt.Errorf(m.name+": "+format, a...)) }
	lacks := func(key string) {
		errorf("has no parameter %s (want one of: %s)", key, strings.Join(m.keys(), ", "))
	}
	size := func(key string, v *int, l limit) {
		switch {
		case l.max == 0 && *v != 0:
			lacks(key)
		case l.max == 0:
		case *v == 0:
			*v = l.def
		case *v < 1 || *v > l.max:
			errorf("%s is %d (want 1 to %d)", key, *v, l.max)
		case l.multiple > 1 && *v%l.multiple != 0:
			errorf("%s is %d (want a multiple of %d)", key, *v, l.multiple)
		}
	}
	if p.Groups != nil {
		return m.resolveGroups(p)
	}
	size("batch", &p.Batch, limit{def: 1, max: maxBatch})
	size("sequence", &p.Sequence, m.sequence)
	size("image", &p.Image, m.image)
	if !m.decoder {
		size("context", &p.Context, limit{})
		if p.Phase != "" {
			lacks("phase")
		}
		return p, errors.Join(errs...)
	}
	size("context", &p.Context, limit{def: p.Sequence, max: m.sequence.max})
	switch p.Phase {
	case Decode:
		if !m.crossed {
			p.Sequence = 1
		}
	case "", Prefill:
		if len(errs) == 0 && p.Context < p.Sequence {
			errorf("context is %d in a prefill of %d tokens (want at least as many)", p.Context, p.Sequence)
		}
	default:
		errorf("phase is %q (want one of: %s, %s)", p.Phase, Prefill, Decode)
	}
	return p, errors.Join(errs...)
}

// resolveGroups checks a batch of unlike requests. One group alone is a batch like any
// other; several stand one after the other in a sequence.
func (m model) resolveGroups(p Params) (Params, error) {
	if !m.grouped {
		return p, fmt.Errorf("%s: takes no batches of unlike requests (want a decoder of the LLaMA kind)", m.name)
	}
	if p.Batch != 0 || p.Sequence != 0 || p.Context != 0 || p.Phase != "" {
		return p, fmt.Errorf("%s: groups stand in place of batch, sequence, context and phase", m.name)
	}
	var errs []error
	for i, g := range p.Groups {
		if g.Requests < 1 || g.Tokens < 1 || g.Context < g.Tokens || g.Context > m.sequence.max || g.Requests > maxTokens/g.Tokens {
			errs = append(errs, fmt.Errorf("%s: group %d is %d requests of %d tokens that attend to %d entries (want at most %d entries, and %d tokens in all)", m.name, i, g.Requests, g.Tokens, g.Context, m.sequence.max, maxTokens))
		}
		p.Context = max(p.Context, g.Context)
	}
	if err := errors.Join(errs...); err != nil {
		return p, err
	}
	p.Batch = 1
	if p.Sequence, _ = tokens(p.Groups); p.Sequence < 1 || p.Sequence > maxTokens {
		return p, fmt.Errorf("%s: a batch of %d tokens (want 1 to %d)", m.name, p.Sequence, maxTokens)
	}
	if len(p.Groups) == 1 {
		p.Batch, p.Sequence = p.Groups[0].Requests, p.Groups[0].Tokens
	}
	return p, nil
}

// maxTokens bounds the tokens of a batch of unlike requests.
const maxTokens = 1 << 24
