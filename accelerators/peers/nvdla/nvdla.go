// Package nvdla is the performance sheet of NVDLA: how many cycles a layer takes by
// its own rules. A layer takes as long as the slowest of its multipliers, its DRAM
// traffic and its reads and writes of the second memory.
//
//	c := nvdla.Large()
//	costs := c.Network(layers)
//
// A network is run in batches: weights are fetched once per batch, which is as many
// images as the second memory holds activations of.
//
// # Deviations
//
//  1. In the sheet of AlexNet the first group of layer 2 shares its weights among 16
//     images, every other layer among 18: DRAM cycles of that row are 938, here 834.
//     Its multipliers take 54,675 cycles, so that no total differs.
//
// # Sources
//
// The performance sheet that the NVDLA project published, AlexNet and
// Configuration_Input (a vendor model, not silicon).
package nvdla

import "math"

// A Config is one NVDLA. Bandwidths are in GB/s as the sheet takes them: 1,000 bytes
// of a KB, against layers in KB of 1,024.
type Config struct {
	Multipliers        float64
	MHz                float64
	DRAM               float64
	SRAMRead           float64 // of the second memory; 0: there is none
	SRAMWrite          float64
	SRAM               float64 // KB of the second memory
	FullyConnectedSize int     // images that fully connected layers are batched over
}

// Large is the configuration of the sheet: 2,048 multipliers of int8 at 1 GHz.
func Large() Config {
	return Config{Multipliers: 2048, MHz: 1000, DRAM: 10, SRAMRead: 25, SRAMWrite: 25, SRAM: 4096, FullyConnectedSize: 16}
}

// A Layer is a convolution, or a fully connected layer that covers its input. Its
// output is what is left after pooling.
type Layer struct {
	C, H, W, K, R, S, Pad, Stride int
	OutH, OutW                    int
	FullyConnected                bool
}

// A Cost is in cycles, not rounded where the sheet does not.
type Cost struct {
	MAC, DRAM, SRAMRead, SRAMWrite float64
	Cycles                         float64 // the most of them
}

func ceil(a, b int) float64 { return float64((a + b - 1) / b) }

// to16 rounds up to the 16 channels or kernels that are computed at once.
func to16(n int) float64 { return 16 * ceil(n, 16) }

// winograd reports whether a layer is computed with 4 multiplications for 9.
func (l *Layer) winograd() bool { return l.R == 3 && l.S == 3 && l.Stride == 1 }

// macCycles: channels grow by the stride in both directions, and kernels shrink by it.
func (c *Config) macCycles(l *Layer) float64 {
	h, w, s := l.H, l.W, l.Stride
	if l.Pad == 0 {
		h, w = h-l.R+1, w-l.S+1
	}
	kernels := to16(l.K)
	if l.FullyConnected {
		kernels = float64(l.K) // the sheet does not round them there
	}
	n := to16(l.C*s*s) * ceil(h, s) * ceil(w, s) * kernels * float64(l.R*l.S) / float64(s*s) / c.Multipliers
	if l.winograd() {
		n /= 2.25
	}
	return n
}

const kb = 1024

func (l *Layer) input() float64  { return float64(l.C*l.H*l.W) / kb }
func (l *Layer) output() float64 { return to16(l.K) * float64(l.OutH*l.OutW) / kb }

// weights are stored as they are used: with the stride folded into channels, and
// transformed for Winograd.
func (l *Layer) weights() float64 {
	n := to16(l.C*l.Stride*l.Stride) * ceil(l.R, l.Stride) * ceil(l.S, l.Stride) * float64(l.K) / kb
	if l.winograd() {
		n *= 16.0 / 9
	}
	return n
}

// Batch is how many images share the weights of a network: as many as the second
// memory holds the activations of, with the weights of the layer, at the layer where
// these are fewest. Fully connected layers do not count. It is 1 without that memory.
func (c *Config) Batch(layers []Layer) int {
	if c.SRAM == 0 {
		return 1
	}
	n := math.Inf(1)
	for i := range layers {
		if l := &layers[i]; !l.FullyConnected {
			n = min(n, math.Floor((c.SRAM-l.weights())/(l.input()+l.output())))
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

// Network is the cost of each layer. With a second memory activations stay there, but
// for the input of the first layer, and from the last convolution on, where fully
// connected layers gather their batch in DRAM.
func (c *Config) Network(layers []Layer) []Cost {
	batch := float64(c.Batch(layers))
	out := make([]Cost, len(layers))
	for i := range layers {
		l, x := &layers[i], &out[i]
		x.MAC = c.macCycles(l)
		share := batch
		if l.FullyConnected {
			share = float64(max(1, c.FullyConnectedSize))
		}
		dram := l.weights() / share
		first := i == 0
		last := !l.FullyConnected && c.gathers(layers, i)
		switch {
		case c.SRAM == 0:
			dram += l.input() + l.output()
		case l.FullyConnected:
			dram += l.input()
		default:
			if first {
				dram += l.input()
			}
			if last {
				dram += l.output()
			}
		}
		x.DRAM = c.cycles(dram, c.DRAM)
		if c.SRAM > 0 {
			if !first {
				x.SRAMRead = c.cycles(l.input(), c.SRAMRead)
			}
			x.SRAMWrite = c.cycles(l.output(), c.SRAMWrite)
		}
		x.Cycles = max(x.MAC, x.DRAM, x.SRAMRead, x.SRAMWrite)
	}
	return out
}

// gathers reports whether the results of convolution i go to a fully connected layer: it
// is of the last layer before one, all of whose groups count.
func (c *Config) gathers(layers []Layer, i int) bool {
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
