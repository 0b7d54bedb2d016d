package watch_test

import (
	"github.com/causeway-sim/causeway/components/experiment"
	_ "github.com/causeway-sim/causeway/components/std"

	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/watch"
)

const observedConfig = `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, generate: {name: random, size: 1MiB, count: 3000}, mode: "closed:4"}
  - {name: LLC, kind: cache, size: 64KiB, ways: 4, clock: 1GHz}
  - {name: Mem, kind: memory, fidelity: bank, preset: ddr4_3200}
links:
  - Driver -> LLC.top
  - LLC.bottom -> Mem
`

// Looking on changes nothing: the result is the same to the byte. What was seen adds up to
// what was counted, and is the same under another order of events.
func TestObserving(t *testing.T) {
	run := func(engine string, observe bool) *result.Result {
		x, err := experiment.Parse("c", []byte(observedConfig), experiment.Options{Engine: engine, Observe: observe})
		require.NoError(t, err)
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err)
		return r
	}
	plain, seen := run("", false), run("", true)
	require.Nil(t, plain.Observed)
	a, err := plain.JSON()
	require.NoError(t, err)
	b, err := seen.JSON()
	require.NoError(t, err)
	require.Equal(t, string(a), string(b))

	s := seen.Observed.Series
	require.NotNil(t, s)
	require.Less(t, len(s.Rows), watch.MaxRows)
	require.Greater(t, len(s.Rows), watch.MaxRows/3)
	for _, name := range []string{"read_bytes", "requests_done"} {
		sum := 0.0
		for i := range s.Rows {
			sum += s.Number(i, s.Index("Driver."+name))
		}
		m, ok := seen.Metric("Driver", name)
		require.True(t, ok)
		require.Equal(t, m.Value, sum, name)
	}
	banks := seen.Observed.Find("banks")
	require.Len(t, banks, 1)
	for _, name := range []string{"hits", "misses", "conflicts"} {
		sum := 0.0
		for i := range banks[0].Rows {
			sum += banks[0].Number(i, banks[0].Index(name))
		}
		m, _ := seen.Metric("Mem", "row_"+name)
		require.Equal(t, m.Value, sum, name)
	}
	tensors := seen.Observed.Find("tensors")
	require.Len(t, tensors, 1)
	m, _ := seen.Metric("LLC", "hits")
	require.Equal(t, m.Value, tensors[0].Number(0, tensors[0].Index("hits")))
	tasks := seen.Observed.Tasks
	require.Contains(t, tasks.Kinds, "request")
	require.Less(t, len(tasks.Node), watch.MaxTasks)

	one, err := seen.Observed.JSON()
	require.NoError(t, err)
	two, err := run("shuffle:3", true).Observed.JSON()
	require.NoError(t, err)
	require.Equal(t, string(one), string(two))
	var back watch.Observed
	require.NoError(t, json.Unmarshal(one, &back))
	require.Equal(t, s.Columns, back.Series.Columns)
}
