package synthetic

import (
	"errors"
	"fmt"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// Product is C[M,N] = A[M,K] B[K,N] on several cores, by tiles of C, columns first. For each tile
// of C the tiles of A and B along K are read, then the tile is written. If C is split by columns
// all cores read all of A, by rows all of B.
type Product struct {
	M       int         `yaml:"m" jsonschema:"minimum=1" doc:"Rows of A and C: tokens"`
	K       int         `yaml:"k" jsonschema:"minimum=1" doc:"Columns of A, rows of B"`
	N       int         `yaml:"n" jsonschema:"minimum=1" doc:"Columns of B and C"`
	TileM   int         `yaml:"tile_m" jsonschema:"minimum=1" doc:"Rows of a tile of C"`
	TileK   int         `yaml:"tile_k" jsonschema:"minimum=1" doc:"Depth of a tile of A and B"`
	TileN   int         `yaml:"tile_n" jsonschema:"minimum=1" doc:"Columns of a tile of C"`
	Element units.Bytes `yaml:"element" doc:"Size of an element"`
	Cores   int         `yaml:"cores" jsonschema:"minimum=1" doc:"Cores that share the layer"`
	Split   string      `yaml:"split" jsonschema:"enum=column,enum=row" doc:"Tiles of C go to cores by column or by row"`
}

// DefaultProduct is the first projection of the feed-forward part of LLaMA-3 8B.
func DefaultProduct() Product {
	return Product{M: 1024, K: 4096, N: 14336, TileM: 128, TileK: 512, TileN: 128, Element: 2, Cores: 4, Split: "column"}
}

func init() {
	Layers.Add(registry.Entry[func(any) Layer]{
		Name:   "gemm",
		Doc:    "A matrix product, tile of the result by tile, whose columns or rows are spread over cores.",
		Source: "none: arithmetic, see the package's doc",
		Spec:   DefaultProduct(),
		New:    func(spec any) Layer { p := spec.(Product); return &p },
	})
}

// Check implements Layer.
func (p *Product) Check() error {
	var errs []error
	for _, d := range []struct {
		name    string
		n, tile int
	}{{"m", p.M, p.TileM}, {"k", p.K, p.TileK}, {"n", p.N, p.TileN}} {
		if d.n < 1 || d.tile < 1 || d.n%d.tile != 0 {
			errs = append(errs, fmt.Errorf("%s is %d in tiles of %d (want a multiple)", d.name, d.n, d.tile))
		}
	}
	if p.Element < 1 || p.Element > 8 {
		errs = append(errs, fmt.Errorf("element is %s (want 1B to 8B)", p.Element))
	}
	if p.Split != "column" && p.Split != "row" {
		errs = append(errs, fmt.Errorf("split is %q (want one of: column, row)", p.Split))
	}
	if p.Cores < 1 {
		errs = append(errs, fmt.Errorf("cores is %d (want 1 or more)", p.Cores))
	} else if n := p.axis(); len(errs) == 0 && n%p.Cores != 0 {
		errs = append(errs, fmt.Errorf("%d %ss of tiles for %d cores (want a multiple)", n, p.Split, p.Cores))
	}
	return errors.Join(errs...)
}

// axis is the tiles along the axis that is split.
func (p *Product) axis() int {
	if p.Split == "row" {
		return p.M / p.TileM
	}
	return p.N / p.TileN
}

// On implements Layer.
func (p *Product) On() int { return p.Cores }

// tileBytes of A, B and C.
func (p *Product) tileBytes() (a, b, c uint64) {
	e := uint64(p.Element)
	return uint64(p.TileM) * uint64(p.TileK) * e, uint64(p.TileK) * uint64(p.TileN) * e, uint64(p.TileM) * uint64(p.TileN) * e
}

// Tensors implements Layer: A, B and C, stored tile by tile.
func (p *Product) Tensors() []trace.Tensor {
	a, b, c := p.tileBytes()
	mt, kt, nt := uint64(p.M/p.TileM), uint64(p.K/p.TileK), uint64(p.N/p.TileN)
	aShare, bShare := uint32(p.Cores), uint32(1)
	if p.Split == "row" {
		aShare, bShare = 1, uint32(p.Cores)
	}
	return lay([]trace.Tensor{
		{Name: "a", Kind: graph.Activation, Bytes: mt * kt * a, Tile: a, Accesses: uint32(nt), Sharers: aShare},
		{Name: "b", Kind: graph.Weight, Bytes: kt * nt * b, Tile: b, Accesses: uint32(mt), Sharers: bShare},
		{Name: "c", Kind: graph.Output, Bytes: mt * nt * c, Tile: c, Accesses: 1, Sharers: 1, WriteOnce: true},
	})
}

// At implements Layer.
func (p *Product) At(core int, i uint64) (Block, bool) {
	mt, kt, nt := uint64(p.M/p.TileM), uint64(p.K/p.TileK), uint64(p.N/p.TileN)
	step, i := i%(2*kt+1), i/(2*kt+1)
	rows, cols := mt, nt
	if p.Split == "row" {
		rows /= uint64(p.Cores)
	} else {
		cols /= uint64(p.Cores)
	}
	n, m := i%cols, i/cols
	if m >= rows {
		return Block{}, false
	}
	if p.Split == "row" {
		m = m*uint64(p.Cores) + uint64(core)
	} else {
		n = n*uint64(p.Cores) + uint64(core)
	}
	a, b, c := p.tileBytes()
	k := step / 2
	switch {
	case step == 2*kt:
		return Block{Tensor: 2, Offset: (m*nt + n) * c, Bytes: c, Write: true, Stream: 2}, true
	case step%2 == 0:
		return Block{Tensor: 0, Offset: (m*kt + k) * a, Bytes: a, Stream: 0}, true
	}
	return Block{Tensor: 1, Offset: (n*kt + k) * b, Bytes: b, Stream: 1}, true
}
