package tsim4cxl_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	_ "github.com/causeway-sim/causeway/components/std"
	"github.com/causeway-sim/causeway/memory/peers/tsim4cxl"
	"github.com/causeway-sim/causeway/workloads/player/hosts"
)

const study = "../../../configs/studies/tsim4cxl/"

func simulate(t testing.TB, config string, set ...string) *result.Result {
	x, err := experiment.Load(study+config, experiment.Options{Set: set, SetDir: study})
	require.NoError(t, err)
	res, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, result.Complete, res.Status, res.Reason)
	return res
}

func metric(t testing.TB, r *result.Result, where, name string) float64 {
	m, ok := r.Metric(where, name)
	require.True(t, ok, "%s %s", where, name)
	return m.Value
}

// Reference: runs of the published program with the DRAM of Ramulator 2.1: the time
// at which it stops, and the mean latency of reads and writes at the DRAM.
func TestRunsOfTheProgram(t *testing.T) {
	for _, c := range []struct {
		run, ports  string
		stop        float64
		read, write float64 // 0: not compared
	}{
		{"w1k", "1", 46, 0, 0},
		{"wr1k", "1", 1261, 54, 0},
		{"w64k", "1", 13579, 0, 3444},
		{"wr64k", "1", 62889, 251, 0},
		{"w64k_2h", "2", 39595, 0, 13267},
		{"wr64k_2h", "2", 103946, 0, 0},
	} {
		r := simulate(t, "compat.yaml", "run="+c.run, "ports="+c.ports)
		stop := metric(t, r, "Path", "stop_time")
		t.Logf("%s: %.0f ns, the program %.0f (%+.1f%%)", c.run, stop, c.stop, 100*(stop/c.stop-1))
		require.InEpsilon(t, c.stop, stop, 0.15, c.run)
		if c.read > 0 {
			got := metric(t, r, "Mem", "read_latency_from_accept_mean_ns")
			t.Logf("%s: reads at the DRAM %.0f ns, the program %.0f", c.run, got, c.read)
			require.InEpsilon(t, c.read, got, 0.25)
		}
		if c.write > 0 {
			require.InEpsilon(t, c.write, metric(t, r, "Mem", "latency_mean"), 0.15)
		}
	}
	r := simulate(t, "compat.yaml", "ports=2")
	require.InEpsilon(t, 4114, metric(t, r, "Hosts", "total_time"), 0.15)
	require.Equal(t, 16., metric(t, r, "Path", "read_flits"))
	require.Equal(t, 40., metric(t, r, "Path", "write_flits"))
}

// The first line of our own fabric, with the same latencies: 257 ns by the rules, and
// the DRAM.
func TestFirstRead(t *testing.T) {
	r := simulate(t, "lammps.yaml", "hosts=1", "trace=traces/first/r%d.txt")
	require.InDelta(t, 297.5, metric(t, r, "Hosts", "read_packet_latency_min"), 7.5)
}

func inputs(t testing.TB, file string) string {
	dir := os.Getenv("CAUSEWAY_INPUTS")
	if dir == "" {
		dir = "../../../../shared/inputs"
	}
	path := filepath.Join(dir, file)
	if _, err := os.Stat(path); err != nil {
		t.Skip("no input " + file)
	}
	return filepath.Join(dir, "tsim4cxl")
}

// The counts of the traces, whatever is below the hosts.
func TestCounts(t *testing.T) {
	dir := inputs(t, "tsim4cxl/lmps/r0.txt")
	s := hosts.DefaultSpec()
	for _, c := range []struct {
		trace string
		host  int
		want  [2]hosts.Count
		bytes [2]uint64
	}{
		{"lmps", 0, [2]hosts.Count{{Packets: 55926, Lines: 882609, Aligned: 883285}, {Packets: 55982, Lines: 883481, Aligned: 884141}}, [2]uint64{56430792, 56486520}},
		{"lmps", 1, [2]hosts.Count{{Packets: 55982, Lines: 883481, Aligned: 884141}, {Packets: 55926, Lines: 882609, Aligned: 883285}}, [2]uint64{56486520, 56430792}},
		{"llm", 0, [2]hosts.Count{{Packets: 298182, Lines: 4770912, Aligned: 4770912}, {Packets: 298182, Lines: 4770912, Aligned: 4770912}}, [2]uint64{305338368, 305338368}},
	} {
		s.Trace = filepath.Join(dir, c.trace, "r%d.txt")
		programs, err := hosts.Read(s)
		require.NoError(t, err)
		require.Len(t, programs, 2)
		var got [2]hosts.Count
		var bytes [2]uint64
		for _, q := range programs[c.host].Requests {
			k := 0
			if q.Write {
				k = 1
			}
			n := q.Count(1024)
			got[k].Packets += n.Packets
			got[k].Lines += n.Lines
			got[k].Aligned += n.Aligned
			bytes[k] += uint64(q.Size)
		}
		require.Equal(t, c.want, got)
		require.Equal(t, c.bytes, bytes)
	}
}

// The start of LAMMPS through flits, credits and banks, on more hosts than traces:
// every line once.
func TestLammps(t *testing.T) {
	inputs(t, "tsim4cxl/lmps/r0.txt")
	if os.Getenv("CAUSEWAY_INPUTS") == "" {
		t.Setenv("CAUSEWAY_INPUTS", filepath.Dir(inputs(t, "tsim4cxl/lmps/r0.txt")))
	}
	for _, n := range []string{"2", "5"} {
		r := simulate(t, "lammps.yaml", "limit=6", "hosts="+n)
		require.Equal(t, metric(t, r, "Hosts", "read_lines_aligned"), metric(t, r, "Far.Dev", "line_reads"))
		require.Equal(t, metric(t, r, "Hosts", "write_lines_aligned"), metric(t, r, "Far.Dev", "line_writes"))
	}
}

func TestBadLatencies(t *testing.T) {
	for text, want := range map[string]string{"5cycle": "in cycles", "0.5ps": "parts of a ps", "1000s": "beyond 1ms"} {
		s := tsim4cxl.DefaultSpec()
		require.NoError(t, s.Link.UnmarshalText([]byte(text)))
		_, err := tsim4cxl.New("Path", engine.New(), s)
		require.ErrorContains(t, err, want)
	}
}
