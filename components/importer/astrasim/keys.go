package astrasim

import "github.com/causeway-sim/causeway/components/importer"

const custom = "a collective given as a trace of its own is not read: the algorithm without -custom is taken, or a ring; put its operations into the trace of each rank"

const loggp = "of the tool's shared bus, which is not modelled"

var keys = []importer.Key{
	{Name: "topology", Ours: "topology"},
	{Name: "npus_count", Ours: "topology, ranks"},
	{Name: "bandwidth", Ours: "local.bandwidth, global.bandwidth, or terminal.bandwidth of a crossbar"},
	{Name: "latency", Ours: "local.latency, global.latency, or terminal.latency of a crossbar"},

	{Name: "all-reduce-implementation", Ours: "collectives.all_reduce"},
	{Name: "all-gather-implementation", Ours: "collectives.all_gather"},
	{Name: "reduce-scatter-implementation", Ours: "collectives.reduce_scatter"},
	{Name: "all-to-all-implementation", Ours: "collectives.all_to_all"},
	{Name: "all-reduce-implementation-custom", Why: custom},
	{Name: "all-gather-implementation-custom", Why: custom},
	{Name: "reduce-scatter-implementation-custom", Why: custom},
	{Name: "all-to-all-implementation-custom", Why: custom},
	{Name: "per-node-custom-implementation", Why: custom},
	{Name: "preferred-dataset-splits", Ours: "chunks of each algorithm"},
	{Name: "active-chunks-per-dimension", Ours: "active of each algorithm"},
	{Name: "endpoint-delay", Ours: "nic.overhead, start"},
	{Name: "local-mem-bw", Ours: "memory"},
	{Name: "roofline-enabled", Ours: "compute"},
	{Name: "peak-perf", Ours: "compute"},
	{Name: "scheduling-policy", Why: "collectives run as their dependencies allow"},
	{Name: "collective-optimization", Why: "order of the dimensions of a collective; a ring has one, hierarchical a fixed one"},
	{Name: "boost-mode", Why: "all ranks are simulated", Same: []string{"0"}},
	{Name: "local-reduction-delay", Why: "sums take the time of local-mem-bw"},
	{Name: "model-shared-bus", Why: loggp, Same: []string{"0"}},
	{Name: "L", Why: loggp},
	{Name: "o", Why: loggp},
	{Name: "g", Why: loggp},
	{Name: "G", Why: loggp},
	{Name: "trace-enabled", Why: "--timeline writes what happened", Same: []string{"0"}},
	{Name: "replay-only", Why: "times of computations are those of the trace where it has them", Same: []string{"0"}},
	{Name: "track-local-mem", Why: "memory in use is not tracked", Same: []string{"0"}},
	{Name: "local-mem-trace-filename", Why: "memory in use is not tracked"},

	{Name: "memory-type", Why: "no remote memory", Same: []string{"NO_MEMORY_EXPANSION"}},
	{Name: "remote-mem-latency", Why: "no remote memory"},
	{Name: "remote-mem-bw", Why: "no remote memory"},
	{Name: "logical-dims", Why: "of the ns-3 back end, whose networks are not read"},
}
