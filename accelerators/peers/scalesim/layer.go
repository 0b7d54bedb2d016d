package scalesim

import (
	"errors"
	"fmt"

	"github.com/causeway-sim/causeway/components/integer"
)

// A Layer is one row of a topology file: a convolution without padding. A matrix product is a
// convolution too, see GEMM. A depthwise row of the tool (a name that contains "DP") is one Layer
// of one channel, which the caller counts once per channel.
type Layer struct {
	Name             string
	H, W             int // ifmap height and width
	R, S             int // filter height and width
	C, N             int // channels, filters
	StrideH, StrideW int // the tool reads one stride and uses it for both

	// SparseN:SparseM keeps the first N of every M window elements; 0:0 and 1:1 keep all. It has
	// an effect only with Array.Sparse.
	SparseN, SparseM int
}

// GEMM returns the layer that the tool makes of a row m,n,k: k columns of the ifmap, m rows, n
// filters as long as a row.
func GEMM(name string, m, n, k int) Layer {
	return Layer{Name: name, H: m, W: k, R: 1, S: k, C: 1, N: n, StrideH: 1, StrideW: 1}
}

// Ofmap returns the height and width of the output as the tool counts it:
// ceil((H-R+stride)/stride). When the stride does not divide H-R this is one more than fits; the
// windows that hang over read nothing.
func (l Layer) Ofmap() (h, w int) {
	return integer.Ceil(l.H-l.R+l.StrideH, l.StrideH), integer.Ceil(l.W-l.S+l.StrideW, l.StrideW)
}

// MACs is the number of multiplications of the dense layer.
func (l Layer) MACs() uint64 {
	h, w := l.Ofmap()
	return uint64(h) * uint64(w) * uint64(l.N) * uint64(l.R) * uint64(l.S) * uint64(l.C)
}

// maxIfmap keeps a word's address and every count of words far from 2^63.
const maxIfmap = 1 << 40

func (l Layer) check(sparse bool) error {
	var errs []error
	wrong := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("layer %q: "+format, append([]any{l.Name}, args...)...))
	}
	for _, d := range []struct {
		name string
		v    int
	}{
		{"ifmap height", l.H}, {"ifmap width", l.W}, {"filter height", l.R}, {"filter width", l.S},
		{"channels", l.C}, {"filters", l.N}, {"stride height", l.StrideH}, {"stride width", l.StrideW},
	} {
		if d.v < 1 || d.v >= limit {
			wrong("%s is %d (want 1 to %d)", d.name, d.v, limit-1)
		}
	}
	if l.R > l.H {
		wrong("filter height %d is larger than ifmap height %d (want at most that)", l.R, l.H)
	}
	if l.S > l.W {
		wrong("filter width %d is larger than ifmap width %d (want at most that)", l.S, l.W)
	}
	if n, m := l.SparseN, l.SparseM; sparse && (n != 0 || m != 0) && (n < 1 || m < n || m >= limit) {
		wrong("sparsity is %d:%d (want N:M with 1 <= N <= M)", n, m)
	}
	if errs == nil {
		h, w := l.Ofmap()
		for _, f := range []struct {
			what string
			dims []int
			most int
		}{
			{"ofmap pixels", []int{h, w}, limit - 1}, {"window elements", []int{l.R, l.S, l.C}, limit - 1},
			{"ifmap words", []int{l.H, l.W, l.C}, maxIfmap},
		} {
			product := 1
			for _, v := range f.dims {
				if product *= v; product > f.most {
					wrong("has more than %d %s", f.most, f.what)
					break
				}
			}
		}
		if float64(h)*float64(w)*float64(l.N)*float64(l.R*l.S*l.C) > 1e17 {
			wrong("has more than 1e17 multiplications (want at most that)")
		}
	}
	return errors.Join(errs...)
}

// ratio is N:M with the default in place.
func (l Layer) ratio() (n, m int) {
	if l.SparseN == 0 {
		return 1, 1
	}
	return l.SparseN, l.SparseM
}
