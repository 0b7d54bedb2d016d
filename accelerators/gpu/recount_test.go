package gpu

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/power"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/fuse"
)

// convolutions is a convolution whose norm, addition and activation its kernel applies.
func convolutions(t *testing.T) *graph.Graph {
	b := graph.NewBuilder("m")
	x, y := b.Input("x", 8, 64, 56, 56), b.Input("y", 8, 64, 56, 56)
	b.Output(b.Elementwise("act", "relu", b.Add("sum", b.BatchNorm("norm", b.Conv("conv", x, graph.SquareConv(64, 3, 1, 1))), y)))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.FP16))
	g, _ = fuse.Epilogues(g)
	return g
}

// everything is a chip of all features on workloads of all kinds of rows: some after a pause, with kernels that
// others apply, join or hold, products that skip weights, and launches that the GPU waits for.
func everything(t *testing.T) *Comp {
	s := priced()
	s.Architecture, s.Kernels.Library, s.Sparsity, s.Launch.Mode = "sm90", "trtllm", graph.Pattern{N: 2, M: 4}, "eager"
	sparse := list(t, "name,op,m,n,k\nskips,gemm,4096,4096,4096\n")
	_, err := sparse.SetSparsity(s.Sparsity, func(string) bool { return true })
	require.NoError(t, err)
	inside := list(t, "name,op,rows,cols\nturn,rope,64,128\nact,gelu,1024,1024\n")
	k := inside.Ops[0].Kind.(graph.Elementwise)
	k.Inside = true
	inside.Ops[0].Kind = k
	return run(t, s, work.Share{Name: "late", Graph: list(t, few), Arrival: 20 * units.Millisecond},
		work.Share{Name: "conv", Graph: convolutions(t)}, work.Share{Name: "joins", Graph: block(t)}, work.Share{Name: "sparse", Graph: sparse}, work.Share{Name: "inside", Graph: inside})
}

// metrics are those of a node, by name.
func metrics(c *Comp) map[string]float64 {
	out := map[string]float64{}
	for _, m := range c.Stats().Metrics() {
		out[m.Name] = m.Value
	}
	return out
}

// totalsOf adds up the columns of a table of operators.
func totalsOf(t *testing.T, tab *stats.Table) map[string]float64 {
	out := map[string]float64{}
	for _, row := range tab.Held().Rows {
		require.Len(t, row, len(tab.Columns))
		for i, c := range tab.Columns {
			switch v := row[i].(type) {
			case uint64:
				out[c.Name] += float64(v)
			case float64:
				out[c.Name] += v
			}
		}
	}
	return out
}

