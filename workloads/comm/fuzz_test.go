package comm

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// fuzz reads arbitrary bytes as a file of one rank: a program or an *Error.
func fuzz(f *testing.F, format string) {
	f.Fuzz(func(t *testing.T, b []byte) {
		e, ok := All.Entry(format)
		require.True(t, ok)
		l := &loader{building: building{ranks: map[int]*Rank{}}, format: e}
		err := e.New.read(&input{name: "f", size: int64(len(b)), at: bytes.NewReader(b)}, &l.building)
		var p *Program
		if err == nil {
			if l.n > 1<<12 {
				return
			}
			p, err = l.done("f")
		}
		if err != nil {
			require.ErrorAs(t, err, new(*Error))
			return
		}
		_ = p.Check()
		_ = Summarize(p)
		_ = Pairs(p)
	})
}

func FuzzGOAL(f *testing.F) {
	f.Add([]byte(goalText))
	fuzz(f, "goal")
}

func FuzzPMPI(f *testing.F) {
	f.Add([]byte(pmpiText))
	fuzz(f, "pmpi")
}

func FuzzChakra(f *testing.F) {
	f.Add([]byte(chakraSample(f)))
	fuzz(f, "chakra")
}

func FuzzChakraJSON(f *testing.F) {
	f.Add([]byte(`{"workload_graph": [{"Id": 7, "NodeType": 5, "data_deps": [4], "comm_size": 64, "comm_dst": 0}]}`))
	f.Add([]byte(`{"version": "0.0.4"}{"id": "8", "type": "COMM_COLL_NODE", "attr": [{"name": "is_cpu_op", "boolVal": true}]}`))
	fuzz(f, "chakra_json")
}

func FuzzDUMPI(f *testing.F) {
	d := newDumpi()
	d.call("Init", []int32{})
	d.call("Comm_split", 2, 0, 0, 4)
	d.call("Irecv", 2, 14, 0, 5, 4, 9)
	d.call("Waitall", 1, []int32{9})
	d.call("Gatherv", 0, 1, 5, 14, 0, 2, []int32{5}, []int32{0}, 14)
	d.call("Allreduce", 2, 14, 3, 4)
	f.Add([]byte(d.text()))
	fuzz(f, "dumpi")
}
