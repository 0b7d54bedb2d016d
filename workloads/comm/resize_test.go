package comm_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/comm/chakra"
	"github.com/causeway-sim/causeway/workloads/comm/commtest"
)

// step is a training step of n ranks: tensor parallel in blocks, data parallel across
// them, messages to the neighbour inside a block.
func step(t require.TestingT, n, block int, bytes uint64) *comm.Program {
	p := comm.NewProgram(n)
	for i := range p.Ranks {
		first := i / block * block
		var inside, across []int32
		for j := range block {
			inside = append(inside, int32(first+j))
		}
		for j := i % block; j < n; j += block {
			across = append(across, int32(j))
		}
		r := &p.Ranks[i]
		r.Add(comm.Op{Kind: comm.Compute, Time: units.Time(1+i%block) * units.Microsecond})
		r.Add(comm.Op{Kind: comm.Collective, Coll: comm.AllReduce, Group: p.Group(inside), Bytes: bytes}, comm.After(0))
		r.Add(comm.Op{Kind: comm.Collective, Coll: comm.Broadcast, Group: p.Group(inside), Peer: inside[block-1], Bytes: bytes}, comm.After(1))
		r.Add(comm.Op{Kind: comm.Send, Peer: int32(first + (i+1)%block), Tag: 7, Bytes: 32}, comm.After(2))
		r.Add(comm.Op{Kind: comm.Recv, Peer: int32(first + (i+block-1)%block), Tag: 7, Bytes: 32}, comm.After(2))
		r.Add(comm.Op{Kind: comm.Load, Bytes: 4096}, comm.After(4))
		for _, c := range []comm.Coll{comm.ReduceScatter, comm.AllGather, comm.AllToAll, comm.AllReduce} {
			r.Add(comm.Op{Kind: comm.Collective, Coll: c, Group: p.Group(across), Bytes: bytes}, comm.After(5))
		}
		r.Add(comm.Op{Kind: comm.Collective, Coll: comm.Gather, Peer: 1, Bytes: bytes}, comm.After(6))
		r.Add(comm.Op{Kind: comm.Collective, Coll: comm.Barrier}, comm.After(10))
		require.NoError(t, r.Seal())
	}
	return p
}

func chakraBytes(t require.TestingT, p *comm.Program) (out []string) {
	require.NoError(t, p.Check())
	for i := range p.Ranks {
		var b bytes.Buffer
		require.NoError(t, chakra.Write(&b, p, i))
		out = append(out, b.String())
	}
	return out
}

func resized(t require.TestingT, p *comm.Program, to comm.Resizing) *comm.Program {
	out, err := comm.Resize(p, to)
	require.NoError(t, err)
	require.Len(t, out.Ranks, to.Ranks)
	return out
}

// As many ranks are the same bytes; more and then as many as before, too, through
// files; each rank has as many operations as that it is a copy of.
func TestResizeAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		block := rapid.IntRange(2, 4).Draw(t, "block")
		n := block * rapid.IntRange(1, 3).Draw(t, "replicas")
		times := rapid.IntRange(2, 4).Draw(t, "times")
		keep := rapid.SampledFrom(comm.Keeps).Draw(t, "keep")
		p := commtest.Rewrite(t, step(t, n, block, 5040*16), chakra.Write)
		want := chakraBytes(t, p)
		require.Equal(t, want, chakraBytes(t, resized(t, p, comm.Resizing{Ranks: n})))
		more := resized(t, p, comm.Resizing{Ranks: n * times, Block: block, Keep: keep})
		require.Equal(t, want, chakraBytes(t, p), "the original stays as it is")
		for i := range more.Ranks {
			require.Equal(t, p.Ranks[i%n].Len(), more.Ranks[i].Len())
		}
		for _, q := range comm.Pairs(more) {
			require.Equal(t, q.Sent, q.Received)
		}
		require.Equal(t, want, chakraBytes(t, resized(t, commtest.Rewrite(t, more, chakra.Write), comm.Resizing{Ranks: n, Block: block, Keep: keep})))
	})
}

// A trace that grows is that of a training step which was made for as many ranks.
func TestResizeIsTheLargerStep(t *testing.T) {
	const bytes = 5040 * 16
	more := resized(t, step(t, 4, 2, bytes), comm.Resizing{Ranks: 12, Block: 2})
	larger := step(t, 12, 2, bytes)
	for i := range larger.Ranks {
		for j := range larger.Ranks[i].Len() {
			want, got := *larger.Ranks[i].Op(j), *more.Ranks[i].Op(j)
			require.Equal(t, larger.Groups[want.Group], more.Groups[got.Group], "rank %d, operation %d", i, j)
			want.Group, want.Bytes = got.Group, got.Bytes
			require.Equal(t, want, got, "rank %d, operation %d", i, j)
			require.Equal(t, larger.Ranks[i].Deps(j), more.Ranks[i].Deps(j))
		}
	}
}

