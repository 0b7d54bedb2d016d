// Package onnxim computes the tiles by which ONNXim maps a matrix product onto cores with
// weight-stationary arrays: key mapping.rules: onnxim.
//
// A product is cut into equal tiles of rows x columns, multiples of the array's side. There are
// as few tiles as let the results of one, as a square, take at most a quarter of the accumulator
// memory. Cores take tiles in turn, columns first, and a core does the whole reduction of its
// tile. So a product of one tile runs on one core. Inside a tile the loops are, from the
// outermost, columns of the array's width, the reduction, rows. A fold streams all rows of the
// tile while the next weights load, and instructions follow each other without a gap: a core of
// kind systolic with both overlaps. Time is left out: that core simulates it.
//
// # Deviations
//
//  1. An instruction of ONNXim takes at least four cycles, and up to the array's rows if the next
//     one brings weights; here Min of the timing has the same effect.
//  2. ONNXim waits for whole blocks of side x side; here a core waits for pieces of a tile.
//  3. Memory is that of the configuration, not Ramulator.
//
// # Sources
//
// Ham et al., ONNXim: A Fast, Cycle-level Multi-core NPU Simulator, arXiv 2406.08051;
// Genc et al., Gemmini, DAC 2021 (the tiling it follows).
package onnxim

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/components/registry"
)

func init() {
	mapping.Peers.Add(registry.Entry[mapping.Peer]{
		Name: "onnxim", Doc: "ONNXim's tiles of a matrix product, dealt out to the cores in turn.",
		Source: "Ham et al., ONNXim, arXiv 2406.08051", New: Tiles,
	})
}

// Tiles returns the tile of an m x k by k x n product; operands and results have elements of
// bytes bytes. There are no errors.
func Tiles(m, n, k, bytes int64, c machine.Core) dma.Tile {
	side := int64(c.Array.Rows)
	blocks := int64(c.SRAM.Ofmap) / (side * side * bytes * 2)  // of results in half the accumulators
	rows := int64(c.SRAM.Ifmap+c.SRAM.Filter) / (side * bytes) // of both operands
	square := max(1, int64(math.Sqrt(float64(blocks/2))))
	depth := max(1, rows/4/side/square)
	cut := func(length, most int64) int64 {
		padded := integer.Ceil(length, side) * side
		return max(side, integer.Ceil(padded, min(padded/side, integer.Ceil(length, most*side)))/side*side)
	}
	return dma.Tile{M: cut(m, square), N: cut(n, square), K: cut(k, depth)}
}
