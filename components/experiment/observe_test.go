package experiment

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/stats"
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
	run := func(engine string, observe bool) *Result {
		x, err := Parse("c", []byte(observedConfig), Options{Engine: engine, Observe: observe})
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
	require.Less(t, len(s.Rows), maxRows)
	require.Greater(t, len(s.Rows), maxRows/3)
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
	require.Less(t, len(tasks.Node), maxTasks)

	one, err := seen.Observed.JSON()
	require.NoError(t, err)
	two, err := run("shuffle:3", true).Observed.JSON()
	require.NoError(t, err)
	require.Equal(t, string(one), string(two))
	var back Observed
	require.NoError(t, json.Unmarshal(one, &back))
	require.Equal(t, s.Columns, back.Series.Columns)
}

// Where there are too many intervals, two become one; no count is lost.
func TestSeriesLogHalves(t *testing.T) {
	n := uint64(0)
	l := &seriesLog{step: 10, list: []summed{{"A.reads", stats.Request, []*uint64{&n}}}, last: make([]uint64, 1)}
	for i := range 1000 {
		n += uint64(i)
		l.note()
	}
	s := l.sheet(nil)
	require.Equal(t, 160.0, l.step)
	require.Len(t, s.Rows, 200)
	sum := 0.0
	for i := range s.Rows {
		require.Equal(t, 160*float64(i+1), s.Number(i, 0))
		sum += s.Number(i, 1)
	}
	require.Equal(t, 499500.0, sum)
}
