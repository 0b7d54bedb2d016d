// Package onnxim has the rules by which ONNXim maps a matrix product onto cores with
// weight-stationary arrays: mapping.rules: onnxim.
//
// A product is cut into equal tiles of rows x columns, multiples of the array's side,
// as few as let a tile of results fit into half of the accumulator memory as a square;
// tiles go to the cores in turn, columns running faster, and a core does all of the
// reduction of its tile. So a product of one tile runs on one core, whatever there are.
// Inside a tile columns of the array's width are gone through from the outside, then
// the reduction, then rows: a fold streams all rows of the tile, weights of the next one
// load meanwhile, and an instruction of some rows follows right after the one before.
// That is a core of this project with both overlaps.
//
// # Deviations
//
//  1. ONNXim pays at least four cycles for an instruction and up to the array's rows
//     where the next one brings weights; ours the same by the Min of the timing.
//  2. Its data wait for whole blocks of side x side; ours for pieces of a tile.
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
	"github.com/causeway-sim/causeway/components/registry"
)

func init() {
	mapping.Peers.Add(registry.Entry[mapping.Peer]{
		Name: "onnxim", Doc: "ONNXim's tiles of a matrix product, dealt out to the cores in turn.",
		Source: "Ham et al., ONNXim, arXiv 2406.08051", New: Tiles,
	})
}

// Tiles is the size of the tiles of an m x k by k x n product whose elements have so many
// bytes. The accumulator memory holds results of that width; half of it is for the next
// tile.
func Tiles(m, n, k, bytes int64, c mapping.Core) mapping.Tile {
	side := int64(c.Array.Rows)
	blocks := int64(c.SRAM.Ofmap) / (side * side * bytes * 2)  // of results in half the accumulators
	rows := int64(c.SRAM.Ifmap+c.SRAM.Filter) / (side * bytes) // of both operands
	square := max(1, int64(math.Sqrt(float64(blocks/2))))
	depth := max(1, rows/4/side/square)
	cut := func(length, most int64) int64 {
		padded := ceil(length, side) * side
		return max(side, ceil(padded, min(padded/side, ceil(length, most*side)))/side*side)
	}
	return mapping.Tile{M: cut(m, square), N: cut(n, square), K: cut(k, depth)}
}

func ceil(a, b int64) int64 { return (a + b - 1) / b }
