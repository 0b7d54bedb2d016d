package validation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// What the study comes to if a part of the machine changes. Without batches each request
// moves its weights, its image and its result, 2 B a value. A static batch of VGG16 is what
// its second convolution holds: 64 planes of 224 x 224 in and out, and 36,864 weights. Where
// memory is what takes time, the time is the bytes over its bandwidth.
func TestBatchDNNStudyPerturbed(t *testing.T) {
	at := func(set ...string) map[string]float64 { return playedOf(t, "batch-dnn", "batch.yaml", set...) }
	moved, ops := 0.0, map[string]float64{}
	for _, name := range []string{"vgg16", "mobilenet_v1"} {
		g, err := zoo.Build(name, zoo.Params{Batch: 1})
		require.NoError(t, err)
		values := g.Params()
		for i := range g.Tensors {
			if r := g.Tensors[i].Role; r == graph.Input || r == graph.Output {
				values += g.Tensors[i].Elements()
			}
		}
		moved += 32 * 2 * float64(values)
		for i := range g.Ops {
			if m, ok := g.Ops[i].Kind.(graph.Move); !ok || m.Elements > 0 {
				ops[name]++
			}
		}
	}
	none := at("mix=vgg_mobile", "batching=static", "max=1")
	require.Equal(t, moved, none["Core.memory_bytes"])
	require.Equal(t, 32*(ops["vgg16"]+ops["mobilenet_v1"]), none["Schedule.operators"])

	batch := func(memory, planes, weights float64) float64 {
		return float64(int((memory*(1<<20) - 2*weights) / (2 * planes * 112 * 112)))
	}
	for text, mib := range map[string]float64{"22MiB": 22, "44MiB": 44, "88MiB": 88} {
		// 64 + 64 planes of 224 x 224; of MobileNet 32 + 64 planes of 112 x 112.
		vgg, mobile := min(16, batch(mib, 4*128, 36864)), min(16, batch(mib, 96, 2048))
		times := func(n float64) float64 { return float64(int((32 + n - 1) / n)) }
		require.Equal(t, ops["vgg16"]*times(vgg)+ops["mobilenet_v1"]*times(mobile),
			at("mix=vgg_mobile", "batching=static", "memory="+text)["Schedule.operators"], text)
	}

	slow := at("mix=vgg_mobile", "batching=static", "max=1", "bandwidth=45GB/s")
	require.InEpsilon(t, moved/45, slow["Schedule.total_time"], 0.01)
	require.LessOrEqual(t, at()["Schedule.held_peak_Core"], float64(44<<20))
}
