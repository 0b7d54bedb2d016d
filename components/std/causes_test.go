package std

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// consistent checks that the parts of every level have the shares they say, and sum to no more
// than the whole.
func consistent(t *testing.T, x *cause.Tree, at string) {
	sum := 0.0
	for _, p := range x.Parts {
		require.GreaterOrEqual(t, p.Time, 0.0, at+"."+p.Name)
		require.InDelta(t, p.Time/x.Time, p.Share, 1e-9, at+"."+p.Name)
		sum += p.Share
		consistent(t, p, at+"."+p.Name)
	}
	require.LessOrEqual(t, sum, 1+1e-6, at)
}

// Every example says in a sentence what it spends most time on, and its tree of causes holds. Some
// have fewer layers, and all of them with CAUSEWAY_LONG.
func TestEveryExampleSaysWhy(t *testing.T) {
	files, err := filepath.Glob("../../configs/examples/*.yaml")
	require.NoError(t, err)
	slow := map[string]bool{"llm-cluster": true, "llama3_prefill": true, "multicore_network": true, "resnet50_cache": true}
	small := map[string][]string{
		"llm-cluster":     {"chips=2", "prompt=32", "output=2", "workload.layers=0..0"},
		"llama3_prefill":  {"workload.layers=0..0"},
		"llama3_memories": {"workload.model=gpt2", "context=512"},
		"llama3_far":      {"workload.model=gpt2", "context=512"},
	}
	if os.Getenv("CAUSEWAY_LONG") != "" {
		small = nil
	}
	ran := 0
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".yaml")
		t.Run(name, func(t *testing.T) {
			if testing.Short() && slow[name] {
				t.Skip("long")
			}
			x, err := experiment.Load(f, experiment.Options{Set: small[name]})
			if err != nil && strings.Contains(err.Error(), "this is a sweep file") {
				t.Skip("a sweep")
			}
			if err != nil && os.Getenv("CAUSEWAY_INPUTS") == "" {
				t.Skip("needs inputs")
			}
			require.NoError(t, err)
			r, _, err := x.Run(context.Background(), nil)
			require.NoError(t, err)
			require.Equal(t, result.Complete, r.Status, r.Reason)
			require.NotEmpty(t, r.Sentence)
			require.NotContains(t, r.Sentence, "no node says")
			require.LessOrEqual(t, strings.Count(r.Sentence, ". ")+1, 3, r.Sentence)
			require.LessOrEqual(t, len(r.Sentence), 560, r.Sentence)
			if strings.Contains(r.Sentence, "waiting for answers;") {
				require.Greater(t, strings.Count(r.Sentence, " spend"), 1, "what the answers wait for: %s", r.Sentence)
			}
			require.NotNil(t, r.Causes)
			require.Empty(t, r.Causes.Check())
			consistent(t, r.Causes, "run")
			ran++
		})
	}
	require.Greater(t, ran, 20)
}

// explained runs an example with settings.
func explained(t *testing.T, example string, set ...string) *result.Result {
	x, err := experiment.Load("../../configs/examples/"+example+".yaml", experiment.Options{Set: set})
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	return r
}

// sum adds up a metric of all nodes.
func sum(r *result.Result, names ...string) (v float64) {
	for _, m := range r.Metrics {
		if m.Phase == "all" && m.Where != "" && slices.Contains(names, m.Name) {
			v += m.Value
		}
	}
	return v
}

// The bubble of a pipeline is the time of its chips less that in which they have operators.
func TestPipelineBubble(t *testing.T) {
	r := explained(t, "pipeline")
	chips := r.Causes.Part("Chip")
	bubble := chips.Part("bubble")
	total, _ := r.Metric("", "total_time")
	require.InEpsilon(t, 4*total.Value-sum(r, "compute_cycles", "stall_memory_cycles", "stall_overhead_cycles"), bubble.Time, 1e-9)
	require.Len(t, bubble.Parts, 3)
	require.Contains(t, r.Sentence, "The pipeline bubble takes 29.6 % of the time of Chip")
	require.NotContains(t, explained(t, "roofline").Sentence, "bubble")

	// The interface of a chip has something to do as long as one of its transfers goes on.
	cycles := 0.0
	for _, m := range r.Metrics {
		if m.Where == "Nic[1]" && m.Name == "total_cycles" && m.Phase == "all" {
			cycles = m.Value
		}
	}
	require.NotZero(t, cycles)
	nics := r.Causes.Part("Nic")
	require.Equal(t, "Net", nics.Part("messages").WaitsFor)
	under := 0.0
	for i := range 4 {
		under += underWay(r, fmt.Sprintf("Nic[%d]", i))
	}
	require.InEpsilon(t, under, busy(nics), 1e-9, "at 1 GHz a cycle is a nanosecond")
}

// underWay is the cycles in which layers of a node went on.
func underWay(r *result.Result, node string) (sum float64) {
	t := r.Layers
	where, start, cycles := t.Index("where"), t.Index("start"), t.Index("cycles")
	var spans [][2]uint64
	for _, row := range t.Rows {
		if row[where] == node {
			from := row[start].(uint64)
			spans = append(spans, [2]uint64{from, from + row[cycles].(uint64)})
		}
	}
	slices.SortFunc(spans, func(a, b [2]uint64) int { return cmp.Compare(a[0], b[0]) })
	at := uint64(0)
	for _, s := range spans {
		if from := max(s[0], at); s[1] > from {
			sum += float64(s[1] - from)
			at = s[1]
		}
	}
	return sum
}

