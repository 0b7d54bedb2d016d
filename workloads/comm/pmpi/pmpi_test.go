package pmpi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/comm/commtest"
)

const pmpiText = `# Init clockdiff: 0.0
MPI_Init:0:0:0.000000:100.000000
MPI_Comm_size:101:0,0,2:2:102
MPI_Irecv : 110.0 : 14744192 : 10 : 13,8,8 : -1 : 76 : 5641280,0,2 : 7000 : 111.0
MPI_Send : 120.0 : 11251872 : 4 : 11,8,8 : 1 : 7 : 0,0,2 : 121.0
MPI_Waitall : 130.0 : 1 : 7000 : 5839040 : 140.0
MPI_Allreduce : 140.0 : 1 : 2 : 3 : 2,4,4 : 3 : 5,0,2 : 150.0
MPI_Alltoall : 150.0 : 1 : 3 : 10,8,8 : 2 : 3 : 10,8,8 : 5,0,2 : 160.0
MPI_Scan : 160.0 : 1 : 2 : 3 : 2,4,4 : 3 : 5,0,2 : 161.0
MPI_Barrier:161.0:3,0,2:162.0
MPI_Finalize:163:163
`

func TestPMPI(t *testing.T) {
	p, err := commtest.Load(t, map[string]string{"t-0.txt": pmpiText, "t-1.txt": "MPI_Init:0:1\nMPI_Sendrecv:2:9:1:1,4,4:0:0:9:1:1,4,4:0:0:7,1,2:9:3\n"}, "t-%d.txt")
	require.NoError(t, err)
	require.Equal(t, `0 compute 10us
1 recv of 80B from any rank, tag 76, after 0
2 compute 9us, with 1
3 send of 32B to rank 1, tag 7, after 2
4 compute 9us, after 3
5 join, after 1, after 4
6 all_reduce of 12B, after 5
7 all_to_all of 48B, after 6
8 send of 12B to rank 1, tag 1099511627776, after 7
9 barrier of 0B, after 8
`, commtest.Dump(&p.Ranks[0]))
	require.Equal(t, "0 compute 1us\n1 send of 4B to rank 0, tag 0, after 0\n2 recv of 4B from rank 0, tag 0, with 1\n3 join, after 1, after 2, with 2\n", commtest.Dump(&p.Ranks[1]))
}

func TestPMPIErrors(t *testing.T) {
	for line, want := range map[string]string{
		"MPI_Send:1:2:3":                         "t-0.txt:2: MPI_Send has 1 arguments (want 2 or more)",
		"MPI_Send:1:2:x:11,8,8:1:7:0,0,2:9":      `t-0.txt:2: MPI_Send: argument 2 is "x", no number`,
		"MPI_Send:1:2:3:11:1:7:0,0,2:9":          `t-0.txt:2: MPI_Send: 3 elements of type "11" have no size`,
		"MPI_Barrier:1:3,1,2:9":                  "t-0.txt:2: MPI_Barrier: a communicator in which this is rank 1, and the trace does not say of whom (only that of all ranks is read)",
		"MPI_Alltoallv:1:2":                      "t-0.txt:2: MPI_Alltoallv is not read",
		"MPI_Barrier:x:3,0,2:9":                  "t-0.txt:2: MPI_Barrier has no times",
		"what is this":                           `t-0.txt:2: "what is this" is no call (want MPI_NAME:time:...:time)`,
		"MPI_Barrier:999999999999999:3,0,2:1e17": "t-0.txt:2: 9.99999999999999e+14 us between two calls",
	} {
		_, err := commtest.Load(t, map[string]string{"t-0.txt": "MPI_Init:0:0\n" + line + "\n"}, "t-%d.txt")
		require.EqualError(t, err, want)
	}
}

func FuzzPMPI(f *testing.F) {
	f.Add([]byte(pmpiText))
	commtest.Fuzz(f, "pmpi")
}