// Every metric follows from the rows of the table and the keys of the description, and there is no other: totals
// are sums of rows, rates are totals over the time of the run, and a chip rests between operators.
func TestMetricsFollowFromRows(t *testing.T) {
	c := everything(t)
	rows, sum, ns := c.Rows(), totalsOf(t, c.Layers()), c.clock.Nanoseconds(*c.End())
	last := rows[len(rows)-1]
	require.Equal(t, *c.End(), last.start+last.cycles)
	var idle, ideal, waited, kernels, skipped, peak float64
	end := uint64(0)
	for _, l := range rows {
		idle, end = idle+float64(l.start-end), l.start+l.cycles
		ideal, waited, kernels, skipped = ideal+l.ideal, waited+float64(l.waited), kernels+float64(l.launches), skipped+float64(l.skipped)
		require.LessOrEqual(t, l.waited, l.launch, l.name)
		if l.cycles > 0 {
			peak = max(peak, l.energy.Total()/(c.clock.Nanoseconds(l.cycles)*1e3))
		}
	}
	require.Positive(t, idle)
	require.Positive(t, waited)
	rest := 100 * idle * 1e3 // W x ns at 1 GHz, in pJ
	want := map[string]float64{
		"total_cycles": ns, "idle_cycles": idle, "awaited_cycles": 0, "compute_cycles": sum["compute_cycles"], "stall_memory_cycles": sum["stall_memory_cycles"],
		"stall_latency_cycles": sum["stall_latency_cycles"], "stall_overhead_cycles": sum["stall_overhead_cycles"], "stall_host_cycles": waited,
		"kernels": kernels, "profiled_kernels": 0, "macs": sum["macs"], "skipped_macs": 4096 * 4096 * 4096 / 2, "vector_ops": sum["vector_ops"],
		"memory_bytes": sum["memory_bytes"], "utilization": 100 * ideal / ns, "bandwidth": sum["memory_bytes"] / ns,
		"peak_macs": 1024 * 100, "peak_bandwidth": 1000, "peak_bytes": 1000, "l2_bytes": sum["l2_bytes"], "power_peak": peak, "power_limit": 700,
	}
	require.Equal(t, want["skipped_macs"], skipped)
	all := rest
	for i, name := range power.Names {
		want["energy_"+name[0]] = sum["energy_"+name[0]]
		if i == power.Static {
			want["energy_"+name[0]] += rest
		}
		all += sum["energy_"+name[0]]
	}
	want["energy"], want["power_mean"] = all, all/(ns*1e3)
	got := metrics(c)
	if _, there := got["awaited_cycles"]; !there { // declared where something is awaited
		delete(want, "awaited_cycles")
	}
	require.Equal(t, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)))
	for name, v := range want {
		require.InDelta(t, v, got[name], 1e-9*v+1e-6, name)
	}
	require.InDelta(t, sum["cycles"], ns-idle, 0.5)
	text := strings.Join(c.Assumptions(), "\n")
	joined, inside := 0, 0
	for _, l := range rows {
		switch l.kernel {
		case "joined":
			joined++
		case "attention":
			inside++
		}
	}
	require.Equal(t, 4, joined, "keys, values, a norm and a half of a gated network")
	for _, what := range []string{"apply 3 norms", fmt.Sprintf("%d operators are part of the kernel", joined), fmt.Sprintf("of the operators, %d rotary", inside)} {
		require.Contains(t, text, what)
	}
	c.sum.latency++
	require.NotEmpty(t, c.Stats().Verify(), "a cycle without an owner")
}

// A chip without an energy model whose graphs are launched at once and skip nothing has no metric of these.
func TestMetricsOfAPlainChip(t *testing.T) {
	got := metrics(run(t, DefaultSpec(), work.Share{Graph: list(t, few)}))
	for name := range got {
		require.NotRegexp(t, "^(energy|power|skipped|stall_host)", name)
	}
	require.Contains(t, got, "l2_bytes")
}

// Steps that a server only plans take their energy and their time: the chip rests in what is left of the run, which
// ends when the last node ends. Parts of a planned step are not known one by one.
func TestEnergyOfPlannedSteps(t *testing.T) {
	c := run(t, priced(), work.Share{Graph: list(t, "name,op,m,n,k\nfc,gemm,1024,1024,1024\n")})
	own, ns := metrics(c)["energy"], c.clock.Nanoseconds(*c.End())
	require.Equal(t, ns, c.LastActivity())
	c.RestUntil(ns + 5000)
	require.InEpsilon(t, own+100*5000*1e3, metrics(c)["energy"], 1e-12)
	c.Credit(work.Cost{Time: 2000 * units.Nanosecond, Energy: 7e9})
	c.Credit(work.Cost{Time: 1000 * units.Nanosecond, Energy: 2e9})
	got := metrics(c)
	require.InEpsilon(t, own+100*2000*1e3+9e9, got["energy"], 1e-12)
	require.InEpsilon(t, 9e9, got[work.PlannedEnergy], 1e-12)
	require.InEpsilon(t, got["energy"]/((ns+5000)*1e3), got["power_mean"], 1e-12)
	require.Contains(t, got, "energy_static")
	require.Contains(t, got, "energy_mac")
	require.NotContains(t, got, "energy_link", "there may be some of the planned steps")
	require.NotContains(t, metrics(run(t, priced(), work.Share{Graph: list(t, few)})), work.PlannedEnergy)
}

