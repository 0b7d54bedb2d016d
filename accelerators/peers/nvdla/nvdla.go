// Package nvdla computes the cycles of a layer by the rules of NVDLA's performance sheet. A layer
// takes as long as the slowest of its multipliers, its DRAM traffic, and its reads and writes of
// the second memory (SRAM).
//
//	c := nvdla.Large()
//	costs := c.Network(layers)
//
// With a second memory, weights are fetched once per batch: as many images as the memory holds
// the activations of. Left out: energy, and operators without a time in the sheet
// (Network.Apart).
//
// # Rules
//
//   - Channels, with the stride folded into them, and kernels are computed 16 at a time.
//   - A window of 3 x 3 is computed by Winograd where the machine has it: 4 multiplications for 9, and weights that
//     are 16/9 as large.
//   - Fully connected layers run a batch of images of their own against the same weights.
//   - KB of a layer are 1,024 bytes, those of a bandwidth 1,000.
//   - Without a second memory all operands and results of a layer go through DRAM. By the sheet
//     of AlexNet they do so once. With Refetch, by the sheets of GoogLeNet and ResNet-50, the
//     smaller operand is cut into pieces that fit the convolution buffer, the other operand is
//     fetched again for each piece, and images share no weights of fully connected layers.
//
// # Deviations
//
//  1. In the sheet of AlexNet the first group of layer 2 shares its weights among no more
//     images than a fully connected layer, every other layer among a whole batch: DRAM
//     cycles of that row are 938, here 834. Its multipliers take 54,675 cycles, so that no
//     total differs.
//  2. The sheets of GoogLeNet and ResNet-50 with a second memory are filled in by hand, row by
//     row: branches are merged and some rows write to DRAM. They are not reproduced; here every
//     network follows the sheet of AlexNet.
//  3. Without a second memory the sheet of ResNet-50 rounds kernels of 64 up to 128
//     (Kernels), the others to 16.
//  4. The sheet of GoogLeNet leaves weights of Winograd as they are from the second inception
//     on, and compares its input with 32 kernels to find the smaller operand. Nine of its rows
//     differ, and its total without a second memory: 1,222,071 cycles there, 1,436,840 here.
//
// # Sources
//
// NVDLA_OpenSource_Performance.xlsx, which the NVDLA project published (a vendor model,
// not silicon): Configuration Input, AlexNet, GoogLeNet, ResNet50.
package nvdla

import "math"

// A Config is an NVDLA. Bandwidths are in GB/s of KB of 1,000 bytes, while layers count KB of
// 1,024, as in the sheet.
type Config struct {
	Multipliers        float64
	MHz                float64
	DRAM               float64
	SRAMRead           float64 // of the second memory
	SRAMWrite          float64
	SRAM               float64 // KB of the second memory; 0: there is none
	FullyConnectedSize int     // images that fully connected layers are batched over
	Compression        float64 // share of the weights that compression saves
	Kernels            int     // that the multipliers take at a time; 0: 16
	Buffer             float64 // KB of the convolution buffer; of effect with Refetch
	Refetch            bool
	Winograd           bool // windows of 3 x 3 take 4 multiplications for 9
}

// Large returns the configuration of the sheet: 2,048 multipliers of int8 at 1 GHz.
func Large() Config {
	return Config{Multipliers: 2048, MHz: 1000, DRAM: 10, SRAMRead: 25, SRAMWrite: 25, SRAM: 4096, FullyConnectedSize: 16, Buffer: 512, Winograd: true}
}

// A Layer is a convolution, or a fully connected layer. OutH and OutW are the output after
// pooling.
type Layer struct {
	C, H, W, K, R, S int
	StrideH, StrideW int
	PadH, PadW       bool // the output has ceil(H / stride) rows, columns
	OutH, OutW       int
	FullyConnected   bool
	Elementwise      bool    // another tensor of the output's size is added
	Feature, Weight  float64 // bytes of an element
	Repeat           int     // equal layers, one after the other: groups, images; 0 is 1
}

// A Cost is in cycles, rounded only where the sheet rounds.
type Cost struct {
	MAC, DRAM, SRAMRead, SRAMWrite float64
	Cycles                         float64 // the most of them
	Winograd                       bool
}

// Bound names the slowest part.
func (c *Cost) Bound() string {
	switch c.Cycles {
	case c.MAC:
		return "mac"
	case c.SRAMWrite:
		return "sram_write"
	case c.DRAM:
		return "dram"
	}
	return "sram_read"
}

func ceil(a, b int) float64 { return float64((a + b - 1) / b) }

// to16 rounds up to the 16 channels or kernels that are stored at once.
func to16(n int) float64 { return 16 * ceil(n, 16) }

const kb = 1024

// folded is the channels of a layer whose stride is folded into them.
func (l *Layer) folded() float64 { return to16(l.C * l.StrideH * l.StrideW) }

// winograd reports whether a layer is computed with 4 multiplications for 9.
func (c *Config) winograd(l *Layer) bool { return c.Winograd && l.R == 3 && l.S == 3 }

// positions are where the window of a layer goes, in one direction.
func positions(size, window, stride int, padded bool) float64 {
	if !padded {
		size = size - window + 1
	}
	return ceil(size, stride)
}

func (l *Layer) input() float64 {
	return l.folded() * ceil(l.H, l.StrideH) * ceil(l.W, l.StrideW) * l.Feature / kb
}