// Bytes of all ranks, k times as many, by what is kept. The communicators of the
// tensor-parallel blocks are as large as before.
func TestResizeBytes(t *testing.T) {
	const n, block, k, bytes = 4, 2, 3, 5040 * 16
	for _, c := range []struct {
		keep string
		want map[comm.Coll]uint64
	}{
		{"shares", map[comm.Coll]uint64{comm.ReduceScatter: k * k, comm.AllToAll: k * k, comm.AllGather: k, comm.Gather: k, comm.AllReduce: 2 * k, comm.Broadcast: k}},
		{"vectors", map[comm.Coll]uint64{comm.ReduceScatter: k, comm.AllToAll: k, comm.AllGather: 1, comm.Gather: 1, comm.AllReduce: 2 * k, comm.Broadcast: k}},
	} {
		s := comm.Summarize(resized(t, step(t, n, block, bytes), comm.Resizing{Ranks: n * k, Block: block, Keep: c.keep}))
		for coll, times := range c.want {
			require.Equal(t, times*n*bytes, s.CollBytes[coll], "%s, %s", c.keep, coll)
		}
		require.EqualValues(t, k*n*32, s.SentBytes)
		require.EqualValues(t, k*n, s.Ops[comm.Load])
	}
}

func TestResizeRefuses(t *testing.T) {
	plain := comm.NewProgram(4)
	for i := range plain.Ranks {
		plain.Ranks[i].Add(comm.Op{Kind: comm.Collective, Coll: comm.AllGather, Bytes: 10})
		require.NoError(t, plain.Ranks[i].Seal())
	}
	huge := comm.NewProgram(1)
	huge.Ranks[0].Add(comm.Op{Kind: comm.Collective, Coll: comm.ReduceScatter, Bytes: 1 << 63})
	require.NoError(t, huge.Ranks[0].Seal())
	ring := comm.NewProgram(4)
	for i := range ring.Ranks {
		ring.Ranks[i].Add(comm.Op{Kind: comm.Send, Peer: int32((i + 1) % 4)})
		ring.Ranks[i].Add(comm.Op{Kind: comm.Recv, Peer: int32((i + 3) % 4)})
		require.NoError(t, ring.Ranks[i].Seal())
	}
	uneven := comm.NewProgram(4)
	uneven.Groups = append(uneven.Groups, []int32{0, 1, 2})
	for _, c := range []struct {
		p    *comm.Program
		to   comm.Resizing
		want string
	}{
		{plain, comm.Resizing{Ranks: 6}, "ranks is 6 (want one of: 1, 2, 4, or a multiple of 4 up to 1048576)"},
		{plain, comm.Resizing{Ranks: 0}, "ranks is 0 (want one of: 1, 2, 4, or"},
		{plain, comm.Resizing{Ranks: 1 << 21}, "ranks is 2097152 (want one of"},
		{plain, comm.Resizing{Ranks: 1, Block: 2}, "ranks is 1 (want one of: 2, 4, or"},
		{plain, comm.Resizing{Ranks: 8, Block: 3}, "block is 3 (want a divisor of 4, the ranks there are: 1, 2, 4)"},
		{plain, comm.Resizing{Ranks: 8, Keep: "all"}, `keep: unknown "all" (want one of: shares, vectors)`},
		{plain, comm.Resizing{Ranks: 16, Keep: "vectors"}, "rank 0: operation 0 (all_gather of 10B): has 10 bytes, 4/16 of which are no whole number"},
		{huge, comm.Resizing{Ranks: 2}, "has 9223372036854775808 bytes, 2/1 of which are too many"},
		{ring, comm.Resizing{Ranks: 2}, "rank 0: operation 1 (recv of 0B from rank 3, tag 0): rank 3 is not among the same 2 ranks"},
		{step(t, 4, 2, 64), comm.Resizing{Ranks: 8}, "block is missing: there are communicators of some ranks, such as ranks 0, 1, and nothing says"},
		{uneven, comm.Resizing{Ranks: 2, Block: 2}, "communicator 1 of ranks 0, 1, 2 does not repeat every 2 ranks"},
	} {
		_, err := comm.Resize(c.p, c.to)
		require.ErrorContains(t, err, c.want)
	}
}

// Where the root of a collective goes away, its place among those that stay is the root.
func TestResizeRoot(t *testing.T) {
	p := comm.NewProgram(8)
	for i := range p.Ranks {
		p.Ranks[i].Add(comm.Op{Kind: comm.Collective, Coll: comm.Broadcast, Peer: 5, Bytes: 64})
		require.NoError(t, p.Ranks[i].Seal())
	}
	require.EqualValues(t, 1, resized(t, p, comm.Resizing{Ranks: 4}).Ranks[3].Op(0).Peer)
	require.EqualValues(t, 5, resized(t, p, comm.Resizing{Ranks: 16}).Ranks[15].Op(0).Peer)
}
