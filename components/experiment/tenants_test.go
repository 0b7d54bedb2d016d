package experiment_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// A tenant is a job of a shared machine: its workload, its node, and the nodes of its chips.
type tenant struct{ name, workload, node string }

var (
	trains = tenant{"Train", "model: gpt2, sequence: 64, dtype: bf16, training: {microbatches: 1}, parallel: {tensor: 8}", "kind: schedule, grain: operator"}
	chats  = tenant{"Chat", "model: llama3_8b, layers: 0..1, dtype: bf16, parallel: {tensor: 8}, requests: {count: 2, prompt: 256, output: 4}", "kind: serve"}
	asks   = tenant{"Ask", "model: llama3_8b, layers: 0..1, dtype: bf16, parallel: {tensor: 8}, requests: {count: 1, prompt: 512, output: 2}", "kind: serve"}
)

// onDragonfly is a dragonfly of 72 terminals on which job i of n has every n-th of the first 8 n
// terminals: all jobs are in the same groups.
func onDragonfly(n int, jobs ...tenant) string {
	var loads, nodes, links []string
	for i, j := range jobs {
		if j.name == "" {
			continue // its terminals are left free
		}
		loads = append(loads, fmt.Sprintf("  - {name: %s, %s, cores: %sChip}", strings.ToLower(j.name), j.workload, j.name))
		nodes = append(nodes, fmt.Sprintf("  - {name: %s, %s}", j.name, j.node),
			fmt.Sprintf("  - {name: %sChip, kind: gpu, preset: h100, count: 8}", j.name),
			fmt.Sprintf("  - {name: %sNic, kind: nic, count: 8, overhead: 1us}", j.name))
		links = append(links, fmt.Sprintf("  - %[1]s -> %[1]sChip\n  - %[1]s -> %[1]sNic", j.name),
			fmt.Sprintf("  - %q", fmt.Sprintf("%sNic -> Net.terminal[%d..%d:%d]", j.name, i, 8*n-1, n)))
	}
	return fmt.Sprintf(`
schema: causeway/1
workloads:
%s
nodes:
  - {name: Net, kind: network, fidelity: packet, topology: {name: dragonfly, p: 2, a: 4, h: 2}, routing: {name: min}, clock: 1GHz, width: 64B, terminal: {bandwidth: 50GB/s}, global: {bandwidth: 10GB/s}}
%s
links:
%s
`, strings.Join(loads, "\n"), strings.Join(nodes, "\n"), strings.Join(links, "\n"))
}

// Jobs on one dragonfly slow each other down, and each moves the bytes and does the work that it
// does alone.
func TestTenantsShareAFabric(t *testing.T) {
	for _, jobs := range [][]tenant{{trains, chats}, {chats, asks}, {trains, {"Other", trains.workload, trains.node}}} {
		both, err := serve(t, onDragonfly(2, jobs...), experiment.Options{})
		require.NoError(t, err)
		require.Equal(t, result.Complete, both.Status, both.Reason)
		for i, j := range jobs {
			only := make([]tenant, 2)
			only[i] = j
			alone, err := serve(t, onDragonfly(2, only...), experiment.Options{})
			require.NoError(t, err)
			for k := range 8 {
				for _, m := range []string{"transfers", "transfer_bytes", "all_reduce_bytes"} {
					nic := fmt.Sprintf("%sNic[%d]", j.name, k)
					require.Equal(t, value(t, alone, nic, m), value(t, both, nic, m), "%s of %s", m, nic)
				}
				chip := fmt.Sprintf("%sChip[%d]", j.name, k)
				require.Equal(t, value(t, alone, chip, "macs"), value(t, both, chip, "macs"))
			}
			for _, m := range []string{"message_bytes", "messages", "collectives"} {
				require.Equal(t, value(t, alone, "Program", m), value(t, both, j.name+"Program", m), m)
			}
			x, y := value(t, alone, j.name, "total_time"), value(t, both, j.name, "total_time")
			require.Greater(t, y, 1.01*x, "%s is slowed down", j.name)
		}
		sum := 0.
		for _, j := range jobs {
			sum += value(t, both, j.name+"Program", "message_bytes")
		}
		require.Equal(t, value(t, both, "Net", "bytes_delivered"), sum, "the network carries what both send")
	}
}

