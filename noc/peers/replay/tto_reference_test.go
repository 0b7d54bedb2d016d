package replay

import (
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// mcm is the multi-chip module of the TTO artifact: n x n nodes at 1 GHz, flits of
// 512 B that take 21 cycles (200 Gbit/s), messages of 16 flits and a head: 357
// cycles. A node has an interface per neighbour.
//
// From the artifact's code: three events of the interface come before a send
// (hmc_fermat.py: the schedule, the message, its buffer), one after a receive; a
// message passes injection, two routers of three stages (vc_alloc, sw_alloc, switch)
// and a channel of one cycle, and ejection.
func mcm(t testing.TB, n int, window int) machine {
	top, alg := mesh(t, n, n)
	return machine{
		net: channel.Config{
			Topology: top, Routing: alg, Width: 512, Packet: 8192, Header: 512, Fill: true, Router: 3,
			Terminal: channel.Link{Latency: 1},
			Local:    channel.Link{Latency: 1, Rate: 512.0 / 21},
		},
		before: 3, after: 1, window: window,
	}
}

// window is how many sends the artifact has on the way from a node to another: the
// next one starts when the last message has been received.
const window = 1

// algorithms are the artifact's names. A double binary tree has n*n/2 segments
// there.
var algorithms = map[string]string{
	"mesh_overlap_2d_1": "tto", "multitree": "multitree", "ring2dn": "ring_2d", "dtree": "double_binary_tree",
	"ring": "ring", "ring_bi": "ring_bi", "ring_odd": "ring", "ring_odd_bi": "ring_bi_odd",
}

// A deviation is in % of the published figure.
type deviation struct{ lo, hi float64 }

// allowed says how far simulated cycles are off, in %, by the artifact's name. All but
// the last three follow the artifact's rules to the end.
//
//   - Its ring on odd meshes is up to 1.4% slower than ours (5 x 5, 32 MB), ring_bi 1.4%
//     (4 x 4, 32 MB) and, at one point, 5.3% (8 x 8, 128 MB); RingBiOdd up to 3.8%, 5.7%
//     on 3 x 3, 11.5% (5 x 5, 64 MB) and 19.5% (9 x 9, 256 MB) at a point each, which do
//     not lie on the line of their neighbours there: messages for several ways wait in
//     each other's buffers, as chance has it.
//   - MultiTree, 2D ring and double binary tree go in steps there (strict_schedule): a
//     node begins one when its interfaces have taken the blocks of the step before.
//     The buffers take 58 messages, so small blocks overlap with those of the step
//     before, or collide with them. Whole blocks are passed on here, as soon as they
//     have come. With large blocks MultiTree (-0.1% for 1 GB on 4 x 4) and 2D ring
//     (+6%) come near.
//   - The double binary tree ran with one interface per node (radix 1 in its results,
//     4 in all others) on the files of the mesh, which have four per router: rank i
//     stands at router i/4, and all ranks in its first rows. This is played here, too.
//     With a rank per router it is another machine: +1% to +31% on 4 x 4, -35% to -45%
//     on 8 x 8.
//
// Played by the artifact's own rules for steps and buffers the last three come within a
// few percent: TestArtifactSteps.
var allowed = map[string]deviation{
	"mesh_overlap_2d_1": {-0.1, 0.1},
	"ring":              {-0.1, 0.1},
	"ring_bi":           {-5.3, 0.1},
	"ring_odd_bi":       {-19.5, 2},
	"ring_odd":          {-1.5, 0.1},
	"multitree":         {-12.6, 0},
	"ring2dn":           {-8, 35.2},
	"dtree":             {-23.7, 1},
}

// check plays one line of the artifact's results.
func check(t *testing.T, name string, nodes int, params int64, tto collective.TTOSpec, want int64) {
	n := int(math.Sqrt(float64(nodes)))
	pipeline := collective.Pipeline{Chunks: 1, Apart: name == "dtree" || name == "multitree"}
	var spec any
	switch algorithms[name] {
	case "tto":
		spec = tto
	case "ring":
		spec = collective.RingSpec{Pipeline: pipeline, Dims: []int{n, n}, Relay: name == "ring_odd"}
	case "ring_bi":
		spec = collective.BiRingSpec{Pipeline: pipeline, Dims: []int{n, n}}
	case "ring_bi_odd":
		spec = collective.BiRingOddSpec{BiRingSpec: collective.BiRingSpec{Pipeline: pipeline, Dims: []int{n, n}}, Message: 8192}
	case "multitree":
		spec = collective.MultiTreeSpec{Pipeline: pipeline, Dims: []int{n, n}, Search: collective.SearchLast}
	case "ring_2d":
		spec = collective.Ring2DSpec{Pipeline: pipeline, Dims: []int{n, n}}
	case "double_binary_tree":
		pipeline.Chunks = nodes / 2
		spec = collective.Spec{Pipeline: pipeline}
	}
	s, err := collective.New(algorithms[name], collective.Request{Ranks: nodes, Bytes: 4 * params}, spec)
	require.NoError(t, err)
	m := mcm(t, n, window)
	if name == "dtree" {
		m.net.Topology, m.net.Routing = crowded(t, n)
	}
	got, _ := m.run(t, s)
	off := 100 * (float64(got)/float64(want) - 1)
	t.Logf("%-18s %2d nodes, %9d params: %9d, published %9d, %+.2f%%", name, nodes, params, got, want, off)
	require.GreaterOrEqual(t, off, allowed[name].lo)
	require.LessOrEqual(t, off, allowed[name].hi)
}

// crowded is the mesh with four terminals to a router.
func crowded(t testing.TB, n int) (topology.Topology, routing.Algorithm) {
	top, err := topology.New("mesh", topology.GridSpec{Dims: []int{n, n}, Concentration: 4})
	require.NoError(t, err)
	for i := range n * n {
		r, _ := top.Home(i)
		require.Equal(t, i/4, r)
	}
	alg, err := routing.New("anynet", top, nil)
	require.NoError(t, err)
	return top, alg
}

// limit is the largest vector that is played, in parameters; CAUSEWAY_LONG lifts it.
func limit() int64 {
	if os.Getenv("CAUSEWAY_LONG") != "" {
		return math.MaxInt64
	}
	return 1 << 20
}

var ttoDefault = collective.TTOSpec{Chunk: 96 << 10, Pad: true}

// Reference: the artifact of the TTO paper, all-reduce of 1 MB to 1 GB.
func TestArtifactBandwidth(t *testing.T) {
	for _, row := range table(t, "testdata/tto_bandwidth.csv") {
		if params := number(t, row["params"]); params <= limit() {
			check(t, row["alg"], int(number(t, row["nodes"])), params, ttoDefault, number(t, row["cycles"]))
		}
	}
}

// Reference: the same, 3 x 3 to 7 x 7.
func TestArtifactScalability(t *testing.T) {
	for _, row := range table(t, "testdata/tto_scalability.csv") {
		check(t, row["alg"], int(number(t, row["nodes"])), number(t, row["params"]), ttoDefault, number(t, row["allreduce_cycles"]))
	}
}

// Reference: the same, other meshes, up to 16 x 16.
func TestArtifactMore(t *testing.T) {
	for _, row := range table(t, "testdata/tto_more.csv") {
		nodes, params := int(number(t, row["nodes"])), number(t, row["params"])
		if limit() == 1<<20 && (params > 1<<18 && params != 96000*int64(nodes) || nodes > 64 && params > 1<<18) {
			continue
		}
		if row["alg"] != "dtree" { // of 24 and 80 ranks there
			check(t, row["alg"], nodes, params, ttoDefault, number(t, row["cycles"]))
		}
	}
}

// models are the parameters of models: filters, their width and height, and channels
// of all layers in the artifact's SCALE-Sim files.
var models = map[string]int64{
	"AlphaGoZero": 1573620, "FasterRCNN": 13258944, "Googlenet": 6854208, "NCF_recommendation": 11042704,
	"Resnet152": 60040384, "Transformer": 77418328, "alexnet": 3745824, "dlrm": 297872,
}

// Reference: the same, the gradients of models on 8 x 8.
func TestArtifactModels(t *testing.T) {
	for _, row := range table(t, "testdata/tto_models.csv") {
		params, ok := models[row["model"]]
		require.True(t, ok, row["model"])
		if params <= 2<<20 || limit() > 1<<20 {
			check(t, row["alg"], int(number(t, row["nodes"])), params, ttoDefault, number(t, row["allreduce_cycles"]))
		}
	}
}

// Reference: the same, other chunks, which are counted in parameters.
func TestArtifactChunks(t *testing.T) {
	for _, row := range table(t, "testdata/tto_chunk.csv") {
		chunk := 4 * number(t, row["chunk"])
		if params := number(t, row["params"]); chunk > 96<<10 || params <= limit() {
			check(t, "mesh_overlap_2d_1", 64, params, collective.TTOSpec{Chunk: chunk, Pad: true}, number(t, row["cycles"]))
		}
	}
}
