package launch

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// twin launches every kernel by itself.
type twin struct{ each, host, gpu uint64 }

func (t *twin) launch(n int, cycles uint64) {
	for range n {
		t.host += t.each
		t.gpu = max(t.gpu, t.host) + cycles
	}
}

// A row of operators of several kernels each ends when it does with every kernel launched by
// itself.
func TestHostAsKernelByKernel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		each := rng.Uint64N(50)
		h, w, gpu := Host{Each: each}, twin{each: each}, uint64(0)
		for range 30 {
			n := 1 + rng.IntN(4)
			one := rng.Uint64N(120)
			gpu += h.Launch(n, gpu, one*uint64(n)) + one*uint64(n)
			w.launch(n, one)
			require.Equal(t, w.gpu, gpu)
		}
	}
}

// No kernel of a request is launched before the request has come; the host goes on with a request
// that it knows, though an operator of it is told later.
func TestNothingIsLaunchedBeforeItCame(t *testing.T) {
	h := Host{Each: 10}
	h.Came(1, 0, 100)
	require.EqualValues(t, 10, h.Launch(1, 100, 50))
	h.Came(1, 0, 160)
	require.EqualValues(t, 0, h.Launch(1, 160, 5), "launched at 120")
	h.Came(1, 1, 200)
	require.EqualValues(t, 10, h.Launch(1, 200, 5))
	var graph Host
	require.Zero(t, graph.Launch(3, 0, 1))
}
