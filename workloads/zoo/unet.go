package zoo

import (
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

import "github.com/causeway-sim/causeway/workloads/graph"

func init() {
	register(model{
		name: "sd15_unet", build: buildUNet, ops: 1100, tensors: 1900,
		sequence: limit{77, 77, 0},     // positions of the CLIP text encoder
		image:    limit{512, 2048, 64}, // the VAE divides by 8, the UNet by another 8
		doc:      "UNet of Stable Diffusion 1.5: one denoising step of a latent picture, guided by text.",
		source:   "Rombach et al., arXiv 2112.10752, appendix E; configuration of the published v1-5 checkpoint",
	})
}

const (
	sdBase   = 320  // channels of the first level
	sdTime   = 1280 // width of the time embedding
	sdText   = 768  // width of the text embedding
	sdHeads  = 8    // in every attention, whatever its width
	sdGroups = 32   // of every group norm
)

var sdWidth = [...]int{sdBase, 2 * sdBase, 4 * sdBase, 4 * sdBase}

// unet builds the network; time and text are the same at every level.
type unet struct {
	*graph.Builder
	Params
	time, text graph.TensorID
}

func buildUNet(b *graph.Builder, p Params) {
	side := p.Image / 8
	u := unet{Builder: b, Params: p}
	x := b.Input("latent", p.Batch, 4, side, side)
	u.text = b.Input("text", p.Batch, p.Sequence, sdText)
	step := b.Input("timestep", p.Batch, 1)

	t := b.Move("time_embed.expand", "expand", step, p.Batch, sdBase)
	t = b.Elementwise("time_embed.sin", "sin_embed", t)
	t = b.Linear("time_embed.1", t, sdTime, graph.WithBias)
	t = b.Elementwise("time_embed.silu", "silu", t)
	u.time = b.Linear("time_embed.2", t, sdTime, graph.WithBias)

	x = b.Conv("conv_in", x, graph.SquareConv(sdBase, 3, 1, 1), graph.WithBias)
	skips := []graph.TensorID{x}
	for i, w := range sdWidth {
		p := "down" + number(i) + "."
		for j := range 2 {
			x = u.residual(p+"res"+number(j)+".", x, w)
			if i < 3 {
				x = u.transformer(p+"attn"+number(j)+".", x)
			}
			skips = append(skips, x)
		}
		if i < 3 {
			x = b.Conv(p+"downsample", x, graph.SquareConv(w, 3, 2, 1), graph.WithBias)
			skips = append(skips, x)
		}
	}
	x = u.residual("mid.res0.", x, sdWidth[3])
	x = u.transformer("mid.attn0.", x)
	x = u.residual("mid.res1.", x, sdWidth[3])
	for i := range sdWidth {
		w, p := sdWidth[3-i], "up"+number(i)+"."
		for j := range 3 {
			last := len(skips) - 1
			x = b.Concat(p+"res"+number(j)+".concat", 1, x, skips[last])
			skips = skips[:last]
			x = u.residual(p+"res"+number(j)+".", x, w)
			if i > 0 {
				x = u.transformer(p+"attn"+number(j)+".", x)
			}
		}
		if i < 3 {
			s := b.Shape(x)
			x = b.Move(p+"resize", "resize", x, s[0], s[1], 2*s[2], 2*s[3])
			x = b.Conv(p+"upsample", x, graph.SquareConv(w, 3, 1, 1), graph.WithBias)
		}
	}
	x = u.normSilu("norm_out", x)
	b.Output(b.Conv("conv_out", x, graph.SquareConv(4, 3, 1, 1), graph.WithBias))
}

func (u *unet) normSilu(name string, x graph.TensorID) graph.TensorID {
	return u.Elementwise(name+".silu", "silu", u.GroupNorm(name, x, sdGroups))
}

// residual adds a residual block of width w that takes the time embedding in.
func (u *unet) residual(p string, x graph.TensorID, w int) graph.TensorID {
	y := u.Conv(p+"conv1", u.normSilu(p+"norm1", x), graph.SquareConv(w, 3, 1, 1), graph.WithBias)
	t := u.Linear(p+"temb", u.Elementwise(p+"temb.silu", "silu", u.time), w, graph.WithBias)
	y = u.Add(p+"add_temb", y, u.Reshape(p+"temb.pixel", t, u.Batch, w, 1, 1))
	y = u.Conv(p+"conv2", u.normSilu(p+"norm2", y), graph.SquareConv(w, 3, 1, 1), graph.WithBias)
	if u.Shape(x)[1] != w {
		x = u.Conv(p+"shortcut", x, graph.SquareConv(w, 1, 1, 0), graph.WithBias)
	}
	return u.Add(p+"add", y, x)
}

// transformer adds self-attention, attention to the text, and a gated
// feed-forward part, between two 1x1 convolutions.
func (u *unet) transformer(p string, x graph.TensorID) graph.TensorID {
	s := u.Shape(x)
	c, pixels := s[1], s[2]*s[3]
	in := x
	x = u.Conv(p+"proj_in", u.GroupNorm(p+"norm", x, sdGroups), graph.SquareConv(c, 1, 1, 0), graph.WithBias)
	x = u.Reshape(p+"tokens", x, u.Batch, pixels, c)

	h := heads{u.Batch, pixels, pixels, sdHeads, sdHeads, c / sdHeads, masking.Mask{}, 0, 0}
	y := u.Norm(p+"norm1", "layer", x, graph.WithBias)
	qkv := h.split(u.Builder, p+"attn1.", u.Linear(p+"attn1.qkv", y, 3*c), pixels, "q", "k", "v")
	y = h.attend(u.Builder, p+"attn1.", qkv[0], qkv[1], qkv[2])
	x = u.Add(p+"add1", u.Linear(p+"attn1.out", y, c, graph.WithBias), x)

	h.keys = u.Sequence
	y = u.Norm(p+"norm2", "layer", x, graph.WithBias)
	q := h.view(u.Builder, p+"attn2.q.heads", u.Linear(p+"attn2.q", y, c), sdHeads)
	kv := h.split(u.Builder, p+"attn2.", u.Linear(p+"attn2.kv", u.text, 2*c), h.keys, "k", "v")
	y = h.attend(u.Builder, p+"attn2.", q, kv[0], kv[1])
	x = u.Add(p+"add2", u.Linear(p+"attn2.out", y, c, graph.WithBias), x)

	y = u.Norm(p+"norm3", "layer", x, graph.WithBias)
	y = u.Linear(p+"ff.geglu", y, 8*c, graph.WithBias)
	value := u.Tensor(p+"ff.value", graph.Activation, u.Batch, pixels, 4*c)
	gate := u.Tensor(p+"ff.gate", graph.Activation, u.Batch, pixels, 4*c)
	u.Into(p+"ff.halves", graph.Move{Func: "split"}, []graph.TensorID{y}, value, gate)
	y = u.Mul(p+"ff.mul", value, u.Elementwise(p+"ff.gelu", "gelu", gate))
	x = u.Add(p+"add3", u.Linear(p+"ff.out", y, c, graph.WithBias), x)

	x = u.Reshape(p+"picture", x, u.Batch, c, s[2], s[3])
	x = u.Conv(p+"proj_out", x, graph.SquareConv(c, 1, 1, 0), graph.WithBias)
	return u.Add(p+"add", x, in)
}