// A schedule of two executors has both at work, or one, or none: as long as both were busy
// together.
func TestCausesOfSchedule(t *testing.T) {
	r := explained(t, "schedule")
	tree := r.Causes.Part("Schedule")
	total, _ := r.Metric("", "total_time")
	require.InEpsilon(t, total.Value, tree.Used(), 1e-9)
	share := sum(r, "utilization_Big", "utilization_Small") / 100
	require.InDelta(t, share, 2*tree.Part("executors").Share+tree.Part("dependencies").Share, 0.01)
	require.Contains(t, r.Sentence, "Big is at work for")
}

// Waits of lines for links add up to the part of their latency.
func TestLinksOfPool(t *testing.T) {
	r := explained(t, "cxl-pool")
	queue := r.Causes.Part("Root").Part("link_queue")
	require.NotEmpty(t, queue.Parts)
	require.InEpsilon(t, queue.Time, queue.Used(), 1e-9)
	require.Contains(t, r.Sentence, "at Switch.down[0] to Pool.up")
}

// A second rank costs time in which the data bus changes from one rank to the other.
func TestRanksOfPool(t *testing.T) {
	tcs := func(ranks string) float64 {
		r := explained(t, "cxl-pool", "Pool.memory.ranks="+ranks)
		if p := r.Causes.Part("Pool.Memory").Part("transfer").Part("tcs"); p != nil {
			return p.Share
		}
		return 0
	}
	require.Zero(t, tcs("1"))
	require.InDelta(t, 0.18, tcs("2"), 0.01)
}

// Steps of a server take the time that it is busy.
func TestStepsOfServer(t *testing.T) {
	r := explained(t, "serve")
	busy, _ := r.Metric("Serve", "busy")
	idle := r.Causes.Part("Serve").Part(cause.Idle)
	require.InDelta(t, 1-busy.Value/100, idle.Share, 1e-9)
	require.Contains(t, r.Sentence, "while requests wait for blocks")
	require.NotContains(t, explained(t, "serve", "kv_memory=56GiB").Sentence, "wait for blocks")
}

// Ranks that wait for one that begins late say so, and all parts add up to the time of the ranks.
func TestLateRankOfCollective(t *testing.T) {
	for _, late := range []float64{0, 100e3} {
		set := []string{}
		if late > 0 {
			set = append(set, "Ranks.stragglers=[{rank: 3, late: 100us}]")
		}
		r := explained(t, "allreduce", set...)
		ranks := r.Causes.Part("Ranks")
		total, _ := r.Metric("Ranks", "total_time")
		require.InEpsilon(t, 72*total.Value, ranks.Used(), 1e-12)
		require.Contains(t, r.Sentence, "the bytes alone need")
		if late == 0 {
			require.Nil(t, ranks.Part("late_senders"))
			require.Nil(t, ranks.Part("asleep"))
			continue
		}
		require.InDelta(t, late, ranks.Part("asleep").Time, 1)
		// The others pass parts on among each other at first, 22 of the 100 us, and wait then.
		require.InDelta(t, 78.5/100, ranks.Part("late_senders").Time/(71*late), 0.01)
	}
}

// A cache that has one request at a time is busy for the sum of their latencies, and with little
// room for misses it waits for that.
func TestCausesOfCache(t *testing.T) {
	r := explained(t, "cache", "LLC.fidelity=timed", "Driver.mode=closed:1")
	tree := r.Causes.Part("LLC")
	latency, _ := r.Metric("LLC", "latency_mean")
	used := tree.Used()
	if idle := tree.Part(cause.Idle); idle != nil {
		used -= idle.Time
	}
	require.InEpsilon(t, latency.Value*sum(r, "requests_done"), used, 1e-6)
	require.Nil(t, tree.Part("mshrs_full"))
	r = explained(t, "cache", "LLC.fidelity=timed", "LLC.mshrs=1", "Driver.mode=closed:8")
	require.Equal(t, "mshrs_full", r.Causes.Part("LLC").Parts[0].Name)
}

// An earlier result has its sentence under another key.
func TestOldResult(t *testing.T) {
	var r result.Result
	require.NoError(t, json.Unmarshal([]byte(`{"schema": "causeway-result/1", "bottleneck": "Memory is it."}`), &r))
	require.Equal(t, "Memory is it.", r.Sentence)
	require.NoError(t, json.Unmarshal([]byte(`{"sentence": "Compute is it.", "bottleneck": "Memory is it."}`), &r))
	require.Equal(t, "Compute is it.", r.Sentence)
}

// The accelerator of a Type 2 device waits for its host and for lines in use where both share
// lines, and for the memory alone where they do not.
func TestAcceleratorCauses(t *testing.T) {
	shared := explained(t, "cxl-type2", "until=10us").Causes.Part("Device")
	apart := explained(t, "cxl-type2", "until=10us", "apart=1GiB").Causes.Part("Device")
	for _, part := range []string{"host", "order"} {
		require.Greater(t, shared.Part(part).Time, 0.1*shared.Time, part)
	}
	require.Nil(t, apart.Part("host"))
	require.Greater(t, apart.Part("memory").Share, 0.3)
}
