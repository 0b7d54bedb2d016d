// Package mapping decides how a systolic core executes an operator: which tiles
// of it are on the chip when, what moves between memory and the buffers, and how
// long the array works. It shares the work out over several cores. It has no
// clock and no ports; the node accelerators/systolic gives the plan its time.
//
// # Rooms
//
// This package shares operators over cores, fuses them, and decides what stays on the chip.
// What it decides about is in packages of their own, each of which knows only those above it:
//
//	dma        transfers, steps and their counts, as data
//	machine    what a mapping may know of a core and of the memory below
//	layout     how activations lie in memory
//	product    a product or a share of one: its shape, and the transfers of its parts
//	walk       the time of steps, one by one
//	tile       the search of tiles and loops for a product
//	attention  the search of blocks for an attention
//	vector     parts of the work of the vector unit
//
// # A plan
//
// A matrix product (a convolution is seen as one, graph.Op.Matrix) is divided
// into memory tiles of m x n x k, gone through by three loops in one of six
// orders, product after product of a batch. A tile of an operand stays in its
// buffer until another tile of it is needed. Partial sums stay at accumulator
// width while the k loop is the innermost one that turns; else they spill to
// scratch memory and come back, at that width. Results leave at the width of
// the output tensor.
//
// Each SRAM is double-buffered: a tile takes at most half of it. The ofmap buffer
// holds a tile at accumulator width. Biases have a small memory of their own,
// which holds those of an operator: they are read once, and a tile size is not
// chosen to save a few bytes of bias at the price of more folds.
//
// Inside a tile the array goes through its folds (accelerators/dataflow); a tile
// is fed in up to 16 pieces (Steps), fold by fold or by parts of a fold, so that
// the first piece can start before all of the tile is there. Pieces move no more
// and compute no longer. Tiles that follow each other through the same single
// fold pay its filling once.
//
//	p, err := mapping.Map(op, g, core, "traffic")
//	for step := range p.All() {
//		// step.Loads, step.Cycles, step.Stores
//	}
//
// # The search
//
// The candidates are all combinations of tile sizes, loop orders and products per
// tile. The sizes of an axis are, for each number of tiles, the least size that
// gives so many, also rounded up to fill the array; from 64 tiles and 64
// elements on, numbers of tiles grow by 3%. The set depends on the shape and the
// sides of the array alone; capacity only rules candidates out; and the bytes of
// a candidate depend on nothing but the candidate. So a smaller buffer never
// lowers the traffic. Bytes of one candidate are the exact sum of its Transfers.
// "traffic" takes the least bytes, then the least cycles of array or vector unit,
// then the fewest tiles, then a fixed order; "cycles" swaps the first two.
//
// "time" takes the least time of array and memory in parallel, first load and last
// store included (tile/time.go), computed with the nominal bandwidth and latency of the
// memory below the core (Memory). It goes through a part of the candidates, from the
// one of least traffic on, and decides too whether tiles are fed in pieces or whole:
// pieces begin earlier, and cut rows into short requests. The best of it meets the best of
// "traffic" and of "cycles", and those of the second way of weights into the array
// (machine/gemv.go), those of other orders of the loops and those on parts of the array, in a final
// (tile/final.go): their steps are walked one by one (package walk), where they are few, and the shortest
// walk wins. Where the winner is not within 1% of what the array or the memory need at the least,
// its neighbours are walked too. Over 120 random products the walk is 0.2% off the machine on
// average.
//
// # Convolutions
//
// A tile covers whole images, or rows of one image, or columns of one row;
// channels (with all kernel positions); filters. Input rows that two tiles in a
// row share stay in the buffer if the rows follow each other directly, else they
// are read again, as are shared columns. Padding is not read. Rows and columns
// that a stride skips are read, rows excepted where the kernel has one row and the rows alone take less time (a request each).
// Grouped convolutions go group by group, and so do heads; products that are
// small against the array lie in it together, as a block diagonal or along one side
// (tile/packing.go): 14 channels of a 3x3 depthwise layer in ws on 128 x 128, 128 in os along the
// columns, 14 in is along the rows. Transposed
// convolutions multiply input pixels by all kernel positions and add overlapping
// results in the ofmap buffer, which holds the rows that are not complete.
// Products that share B (grouped queries) are one product of more rows.
//
// # Layout in memory
//
// Activations are dense in the order of their shape, or as Spec.Layout says (package layout).
// Weights lie in the order in
// which the plan reads them: they can be arranged before the run. Keys and values
// (and other activations used as B) lie as their tensor says, rows of K x N or of
// N x K, and are read in strides.
//
// # Vector work
//
// Everything else streams through the ifmap and ofmap buffers in parts. Rows of a
// softmax or norm that do not fit are read twice; scales and shifts that do not
// fit are read again with every row. Elementwise operators of one
// operand that alone read the result of a matrix operator are fused: applied by
// the vector unit on the way out, which a step then waits for if it takes longer
// than the array. A batch norm after a convolution is folded into its weights
// and bias.
//
// # Several cores
//
// Split shares each operator out evenly, remainders to the first cores: layer
// (runs of operators of about equal work), batch (images or requests; what cannot
// be divided runs on core 0), head (products of attention by head, the rest by
// column), column (filters or columns; groups of a grouped convolution), row
// (output rows; transposed convolutions by column), auto (each operator by the grid of
// products x images x rows x columns of the least estimated time, divide.go; operands
// that equal cores share are fetched once, multicast.go; few results of long sums are made by
// cores that each take a part of the sum, sum.go). A request of any core counts as a thirty-second of a
// cycle besides the time, so that auto leaves cores idle whose parts would be shorter than bursts.
// What several cores make counts two latencies more, since results of one core alone may stay on the chip;
// vector work and attention go to fewer cores too where these take no longer. Behind a cache all cores work. Layer with micro-batches is a
// pipeline (pipeline.go). Vector work is divided evenly. A core waits for the shares that others did of the operators it reads
// from: all of them, except that batch shares wait only where something was not
// divided.
//
// # Attention
//
// An operator of kind graph.Attention is a loop over heads, blocks of queries and blocks
// of keys (package attention); scores, softmax and weighted sum of three blocks in a row are
// under way at once. Scores stay on the chip. Statistics of the softmax and sums of a
// block of queries do too; keys and values if those that a block of queries sees fit into
// half of the filter buffer. The search tries sizes of blocks in equal parts, multiples of the array's
// side and what the buffers just hold (accelerators/mapping/block), on the whole array and on parts of
// it, and with the query heads that share keys in equal parts, one after the other. As with products,
// the best loops by the closed form are walked. Over 200 random attentions, no rule that fixes a block,
// another objective or gemv none is over 1.004 times as fast, and no half over 1.004.
//
// # On chip
//
// With Core.OnChip more operators leave with the product that they follow (epilogue.go),
// where that is no slower than to carry them out apart (epilogue_choice.go), and results stay in what two tiles of every operand leave free of the buffers
// (onchip.go). Tiles are chosen first, as if nothing stayed. Of a batch on one core they are then chosen anew for
// what stays, and smaller where that makes room for more (room.go), and a batch may go through
// the first operators in slices, whose results fit where those of the batch do not (slice.go).
//
// # Left out
//
// Norms on the way out but for their statistics (norms.go; a tile has no whole rows), smaller tiles that would leave room for
// results (on several cores, or of one image), results of which a part stays, sparsity, tiles of different sizes within an
// operator, halo rows of a pooling that is shared by rows. Elements of less than a byte: tiles begin at even elements,
// rows of odd length at the byte before, and tiles are not fed in pieces.
//
// # Sources
//
// Loop orders and reuse: Yang et al., Interstellar, ASPLOS 2020, section 3; Chen
// et al., Eyeriss, ISCA 2016. im2col and its input-oriented twin: Dumoulin and
// Visin, arXiv 1603.07285. Folding: Jacob et al., CVPR 2018, section 3.2.
package mapping
