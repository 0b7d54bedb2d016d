package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// artifacts is what a run writes that may depend on nothing but configuration,
// inputs, seed and version.
type artifacts struct{ result, metrics, layers, config string }

func artifactsOf(t *testing.T, x *experiment.Experiment, err error) artifacts {
	t.Helper()
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status)
	b, err := r.JSON()
	require.NoError(t, err)
	return artifacts{string(b), string(result.MetricsCSV(r.Metrics)), string(result.TableCSV(r.Layers)), string(r.Config)}
}

// engines are all of them, with 6 seeds of the one that shuffles, with CAUSEWAY_LONG 20.
func engines() []string {
	out := []string{"serial", "parallel"}
	seeds := 6
	if os.Getenv("CAUSEWAY_LONG") != "" {
		seeds = 20
	}
	for seed := range seeds {
		out = append(out, fmt.Sprintf("shuffle:%d", seed+1))
	}
	return out
}

// One core on one memory, and several that share a network, come to equal bytes
// whatever the order of simultaneous events.
func TestEnginesAgree(t *testing.T) {
	examples := filepath.Join(repository(t), "configs", "examples")
	for _, c := range []struct {
		file string
		set  []string
	}{
		{"resnet18.yaml", nil},
		{"llama3_decode.yaml", []string{"workload.model=gpt2", "workload.context=16", "workload.batch=1"}}, // curve memory
		{"multicore.yaml", []string{"workload.sequence=8"}},
		{"multicore.yaml", []string{"workload.model=alexnet", "workload.sequence=null", "mapping.split=row", "Core[2].clock=940MHz", "Core[1].rows=64"}},
		{"roofline.yaml", nil},
		{"gpu.yaml", nil},
		{"gpu_shared.yaml", nil},
		{"llama3_memories.yaml", []string{"workload.model=gpt2", "context=16", "batch=2", "behind=cache"}}, // kernels of a TPU
		{"llama3_memories.yaml", []string{"workload.model=gpt2", "context=16", "batch=2", "chip=h100_tile"}},
		{"allreduce.yaml", []string{"bytes=4KiB"}},
		{"../studies/colloid/colloid.yaml", []string{"until=30us", "others=30us", "warmup=15us", "load=closed:96"}},
		{"../studies/colloid/colloid.yaml", []string{"until=20us", "others=20us", "warmup=9us", "far=cxl", "policy={name: tpp}"}},
		{"../studies/colloid/colloid.yaml", []string{"until=10us", "others=10us", "warmup=4us", "policy={name: tpp}", "Tier.fault=500ns", "Tier.tlb={entries: 64, reads: 4, tier: 1}"}},
		{"../studies/cxl-xlink/hierarchy.yaml", []string{"GPU.work={name: rag, hops: 2, degree: 8}"}},
		{"../studies/cxl-xlink/service.yaml", []string{"work=dlrm", "pool=rdma", "GPU.work={name: dlrm, batches: 2, batch: 4}"}},
		{"../studies/t10/load.yaml", []string{"represented=4", "model=deit_t", "cores=64"}},
		{"../studies/t10/pod.yaml", []string{"workload.layers=0..0", "workload.context=64"}},
		{"../studies/coqmoe/dedicated.yaml", []string{"frames=2"}},
		{"../studies/kai/kai.yaml", []string{"Near.link.flit=68B", "Near.link.ber=[1e-5, 1e-5]"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(examples, c.file)
			x, err := experiment.Load(file, experiment.Options{Set: c.set})
			want := artifactsOf(t, x, err)
			for _, e := range engines() {
				x, err := experiment.Load(file, experiment.Options{Set: c.set, Engine: e})
				require.Equal(t, want, artifactsOf(t, x, err), e)
			}
		})
	}
}

// system writes a configuration with its nodes and links in the order given.
func system(head string, nodes, links []string) []byte {
	return []byte(head + "nodes:\n" + strings.Join(nodes, "") + "links:\n" + strings.Join(links, ""))
}

// The order of nodes, links and sections in the file changes no byte.
func TestOrderOfTheFileIsNothing(t *testing.T) {
	t.Parallel()
	head := "schema: causeway/1\nworkload: {model: alexnet, batch: 1, dtype: int8}\nmapping: {cores: \"Big, Small, Odd\", split: column}\n"
	core := "{kind: systolic, dataflow: %s, clock: %s, rows: %d, cols: 32, sram: {ifmap: 128KiB, filter: 128KiB, ofmap: 128KiB}, name: %s}"
	nodes := []string{
		"  - " + fmt.Sprintf(core, "ws", "1GHz", 64, "Big") + "\n",
		"  - " + fmt.Sprintf(core, "os", "940MHz", 32, "Small") + "\n",
		"  - " + fmt.Sprintf(core, "is", "1GHz", 48, "Odd") + "\n",
		"  - {name: Mem, kind: memory, fidelity: ideal, clock: 800MHz, latency: 60ns, bandwidth: 51.2GB/s}\n",
	}
	links := []string{"  - Small -> Mem\n", "  - Big -> Mem\n", "  - Odd -> Mem\n"}
	parse := func(src []byte, engine string) artifacts {
		x, err := experiment.Parse("order.yaml", src, experiment.Options{Engine: engine})
		return artifactsOf(t, x, err)
	}
	want := parse(system(head, nodes, links), "")
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 6 {
		rng.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
		rng.Shuffle(len(links), func(i, j int) { links[i], links[j] = links[j], links[i] })
		require.Equal(t, want, parse(system(head, nodes, links), fmt.Sprintf("shuffle:%d", i)), "%s%s", nodes, links)
	}
	lines := strings.SplitAfter(head, "\n")
	require.Equal(t, want, parse(append(system("", nodes, links), lines[2]+lines[1]+lines[0]...), "parallel"))
}
