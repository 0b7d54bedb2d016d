package systolic

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// A batchCase is a core that keeps results on the chip, and a network for it.
type batchCase struct {
	model       string
	image, side int
	sequence    int
	kib         units.Bytes // of each buffer
	bytesPerNs  uint64
}

// run carries out a batch at a fidelity. The core plans with the memory below it.
func (c batchCase) run(t require.TestingT, fidelity string, batch int) (cycles uint64, of []row, slices int) {
	g, err := zoo.Build(c.model, zoo.Params{Image: c.image, Batch: batch, Sequence: c.sequence})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	b := defaultBench()
	b.spec.SRAM = machine.SRAM{Ifmap: c.kib << 10, Filter: c.kib << 10, Ofmap: c.kib << 10}
	b.spec.Rows, b.spec.Cols, b.spec.OnChip = c.side, c.side, "all"
	b.mem.Bandwidth = units.Bandwidth(c.bytesPerNs * 8e9)
	_, k := b.build(t, fidelity)
	programs, err := mapping.Split(g, []machine.Core{k.(work.Mappable).Core(graph.Uniform(graph.Int8))}, mapping.DefaultSpec())
	require.NoError(t, err)
	w := shareOf(t, g, b.spec)
	w.Program = programs[0]
	macs, slices := int64(0), 1
	for i := range w.Program.Jobs {
		macs += w.Program.Jobs[i].Plan.MACs
		slices = max(slices, int(w.Program.Jobs[i].Part)+1)
	}
	require.Equal(t, g.MACs(), macs)
	k, of = b.network(t, fidelity, w)
	return k.inside().free, of, slices
}

// A batch takes no longer than its two halves, one after the other, within 2%: where its results do
// not fit on the chip it goes through the first layers in slices. Both fidelities agree in every cycle
// and cause, and the slices do all of the work. CAUSEWAY_TRIALS is how many cases are drawn; with -short it is
// one small network.
func TestABatchIsNoSlowerThanItsHalves(t *testing.T) {
	if testing.Short() {
		c := batchCase{"mobilenet_v1", 32, 32, 0, 16, 2}
		half, _, _ := c.run(t, "analytic", 1)
		cycles, analytic, slices := c.run(t, "analytic", 2)
		require.LessOrEqual(t, float64(cycles), 1.02*float64(2*half))
		require.Greater(t, slices, 1)
		_, tile, _ := c.run(t, "tile", 2)
		require.Equal(t, analytic, tile)
		return
	}
	r := rand.New(rand.NewPCG(25, 1))
	models := []string{"resnet18", "resnet50", "mobilenet_v1", "alexnet", "vgg16"}
	images := []int{64, 64, 128, 224}
	sliced := 0
	for n := range slicedTrials(t, 3) {
		c := batchCase{models[r.IntN(len(models))], images[r.IntN(len(images))], 16 << (1 + r.IntN(3)), 0, 64 << r.IntN(7), 1 << r.IntN(8)}
		if c.model == "alexnet" || c.model == "vgg16" {
			c.image = 0 // of a size of its own
		}
		half, _, _ := c.run(t, "analytic", 1)
		for batch := 2; batch <= 16; batch *= 2 {
			cycles, analytic, slices := c.run(t, "analytic", batch)
			ratio := float64(cycles) / float64(2*half)
			t.Logf("%d %+v batch %d: %d slices, %d cycles, %.3f of two halves", n, c, batch, slices, cycles, ratio)
			assert.LessOrEqual(t, ratio, 1.02, "%+v batch %d", c, batch)
			if slices > 1 {
				if sliced++; sliced == 1 {
					_, tile, _ := c.run(t, "tile", batch)
					require.Equal(t, analytic, tile)
				}
			}
			half = cycles
		}
	}
	require.NotZero(t, sliced)
}

// slicedTrials is how many random cases a test tries: CAUSEWAY_TRIALS, else few.
func slicedTrials(t *testing.T, few int) int {
	text := os.Getenv("CAUSEWAY_TRIALS")
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, "CAUSEWAY_TRIALS is no number")
	return n
}

// More of the buffers never makes a batch slower by over 1%: a larger buffer may use the tiles of a smaller
// one, and keep more results. The first case lost 2.7% while tiles were chosen as if nothing stayed.
// CAUSEWAY_TRIALS is how many cases are drawn, and CAUSEWAY_LONG draws 40 and tries more sizes.
func TestABatchIsNoSlowerWithLargerBuffers(t *testing.T) {
	if testing.Short() {
		t.Skip("what the mapper chooses for whole networks")
	}
	r := rand.New(rand.NewPCG(25, 2))
	models := []string{"mobilenet_v1", "resnet18", "resnet50", "deit_t", "alexnet"}
	cases, batches := []batchCase{{"mobilenet_v1", 64, 32, 0, 256, 2}}, []int{4}
	few, sizes := 1, []units.Bytes{4, 8, 16, 32} // sizes in quarters of the first
	if os.Getenv("CAUSEWAY_LONG") != "" {
		few, sizes = 40, []units.Bytes{4, 6, 8, 12, 16, 24, 32}
	}
	for range slicedTrials(t, few) {
		c := batchCase{models[r.IntN(len(models))], 64 << r.IntN(2), 16 << (1 + r.IntN(3)), 0, 64 << r.IntN(4), 1 << r.IntN(7)}
		if c.model == "alexnet" || c.model == "deit_t" {
			c.image = 0
		}
		cases, batches = append(cases, c), append(batches, 1<<r.IntN(5))
	}
	for n, c := range cases {
		first, best := c.kib, uint64(0)
		for _, quarters := range sizes {
			c.kib = first * quarters / 4
			cycles, _, slices := c.run(t, "analytic", batches[n])
			if best == 0 {
				best = cycles
			}
			ratio := float64(cycles) / float64(best)
			t.Logf("%d %+v batch %d: %d slices, %d cycles, %.4f of the best with less", n, c, batches[n], slices, cycles, ratio)
			assert.LessOrEqual(t, ratio, 1.01, "%+v batch %d", c, batches[n])
			best = min(best, cycles)
		}
	}
}

// A larger array is no slower: it may use the tiles of a smaller one where those leave room for results that
// stay. BERT took 5.9% longer with 144 rows and columns than with 128 while tiles of one image were chosen as if
// nothing stayed.
func TestALargerArrayIsNoSlower(t *testing.T) {
	if testing.Short() {
		t.Skip("what the mapper chooses for whole networks")
	}
	for _, c := range []batchCase{{model: "bert_base", sequence: 100, kib: 256, bytesPerNs: 400}, {model: "deit_s", kib: 256, bytesPerNs: 400}} {
		best := uint64(0)
		for _, side := range []int{128, 144, 160, 192, 256} {
			c.side = side
			cycles, _, _ := c.run(t, "analytic", 1)
			if best == 0 {
				best = cycles
			}
			ratio := float64(cycles) / float64(best)
			t.Logf("%s on %d: %d cycles, %.4f of the best with less", c.model, side, cycles, ratio)
			assert.LessOrEqual(t, ratio, 1.01, "%s on %d", c.model, side)
			best = min(best, cycles)
		}
	}
}