// rows is the least bytes of input for a window, with one row of prefetch.
func (l *Layer) rows() float64 {
	return l.folded() * min(float64(l.R+1), ceil(l.H, l.StrideH)) * ceil(l.W, l.StrideW) * l.Feature / kb
}

func (l *Layer) output() float64 { return to16(l.K) * float64(l.OutH*l.OutW) * l.Feature / kb }

// kernels returns the bytes of weights of that many kernels, as stored without Winograd: with the
// stride folded into channels.
func (c *Config) kernels(l *Layer, n int) float64 {
	return l.folded() * ceil(l.R, l.StrideH) * ceil(l.S, l.StrideW) * float64(n) * l.Weight * (1 - c.Compression) / kb
}

func (c *Config) weights(l *Layer) float64 {
	n := c.kernels(l, l.K)
	if c.winograd(l) {
		n *= 16.0 / 9
	}
	return n
}

// images is how many a fully connected layer takes at a time.
func (c *Config) images(l *Layer) int {
	if l.FullyConnected {
		return max(1, c.FullyConnectedSize)
	}
	return 1
}

// macCycles: channels grow by the stride in both directions, and kernels shrink by it.
// Kernels of a fully connected layer are rounded over its batch.
func (c *Config) macCycles(l *Layer) float64 {
	at, images := c.Kernels, c.images(l)
	if at == 0 {
		at = 16
	}
	n := l.folded() * positions(l.H, l.R, l.StrideH, l.PadH) * positions(l.W, l.S, l.StrideW, l.PadW) *
		float64(at) * ceil(l.K*images, at) * float64(l.R*l.S) / float64(l.StrideH*l.StrideW) / c.Multipliers / float64(images)
	if c.winograd(l) {
		n /= 2.25
	}
	return n
}

// Batch returns the images that share the weights of a network: the fewest, over all but fully
// connected layers, whose activations fit the second memory besides the layer's weights. It is 1
// without that memory.
func (c *Config) Batch(layers []Layer) int {
	n := math.Inf(1)
	for i := range layers {
		if l := &layers[i]; c.SRAM > 0 && !l.FullyConnected {
			n = min(n, math.Floor((c.SRAM-c.weights(l))/(l.input()+l.output())))
		}
	}
	if math.IsInf(n, 1) {
		return 1
	}
	return int(max(1, n))
}

// cycles of so many KB at a bandwidth.
func (c *Config) cycles(kb, bandwidth float64) float64 {
	if kb == 0 {
		return 0
	}
	return math.Ceil(kb / bandwidth * c.MHz)
}

// Network returns the cost of each layer with all of its repetitions.
func (c *Config) Network(layers []Layer) []Cost {
	batch := c.Batch(layers)
	out := make([]Cost, len(layers))
	for i := range layers {
		l, x := &layers[i], &out[i]
		x.MAC, x.Winograd = c.macCycles(l), c.winograd(l)
		if c.SRAM > 0 {
			c.second(layers, i, batch, x)
		} else {
			x.DRAM = c.cycles(c.alone(l), c.DRAM)
		}
		n := float64(max(1, l.Repeat))
		x.MAC, x.DRAM, x.SRAMRead, x.SRAMWrite = n*x.MAC, n*x.DRAM, n*x.SRAMRead, n*x.SRAMWrite
		x.Cycles = max(x.MAC, x.DRAM, x.SRAMRead, x.SRAMWrite)
	}
	return out
}

// second is the traffic of layer i with a second memory. Activations stay there, but for
// the input of the first layer, and from the last convolution on, where fully connected
// layers gather their batch in DRAM.
func (c *Config) second(layers []Layer, i, batch int, x *Cost) {
	l, share := &layers[i], batch
	if l.FullyConnected {
		share = c.images(l)
	}
	dram := c.weights(l) / float64(share)
	if l.FullyConnected || i == 0 {
		dram += l.input()
	}
	if !l.FullyConnected && gathers(layers, i) {
		dram += l.output()
	}
	x.DRAM = c.cycles(dram, c.DRAM)
	read := 0.0
	if i > 0 {
		read = l.input()
	}
	if l.Elementwise {
		read += l.output()
	}
	x.SRAMRead = c.cycles(read, c.SRAMRead)
	x.SRAMWrite = c.cycles(l.output(), c.SRAMWrite)
}

// gathers reports whether the results of convolution i go to a fully connected layer: it
// is of the last layer before one, all of whose groups count.
func gathers(layers []Layer, i int) bool {
	for j := i + 1; j < len(layers); j++ {
		if layers[j].FullyConnected {
			return true
		}
		if layers[j] != layers[i] { // another layer, not another group of this one
			return false
		}
	}
	return false
}

// alone is the DRAM traffic of a layer without a second memory, in KB.
func (c *Config) alone(l *Layer) float64 {
	in, weights, out := l.input(), c.weights(l), l.output()
	if l.Elementwise {
		out *= 2
	}
	if !c.Refetch {
		return in + weights/float64(c.images(l)) + out
	}
	few := c.kernels(l, 32)
	if few >= c.Buffer {
		few = c.Buffer / 2
	}
	if in < weights { // the input stays, and weights pass by each piece of it
		return in + weights*passes(in, c.Buffer-few) + out
	}
	return in*passes(weights, c.Buffer-l.rows()) + weights + out
}

// passes is how many pieces of so much room something is cut into. Without room there is
// no cut that helps, and it goes through whole.
func passes(size, room float64) float64 {
	if room <= 0 || size <= room {
		return 1
	}
	return math.Ceil(size / room)
}