// The cells of a row are what the operator is, and what has no value is empty.
func TestRowsOfOperators(t *testing.T) {
	c := everything(t)
	tab := c.Layers()
	cell := func(row int, name string) any { return tab.Held().Rows[row][tab.Index(name)] }
	for i, l := range c.Rows() {
		ops := 2*float64(l.macs) + float64(l.vector)
		if l.bytes == 0 {
			require.Nil(t, cell(i, "intensity"), l.name)
		} else {
			require.InEpsilon(t, ops/float64(l.bytes)+1, cell(i, "intensity").(float64)+1, 1e-12, l.name)
		}
		if l.cycles == 0 {
			require.Nil(t, cell(i, "utilization"), l.name)
			require.Nil(t, cell(i, "power"), l.name)
		} else {
			require.InDelta(t, 100*l.ideal/float64(l.cycles), cell(i, "utilization"), 1e-9, l.name)
			require.InEpsilon(t, l.energy.Total()/float64(l.cycles)/1e3, cell(i, "power"), 1e-9, l.name)
		}
		require.Equal(t, l.rounds > 0, cell(i, "rounds") != nil, l.name)
		require.Equal(t, l.tile.M > 0, cell(i, "tile") != nil, l.name)
		require.Equal(t, l.cycles, l.compute+l.memory+l.latency+l.launch, l.name)
		part := map[string]uint64{"compute": l.compute, "memory": l.memory, "latency": l.latency, "overhead": l.launch}
		for name, n := range part {
			require.LessOrEqual(t, n, part[cell(i, "bound").(string)], "%s: %s", l.name, name)
		}
	}
	for cause, l := range map[string]layer{
		"overhead": {launch: 5, compute: 4, memory: 4, latency: 4}, "compute": {launch: 4, compute: 4, memory: 4, latency: 4},
		"memory": {launch: 4, compute: 3, memory: 4, latency: 4}, "latency": {launch: 4, compute: 3, memory: 3, latency: 4},
	} {
		require.Equal(t, cause, l.bound())
	}
}

// Stages of a product are parts of one kernel: together they take its time, bytes and rounds, and one launch, which is
// that of the first.
func TestStagesAreOneKernel(t *testing.T) {
	c := New("Chip", nil, DefaultSpec())
	of := func(k graph.MatMul) ([]float64, kernel.Cost) {
		g := &graph.Graph{}
		a := g.Add(graph.Tensor{Name: "a", Shape: []int{k.M, k.K}, DType: graph.FP16})
		b := g.Add(graph.Tensor{Name: "b", Shape: []int{k.K, k.N}, DType: graph.FP16, Role: graph.Weight})
		o := g.Add(graph.Tensor{Name: "o", Shape: []int{k.M, k.N}, DType: graph.FP16})
		g.Append(graph.Op{Name: "x", Kind: k, In: []graph.TensorID{a, b}, Out: []graph.TensorID{o}})
		_, cost := c.plan(&work.Share{Graph: g}, 0, 0)
		return []float64{cost.Total, cost.Launch, cost.Compute, cost.Memory, cost.Waits, cost.Stalled, cost.Near, cost.Kept, cost.Bytes + cost.Late, float64(cost.Kernels)}, cost
	}
	whole, one := of(graph.MatMul{Batch: 1, M: 4096, N: 4096, K: 4096})
	sums, rounds := make([]float64, len(whole)), 0
	for stage := range 4 {
		part, cost := of(graph.MatMul{Batch: 1, M: 1024, N: 4096, K: 4096, Stage: stage, Stages: 4})
		for i := range part {
			sums[i] += part[i]
		}
		rounds += cost.Rounds
		require.Equal(t, stage == 0, cost.Launch > 0)
	}
	require.InEpsilonSlice(t, plus(whole, 1), plus(sums, 1), 1e-9)
	require.GreaterOrEqual(t, rounds, one.Rounds)
	require.Less(t, rounds, one.Rounds+4)
}

// plus adds x to all numbers, so that zeros can be compared.
func plus(list []float64, x float64) []float64 {
	out := slices.Clone(list)
	for i := range out {
		out[i] += x
	}
	return out
}
