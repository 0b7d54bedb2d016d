package tracetest

import (
	"fmt"

	"github.com/causeway-sim/causeway/memory/policy"
)

// A GEMM is C[M,N] = A[M,K] B[K,N], computed tile by tile; every dimension is a
// multiple of its tile, and a tile fills whole lines.
type GEMM struct {
	M, K, N    uint64
	Tm, Tk, Tn uint64
	Bytes      uint64 // per element
}

// Tiled is the trace of one core: for each tile of C, rows first, the tiles of A and B along K are
// read, then the tile of C is written. Each tile has its own lines. There are
//
//	(MK ceil(N/Tn) + KN ceil(M/Tm) + MN) Bytes/64
//
// accesses.
func Tiled(g GEMM) (Trace, error) {
	for _, d := range []struct {
		name    string
		n, tile uint64
	}{{"M", g.M, g.Tm}, {"K", g.K, g.Tk}, {"N", g.N, g.Tn}} {
		if d.tile == 0 || d.n == 0 || d.n%d.tile != 0 {
			return Trace{}, fmt.Errorf("gemm: %s is %d in tiles of %d (want a multiple)", d.name, d.n, d.tile)
		}
	}
	a, b, c := g.Tm*g.Tk*g.Bytes, g.Tk*g.Tn*g.Bytes, g.Tm*g.Tn*g.Bytes
	if a%lineBytes != 0 || b%lineBytes != 0 || c%lineBytes != 0 || c == 0 {
		return Trace{}, fmt.Errorf("gemm: tiles of %d, %d and %d bytes (want multiples of %d)", a, b, c, lineBytes)
	}
	sizeA, sizeB, sizeC := g.M*g.K*g.Bytes, g.K*g.N*g.Bytes, g.M*g.N*g.Bytes
	t := Trace{Name: "gemm", Cores: 1, Tensors: []policy.Tensor{
		{Base: 0, Bytes: sizeA, Tile: a, Uses: uint32(g.N / g.Tn), Kind: policy.Activation},
		{Base: sizeA, Bytes: sizeB, Tile: b, Uses: uint32(g.M / g.Tm), Kind: policy.Weight},
		{Base: sizeA + sizeB, Bytes: sizeC, Tile: c, Uses: 1, Kind: policy.Output, WriteOnce: true},
	}}
	t.each = func(yield func(policy.Access) bool) bool {
		tile := func(tensor uint16, index, bytes uint64) bool {
			first := t.Tensors[tensor-1].Base/lineBytes + index*bytes/lineBytes
			for i := range bytes / lineBytes {
				if !yield(policy.Access{Line: first + i, PC: pcMain + 16*uint64(tensor), Tensor: tensor, Write: tensor == 3}) {
					return false
				}
			}
			return true
		}
		mt, kt, nt := g.M/g.Tm, g.K/g.Tk, g.N/g.Tn
		for m := range mt {
			for n := range nt {
				for k := range kt {
					if !tile(1, m*kt+k, a) || !tile(2, k*nt+n, b) {
						return false
					}
				}
				if !tile(3, m*nt+n, c) {
					return false
				}
			}
		}
		return true
	}
	return t, nil
}
