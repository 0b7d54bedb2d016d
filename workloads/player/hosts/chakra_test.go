package hosts_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/comm/chakra"
	"github.com/causeway-sim/causeway/workloads/player/hosts"
)

// graph writes a program as Chakra traces and returns their pattern.
func graph(t *testing.T, p *comm.Program) string {
	dir := t.TempDir()
	for i := range p.Ranks {
		require.NoError(t, p.Ranks[i].Seal())
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("t.%d.et", i)))
		require.NoError(t, err)
		require.NoError(t, chakra.Write(f, p, i))
		require.NoError(t, f.Close())
	}
	return filepath.Join(dir, "t.%d.et")
}

// Nodes of memory become requests in the order of the graph, with the computation
// in front of them, and addresses of their own.
func TestChakraMemoryNodes(t *testing.T) {
	p := comm.NewProgram(2)
	r := &p.Ranks[0]
	// written down backwards: the store waits for the computation, that for both loads
	store := r.Add(comm.Op{Kind: comm.Store, Bytes: 100})
	compute := r.Add(comm.Op{Kind: comm.Compute, Time: 7 * units.Microsecond})
	a := r.Add(comm.Op{Kind: comm.Load, Bytes: 4096})
	b := r.Add(comm.Op{Kind: comm.Load, Bytes: 64})
	r.Require(store, comm.After(compute))
	r.Require(compute, comm.After(a))
	r.Require(compute, comm.After(b))
	r.Add(comm.Op{Kind: comm.Compute, Time: 3 * units.Microsecond}, comm.After(store))
	p.Ranks[1].Add(comm.Op{Kind: comm.Load, Bytes: 1})

	s := hosts.DefaultSpec()
	s.Trace, s.Format = graph(t, p), "chakra"
	got, err := hosts.Read(s)
	require.NoError(t, err)
	require.Len(t, got, 2)
	require.Equal(t, hosts.Program{Tail: 3_000_000, Requests: []hosts.Request{
		{Addr: 0, Size: 4096}, {Addr: 4096, Size: 64}, {Addr: 4160, Size: 100, Write: true, Delta: 7_000_000},
	}}, got[0])
	require.Equal(t, []hosts.Request{{Size: 1}}, got[1].Requests)

	s.Computing = false
	got, err = hosts.Read(s)
	require.NoError(t, err)
	require.Zero(t, got[0].Tail+got[0].Requests[2].Delta)
}

func TestChakraOfOtherNodes(t *testing.T) {
	s := hosts.DefaultSpec()
	s.Format = "chakra"
	for _, x := range []struct {
		op   comm.Op
		want string
	}{
		{comm.Op{Kind: comm.Collective, Coll: comm.AllReduce, Bytes: 64}, "is no access to memory (kind ranks plays messages and collectives)"},
		{comm.Op{Kind: comm.Compute, Work: 100}, "has operations and no time"},
		{comm.Op{Kind: comm.Load, Bytes: 1 << 33}, "(want 1 to 4 GiB)"},
	} {
		p := comm.NewProgram(1)
		p.Ranks[0].Add(x.op)
		s.Trace = graph(t, p)
		_, err := hosts.Read(s)
		require.ErrorContains(t, err, x.want)
	}
	s.Trace = filepath.Join(t.TempDir(), "none.%d.et")
	_, err := hosts.Read(s)
	require.Error(t, err)
}
