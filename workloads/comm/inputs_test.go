package comm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/comm"
	_ "github.com/causeway-sim/causeway/workloads/comm/chakra"
	_ "github.com/causeway-sim/causeway/workloads/comm/dumpi"
	_ "github.com/causeway-sim/causeway/workloads/comm/goal"
	_ "github.com/causeway-sim/causeway/workloads/comm/pmpi"
)

// inputFile is a file made by others; the test is skipped where it is not there.
func inputFile(t testing.TB, name string) string {
	dir := os.Getenv("CAUSEWAY_INPUTS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "inputs")
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(strings.ReplaceAll(path, "%d", "0")); err != nil {
		t.Skipf("no %s", name)
	}
	return path
}

// Every file made by others loads, with what it holds counted by other means.
func TestInputs(t *testing.T) {
	for _, c := range []struct {
		file, format string
		ranks        int
		ops          map[comm.Kind]uint64
	}{
		{"goal/binary_tree_32.goal", "goal", 32, map[comm.Kind]uint64{comm.Send: 31, comm.Recv: 31}},
		{"dumpi/df_AMG_n27_dumpi.tar.gz", "dumpi", 27, map[comm.Kind]uint64{comm.Send: 15524, comm.Recv: 15524}},
		{"chakra/feeder_tests_trace.tar.gz", "chakra", 1, map[comm.Kind]uint64{comm.Collective: 7, comm.Compute: 3657}},
		{"astrasim/custom_allreduce.%d.et", "chakra", 1, map[comm.Kind]uint64{comm.Send: 14, comm.Recv: 14, comm.Compute: 7}},
		{"astrasim/all_reduce_4npus_1MB/all_reduce.%d.et", "chakra", 4, map[comm.Kind]uint64{comm.Collective: 4}},
		{"astrasim/all_reduce/8npus_1MB", "chakra", 8, map[comm.Kind]uint64{comm.Collective: 8}},
		{"astrasim/all_gather/4npus_1MB", "chakra", 4, map[comm.Kind]uint64{comm.Collective: 4}},
		{"astrasim/all_gather/8npus_1MB", "chakra", 8, map[comm.Kind]uint64{comm.Collective: 8}},
		{"astrasim/all_to_all/4npus_1MB", "chakra", 4, map[comm.Kind]uint64{comm.Collective: 4}},
		{"astrasim/all_to_all/8npus_1MB", "chakra", 8, map[comm.Kind]uint64{comm.Collective: 8}},
		{"astrasim/reduce_scatter/4npus_1MB", "chakra", 4, map[comm.Kind]uint64{comm.Collective: 4}},
		{"astrasim/reduce_scatter/8npus_1MB", "chakra", 8, map[comm.Kind]uint64{comm.Collective: 8}},
	} {
		t.Run(c.file, func(t *testing.T) {
			p, format, err := comm.Open(inputFile(t, c.file), comm.Options{})
			require.NoError(t, err)
			require.Equal(t, c.format, format)
			require.Len(t, p.Ranks, c.ranks)
			s := comm.Summarize(p)
			t.Logf("%+v", s)
			for k, n := range c.ops {
				require.Equal(t, n, s.Ops[k], "%s", k)
			}
			if s.Beyond == 0 {
				require.NoError(t, p.Check())
			}
		})
	}
}

// AMG on 27 ranks: what a rank sends to another is what that receives from it.
func TestAMGIsBalanced(t *testing.T) {
	p, _, err := comm.Open(inputFile(t, "dumpi/df_AMG_n27_dumpi.tar.gz"), comm.Options{Ranks: 27})
	require.NoError(t, err)
	pairs := comm.Pairs(p)
	total := uint64(0)
	for _, q := range pairs {
		require.Equal(t, q.Sent, q.Received, "%d -> %d", q.From, q.To)
		require.Equal(t, q.SentBytes, q.ReceiveBytes, "%d -> %d", q.From, q.To)
		total += q.SentBytes
	}
	t.Logf("%d pairs, %d bytes", len(pairs), total)
	require.NotEmpty(t, pairs)
}