// Results do not depend on the engine, on ties, or on the order of workloads, nodes and links.
func TestTenantsAreDeterministic(t *testing.T) {
	text := onDragonfly(2, trains, chats)
	want, err := serve(t, text, experiment.Options{})
	require.NoError(t, err)
	for _, engine := range []string{"parallel", "shuffle:1"} {
		got, err := serve(t, text, experiment.Options{Engine: engine})
		require.NoError(t, err)
		require.Equal(t, want.Metrics, got.Metrics, engine)
		require.Equal(t, want.Layers, got.Layers, engine)
		require.Equal(t, want.Requests, got.Requests, engine)
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	var turned []string
	for at := 0; at < len(lines); { // each section backwards
		end := at + 1
		for end < len(lines) && strings.HasPrefix(lines[end], "  ") {
			end++
		}
		items := slices.Clone(lines[at+1 : end])
		slices.Reverse(items)
		turned = append(append(turned, lines[at]), items...)
		at = end
	}
	require.NotEqual(t, lines, turned)
	got, err := serve(t, strings.Join(turned, "\n"), experiment.Options{})
	require.NoError(t, err)
	require.Equal(t, want.Metrics, got.Metrics)
	require.Equal(t, want.Requests, got.Requests)
	require.Equal(t, want.Layers, got.Layers)
}

// Tables say which job and which node a row is of.
func TestTablesNameTheJob(t *testing.T) {
	r, err := serve(t, onDragonfly(3, trains, chats, asks), experiment.Options{})
	require.NoError(t, err)
	node, load := r.Requests.Index("node"), r.Requests.Index("workload")
	count := map[string]int{}
	for _, row := range r.Requests.Rows {
		require.Contains(t, row[load], strings.ToLower(row[node].(string)))
		count[row[node].(string)]++
	}
	require.Equal(t, map[string]int{"Train": 8, "Chat": 2, "Ask": 1}, count)
	where, of := r.Layers.Index("where"), r.Layers.Index("workload")
	seen := map[string]bool{}
	for _, row := range r.Layers.Rows {
		if name := row[where].(string); strings.Contains(name, "Chip") {
			require.Contains(t, row[of], strings.ToLower(name[:strings.Index(name, "Chip")]))
			seen[name] = true
		}
	}
	require.Len(t, seen, 24)
}

// shared is a schedule and a server with chips of one array.
const shared = `
schema: causeway/1
workloads:
  - {name: train, model: gpt2, sequence: 64, dtype: bf16, training: {microbatches: 1}, parallel: {tensor: 4}, cores: "Chip[0..3]"}
  - {name: chat, model: llama3_8b, layers: 0..1, dtype: bf16, parallel: {tensor: 4}, requests: {count: 1, prompt: 64, output: 2}, cores: "Chip[4..7]"}
nodes:
  - {name: Train, kind: schedule, grain: operator}
  - {name: Chat, kind: serve}
  - {name: Chip, kind: gpu, preset: h100, count: 8}
  - {name: Nic, kind: nic, count: 8, overhead: 1us}
  - {name: Net, kind: network, fidelity: flow, topology: {name: crossbar, terminals: 8}, clock: 1GHz}
links:
  - "Train -> Chip[0..3]"
  - "Train -> Nic[0..3]"
  - "Chat -> Chip[4..7]"
  - "Chat -> Nic[4..7]"
  - Nic -> Net
`

// What jobs cannot have is refused with the place and the reason.
func TestJobsAreRefused(t *testing.T) {
	_, err := serve(t, shared, experiment.Options{})
	require.NoError(t, err)
	two := strings.NewReplacer("kind: serve", "kind: schedule, grain: operator", ", requests: {count: 1, prompt: 64, output: 2}", "").Replace(shared)
	_, err = serve(t, two, experiment.Options{})
	require.NoError(t, err, "two schedules")
	for want, text := range map[string][2]string{
		`workloads.chat.cores: Chip[8]: 8 is out of range: there are 8 elements, 0 to 7`:                              {shared, `"Chip[4..7]"}|"Chip[8]"}`},
		`workloads.train.cores: no node "Cip[0..3]" (want one of: Chip, Nic)`:                                         {shared, `"Chip[0..3]"}|"Cip[0..3]"}`},
		`workloads.train.cores: Chip[3] is named twice`:                                                               {shared, `"Chip[0..3]"}|"Chip[0..3], Chip[3]"}`},
		`workloads.train.cores: Chip[4] is linked to Chat, and Train hands this workload out`:                         {shared, `"Chip[0..3]"}|"Chip[1..4]"}`},
		`workloads.train.cores: Net cannot carry out a workload`:                                                      {shared, `"Chip[0..3]"}|Net}`},
		`workloads.train.cores: Net[1]: Net is no array`:                                                              {shared, `"Chip[0..3]"}|"Net[1]"}`},
		`workloads.train.parallel.tensor: is 4 chips, which 3 nodes do not share evenly`:                              {shared, `"Chip[0..3]"}|"Chip[0..2]"}`},
		`workloads.train.parallel.tensor: is 8 chips, and the schedule is linked to 4 nodes of kind nic`:              {shared, `{tensor: 4}, cores: "Chip[0..3]"}|{tensor: 8}, cores: "Chip[0..3]"}`},
		`Chat serves one model, and there are 2 workloads`:                                                            {shared, `model: gpt2, sequence: 64, dtype: bf16, training: {microbatches: 1}|model: llama3_8b, dtype: bf16, requests: {count: 1, prompt: 8, output: 2}`},
		`there is no workload for Chat`:                                                                               {shared, `requests: {count: 1, prompt: 64, output: 2}, cores: "Chip[4..7]"|training: {microbatches: 1}, cores: "Chip[0..3]"`},
		`nodes.Chat.workloads[1]: unknown workload "other" (want one of: train, chat)`:                                {shared, "kind: serve|kind: serve, workloads: [chat, other]"},
		`nodes.Train.workloads[0]: chat has requests, which a node of kind serve answers, and Train is a schedule`:    {shared, "grain: operator|grain: operator, workloads: [chat]"},
		`simulation.repeat: has no effect: Chat and Train go on at the same time`:                                     {shared, "nodes:|simulation: {repeat: sampled}\nnodes:"},
		`workloads.train: Chat and Train both may have train (want its cores:, or workloads: [train] at one of them)`: {two, `, cores: "Chip[0..3]"}|}`},
		`nodes.Train.workloads[0]: Chat and Train both have train (want one of them)`:                                 {two, "{name: Train, kind: schedule, grain: operator}|{name: Train, kind: schedule, grain: operator, workloads: [train]}"},
		`workloads.train.placement: "near" is not known`:                                                              {shared, `cores: "Chip[0..3]"}|placement: near, cores: "Chip[0..3]"}`},
		`workloads.train.placement: train wants 4 chips, and 3 are free for it at Train`:                              {shared, `cores: "Chip[0..3]"}|placement: linear, cores: "Chip[0..2]"}`},
		`workloads.train.placement: placement group needs a network with groups of routers`:                           {shared, `cores: "Chip[0..3]"}|placement: group, cores: "Chip[0..3]"}`},
	} {
		from, to, ok := strings.Cut(text[1], "|")
		require.True(t, ok)
		require.Contains(t, text[0], from)
		wrong := strings.Replace(text[0], from, to, 1)
		if strings.Contains(want, "nodes.Train.workloads[0]: Chat") { // both name it
			wrong = strings.ReplaceAll(text[0], from, to)
			wrong = strings.Replace(wrong, "{name: Chat, kind: schedule, grain: operator}", "{name: Chat, kind: schedule, grain: operator, workloads: [train]}", 1)
		}
		_, err := serve(t, wrong, experiment.Options{})
		assert.ErrorContains(t, err, want)
	}
}
