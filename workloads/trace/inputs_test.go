package trace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Traces of other tools, found by their content.
func TestInputs(t *testing.T) {
	for _, c := range []struct {
		file, format    string
		records, writes uint64
		last            uint64 // time
		tick            Tick
	}{
		{"memtrace/dramsim3_example.trace.gz", "dramsim3", 38374, 33009, 14712444, Tick{Unit: Cycles}},
		{"memtrace/example.stl", "dramsys", 1876, 1108, 468, Tick{Unit: Cycles}},
		{"memtrace/pct.stl", "dramsys", 100, 100, 99, Tick{Unit: Cycles}},
		{"memtrace/example_inst.trace", "ramulator_inst", 10, 2, 29, Tick{Unit: Instructions}},
		{"memtrace/usimm.trc", "usimm", 1000, 425, 507595, Tick{Unit: Instructions}},
		{"memtrace/tgen-simple-mem.trc", "gem5", 2, 1, 4000, picosecond},
		{"tsim4cxl/r0.txt", "tsim4cxl", 2, 1, 2000, Nanosecond},
		{"tsim4cxl/llm/r0.txt", "tsim4cxl", 780, 390, 0, Nanosecond},
		{"tsim4cxl/lmps/r0.txt", "tsim4cxl", 3800, 1900, 1533840905, Nanosecond},
	} {
		t.Run(c.file, func(t *testing.T) {
			f, err := Open(input(t, c.file), Options{})
			require.NoError(t, err)
			defer f.Close()
			require.Equal(t, c.format, f.Format)
			require.Equal(t, c.tick, f.Header().Tick)
			s, err := Summarize(f)
			require.NoError(t, err)
			t.Logf("%+v", s)
			require.Equal(t, c.records, s.Records)
			require.Equal(t, c.writes, s.Writes)
			if c.last > 0 {
				require.Equal(t, c.last, s.Last)
			}
		})
	}
}

// The delta file of TSim4CXL is read together with its trace; one that ends early is a
// fault of the request without a time.
func TestDeltas(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("r7.txt", "W:0:64:\nR:64:64:\nTerminate:0:0:\n")
	write("d7.txt", "5\n7")
	f, err := Open(filepath.Join(dir, "r7.txt"), Options{})
	require.NoError(t, err)
	got, err := read(f)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.Equal(t, []Record{{Time: 5, Size: 64, Write: true}, {Time: 12, Addr: 64, Size: 64}}, got)

	write("d7.txt", "5\n")
	f, err = Open(filepath.Join(dir, "r7.txt"), Options{})
	require.NoError(t, err)
	defer f.Close()
	got, err = read(f)
	require.Len(t, got, 1)
	require.ErrorContains(t, err, "r7.txt:2:1: ")
	require.ErrorContains(t, err, "d7.txt has no time for this request: it ends behind line 1")
}
