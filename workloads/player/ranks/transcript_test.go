package ranks_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/workloads/player/ranks"
)

var update = flag.Bool("update", false, "write testdata/runs.txt again")

// testdata/runs.txt has systems of ranks and what a run of each reports: metrics, rows of ranks, the
// first intervals, and the causes of the time. Blocks are separated by empty lines; a block has its
// reason (#), keys of the ranks and of the network, and after ---- the report. go test -update writes
// the reports again; a change of them is to be explained by the change of the model.
func TestTranscript(t *testing.T) {
	const file = "testdata/runs.txt"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var blocks []string
	for _, block := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		head, _, _ := strings.Cut(block, "\n----")
		keys := map[string]string{}
		for _, line := range strings.Split(head, "\n") {
			key, value, _ := strings.Cut(line, " ")
			keys[key] = value
		}
		require.NotEmpty(t, keys["#"], block)
		blocks = append(blocks, head+"\n----\n"+report(t, keys["ranks:"], keys["net:"]))
	}
	got := strings.Join(blocks, "\n\n") + "\n"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	require.Equal(t, string(text), got)
}

// report runs ranks over a network and writes down what they report.
func report(t *testing.T, player, net string) string {
	e, s, err := built("nodes:\n  - {name: Ranks, kind: ranks, " + player + "}\n" +
		"  - {name: Net, kind: network, clock: 1GHz, width: 8B, " + net + "}\nlinks: [Ranks -> Net]\n")
	require.NoError(t, err, player)
	var c *ranks.Comp
	for _, n := range s.Nodes() {
		if r, ok := n.(*ranks.Comp); ok {
			c = r
			c.RecordDetail()
		}
	}
	for _, n := range s.Nodes() {
		if x, ok := n.(system.Starter); ok {
			require.NoError(t, x.Start())
		}
	}
	require.NoError(t, e.Run())
	require.Empty(t, c.Stats().Verify())
	var b strings.Builder
	for _, m := range c.Stats().Metrics() {
		if m.Value != 0 {
			fmt.Fprintf(&b, "%s %.8g %s\n", m.Name, m.Value, m.Unit)
		}
	}
	for _, r := range c.Layers().Held().Rows {
		fmt.Fprintln(&b, append([]any{"rank"}, r...)...)
	}
	_, detail := c.Detail()
	rows := detail.Held().Rows
	for _, r := range rows[:min(len(rows), 6)] {
		fmt.Fprintln(&b, append([]any{"interval"}, r...)...)
	}
	describe(&b, c.Causes(), "")
	return strings.TrimSpace(b.String())
}

func describe(b *strings.Builder, t *cause.Tree, indent string) {
	if t.Time != 0 {
		fmt.Fprintf(b, "%scause %s %.8g\n", indent, strings.TrimSpace(t.Name+" "+t.Where), t.Time)
	}
	for _, p := range t.Parts {
		describe(b, p, indent+"  ")
	}
}
