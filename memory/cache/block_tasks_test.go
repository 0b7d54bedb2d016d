package cache_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/configs"
)

// A cache in one loop with its driver reports the tasks that it reports by messages, if their number is bounded: the same
// requests, which begin and end in the same cycles, with the same steps and causes.
func TestTasksWithoutMessages(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		var trace strings.Builder
		trace.WriteString("op,addr\n")
		for range rapid.IntRange(1, 40).Draw(t, "accesses") {
			fmt.Fprintf(&trace, "%s,%d\n", rapid.SampledFrom([]string{"R", "R", "W"}).Draw(t, "op"), rapid.IntRange(0, 2000).Draw(t, "address"))
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "t.csv"), []byte(trace.String()), 0o600))
		text := fmt.Sprintf("schema: causeway/1\nnodes:\n  - {name: Driver, kind: driver, trace: t.csv, bytes: %dB, mode: \"closed:%d\"}\n  - {name: Up, kind: cache, fidelity: %s, size: 512B, ways: 2%s}\n  - {name: Mem, kind: memory, fidelity: ideal, latency: 30ns}\nlinks: [Driver -> Up.top, Up.bottom -> Mem]\n",
			rapid.SampledFrom([]int{8, 64, 160}).Draw(t, "bytes"), rapid.IntRange(1, 6).Draw(t, "window"), rapid.SampledFrom([]string{"functional", "timed"}).Draw(t, "fidelity"), rapid.SampledFrom([]string{"", ", prefetch: {name: next_line, degree: 1}", ", sectors: 2"}).Draw(t, "keys"))
		explained := rapid.Bool().Draw(t, "explained")
		most := rapid.IntRange(1, 50).Draw(t, "tasks reported")
		run := func(options ...engine.Option) (*taskLog, uint64) {
			doc, err := configs.Parse(filepath.Join(dir, "s.yaml"), []byte(text), configs.Options{})
			require.NoError(t, err)
			e := engine.New(options...)
			s, err := system.Build(doc, &system.Env{Engine: e, Seed: 1})
			require.NoError(t, err)
			log := &taskLog{ended: map[task.ID][]uint64{}, steps: map[task.What]int{}, causes: map[task.ID][]task.Cause{}}
			var listener task.Listener = log
			if !explained {
				listener = struct{ task.Listener }{log}
			}
			stream := task.NewStream(e, []task.Reporter{s.Node("Up").(task.Reporter)}, listener)
			stream.Limit(func(task.Kind) int { return most })
			require.NoError(t, s.Node("Driver").(system.Starter).Start())
			require.NoError(t, e.Run())
			stream.Close()
			return log, e.Events()
		}
		want, slow := run(engine.MessagesOnly())
		got, fast := run()
		require.NotEmpty(t, want.begun)
		require.Equal(t, want.begun, got.begun, text)
		require.Equal(t, want.ended, got.ended, text)
		require.Equal(t, want.steps, got.steps, text)
		require.Equal(t, want.causes, got.causes, text)
		require.Less(t, fast, slow, "without messages")
	})
}
