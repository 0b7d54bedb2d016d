package replay

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// table reads a file of figures; keys are the words of its first line.
func table(t testing.TB, file string) (rows []map[string]string) {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func number(t testing.TB, s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	require.NoError(t, err)
	return n
}

// astra is a ring of ASTRA-sim: one cycle is a nanosecond.
func astra(t testing.TB, npus int, gibps float64, latency int) machine {
	top, err := topology.New("ring", topology.RingSpec{Size: npus})
	require.NoError(t, err)
	alg, err := routing.New("dor", top, nil)
	require.NoError(t, err)
	return machine{
		net: channel.Config{
			Topology: top, Routing: alg, Width: 1, Store: true, Whole: true,
			Local: channel.Link{Latency: latency, Rate: gibps * (1 << 30) / 1e9},
		},
		before: 10, launch: 10,
		// Two operands read and one result written at 1600 B/ns.
		reduce: func(bytes int64) int { return 3 * int(bytes/1600) },
	}
}

// Reference: ASTRA-sim's congestion-aware back end, whole nanoseconds. The form
// stands in testdata's README; here events meet it.
func TestAstraSim(t *testing.T) {
	for _, row := range table(t, "testdata/astrasim_ring_1MB.csv") {
		op, err := collective.ParseOperation(row["collective"])
		require.NoError(t, err)
		n := int(number(t, row["npus"]))
		s, err := collective.New("ring", collective.Request{Operation: op, Ranks: n, Bytes: number(t, row["bytes"])},
			collective.RingSpec{Pipeline: collective.Pipeline{Chunks: 4, Active: 1}})
		require.NoError(t, err)
		got, _ := astra(t, n, float64(number(t, row["bandwidth_GiBps"])), int(number(t, row["link_latency_ns"]))).run(t, s)
		require.EqualValues(t, number(t, row["time_ns"]), got, "%s on %d", op, n)
	}
}
