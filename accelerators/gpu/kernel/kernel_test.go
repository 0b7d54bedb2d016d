package kernel

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// round is a machine whose times follow by hand: 10 SMs at 1 GHz of 1024 products a
// clock, all overlaps perfect, nothing around the loops.
func round() Machine {
	return Machine{SMs: 10, Clock: 1e9, Tensor: 1024, Vector: 64, Shared: 1e6, SharedSize: 64 << 10, L2: 1e6, L2Bandwidth: 1e15, Memory: 1e15, Latency: 1e-9,
		Sustained: 1, Issue: 1, Tuning: Tuning{Overlap: 64, Choice: 1e-4}}
}

// Ten tiles of 128 x 128 on ten SMs take one round, eleven take two, if no other tile
// is at hand: tile and wave quantization.
func TestTilesGoInRounds(t *testing.T) {
	m := round()
	tile := Tile{M: 128, N: 128, WarpM: 64, WarpN: 64, Split: 1}
	loop := 1024.0 * 128 * 128 / 1024 * 1e-9
	for n, want := range map[int]float64{1: 1, 5: 1, 10: 1, 11: 2, 20: 2, 21: 3} {
		c := m.cut(Product{Batch: 1, M: 128, N: 128 * n, K: 1024, Bytes: 2}, tile, m.SMs, math.Inf(1))
		require.InEpsilon(t, want*loop, c.Total, 1e-3, "%d tiles", n)
		require.EqualValues(t, want, c.Rounds)
	}
	tile.Split = 2
	c := m.cut(Product{Batch: 1, M: 128, N: 128 * 5, K: 1024, Bytes: 2}, tile, m.SMs, math.Inf(1))
	require.InEpsilon(t, loop/2, c.Total, 1e-3, "half of the SMs would stand without the split")
}

// What bounds a product: bytes of few rows, power of many, shared memory of warps with
// small tiles, the L2's panels.
func TestRoofsOfAProduct(t *testing.T) {
	m := round()
	m.Memory = 1e12
	few := m.GEMM(Product{Batch: 1, M: 1, N: 8192, K: 8192, Bytes: 2})
	require.InEpsilon(t, 2*8192*8192/1e12, few.Total, 0.05)
	big := Product{Batch: 1, M: 4096, N: 4096, K: 4096, Bytes: 2}
	free := m.GEMM(big).Total
	m.Sustained = 0.5
	require.InEpsilon(t, math.Pow(4096, 3)/(10*1024e9*0.5), m.GEMM(big).Total, 0.01)
	require.Greater(t, m.GEMM(big).Total, 1.8*free)

	m = round()
	m.Shared = 64 // bytes per clock: a warp tile of 64 x 64 needs 4 x 128 x 2 B + 512 B per 16 clocks
	narrow := m.GEMM(big)
	require.InEpsilon(t, free*(4*128*2+512)/64/16, narrow.Total, 0.6)
	m.Group = true // four warps read 2 x (64 + 128) x 2 B
	require.Less(t, m.GEMM(big).Total, 0.95*narrow.Total)

	m = round()
	m.L2Bandwidth = 1e11
	slow := m.GEMM(big)
	require.Greater(t, slow.Total, 2*free)
	m.Group = true // clusters load panels together
	require.Less(t, m.GEMM(big).Total, slow.Total)
}

// Launch and least hold for every kernel, and the operands that the L2 holds do not
// come from memory.
func TestStreams(t *testing.T) {
	m := round()
	m.Memory, m.L2Bandwidth, m.Latency = 1e12, 4e12, 1e-12
	s := Stream{Read: 6e6, Write: 2e6, Elements: 1e6}
	require.InEpsilon(t, 8e6/1e12, m.Stream(s).Total, 1e-3)
	m.Resident, m.WriteBack = 1, 0.5 // of 1 MB
	require.InEpsilon(t, 6.5e6/1e12, m.Stream(s).Total, 1e-3)
	require.EqualValues(t, 6.5e6, m.Stream(s).Bytes)
	m.L2 = 1e9
	require.InEpsilon(t, 8e6/4e12, m.Stream(s).Total, 1e-3, "the L2's bandwidth")
	s.Near = 8e6
	require.InEpsilon(t, 16e6/4e12, m.Stream(s).Total, 1e-3)
	m.Launch, m.Least = 3e-6, 2e-6
	require.InEpsilon(t, 3e-6+4e-6, m.Stream(s).Total, 1e-2)
	require.InEpsilon(t, 3e-6+2e-6, m.Stream(Stream{Read: 1, Write: 1, Elements: 1}).Total, 1e-9)
	s.Ops = 64e9 * 10 * 1e-3 // a millisecond of all vector units
	require.InEpsilon(t, 1e-3, m.Stream(s).Total, 2e-2)
	m.Latency = 65.536e-6 // an SM loads 1 GB/s
	require.InEpsilon(t, 3e-6+65.536e-6+1e-3, m.Stream(Stream{Read: 1e6, Elements: 1}).Total, 1e-2, "one block is on one SM")
}

// Blocks with threads of their own go in rounds, as many at a time as an SM holds threads;
// loads that wait for each other add up, and what the kernel before has not left is cold.
func TestBlocksOfAStream(t *testing.T) {
	m := round()
	m.Threads, m.Near = 1536, 1e-7
	s := Stream{Read: 1, Write: 1, Elements: 1, Blocks: 1, Threads: 1024, Block: 1e-6}
	for blocks, rounds := range map[float64]float64{1: 1, 10: 1, 11: 2, 20: 2, 21: 3} {
		s.Blocks = blocks
		require.InEpsilon(t, rounds*1e-6, m.Stream(s).Total, 1e-2, "%g blocks of 1,024 threads", blocks)
	}
	s.Threads = 512 // three on an SM
	require.InEpsilon(t, 1e-6, m.Stream(s).Total, 1e-2)
	require.InEpsilon(t, 8e-7, m.Stream(Stream{Read: 1, Write: 1, Elements: 1, Serial: 8}).Total, 2e-2)

	m.Resident = 1 // of 1 MB
	s = Stream{Read: 8e5, Elements: 1}
	require.Zero(t, m.Stream(s).Bytes)
	s.Cold = 5e5
	require.EqualValues(t, 5e5, m.Stream(s).Bytes)
	require.EqualValues(t, 4e5, m.Rows(Rows{Rows: 100, Cols: 2000, Bytes: 2, Reads: 2, Cold: 1}).Bytes)
}

// Steps of a main loop wait for memory: a long sum of few rows is bound by its latency, the
// more so the fewer parts it has, and not by bytes or products.
func TestStepsWaitForMemory(t *testing.T) {
	m := round()
	m.Latency, m.Wait = 3e-7, 1
	p := Product{Batch: 1, M: 16, N: 64, K: 32 * 1000, Bytes: 2}
	tile := Tile{M: 16, N: 64, WarpM: 16, WarpN: 16, Split: 1}
	require.InEpsilon(t, 1000*1e-7, m.cut(p, tile, m.SMs, math.Inf(1)).Total, 1e-2, "three of 1,000 steps are under way")
	tile.Split = 10
	require.InEpsilon(t, 100*1e-7, m.cut(p, tile, m.SMs, math.Inf(1)).Total, 1e-2)
	m.Group = true // steps of 64
	require.InEpsilon(t, 50*1e-7, m.cut(p, tile, m.SMs, math.Inf(1)).Total, 2e-2)
	m.Wait = 0
	require.Less(t, m.cut(p, tile, m.SMs, math.Inf(1)).Total, 1e-5)
}

// Rows that do not fit into the L2 together are read again by each pass; short rows
// that are blocks of their own take the time of blocks.
func TestRows(t *testing.T) {
	m := round()
	m.Memory, m.L2Bandwidth = 1e9, 1e12
	r := Rows{Rows: 1600, Cols: 1000, Bytes: 2, Reads: 1, Writes: 1, Passes: 3}
	require.EqualValues(t, 2*3.2e6, m.Rows(r).Bytes, "160 rows of 2 kB are 320 kB")
	r.Cols = 10000 // 160 rows are 3.2 MB, the L2 has 1
	require.EqualValues(t, 4*32e6, m.Rows(r).Bytes)
	r.Passes = 1
	require.EqualValues(t, 2*32e6, m.Rows(r).Bytes)

	m = round()
	m.Latency = 2e-6
	short := Rows{Rows: 16000, Cols: 8, Bytes: 2, Reads: 1, Writes: 1, Passes: 1}
	require.Less(t, m.Rows(short).Total, 4e-6)
	m.Threads, short.Threads = 2048, 128
	require.InEpsilon(t, 100*2e-6, m.Rows(short).Total, 1e-2, "16 blocks on each of 10 SMs")
	short.Threads = 1000
	require.InEpsilon(t, 800*2e-6, m.Rows(short).Total, 1e-2, "2 blocks")
	short.Rows = 21
	require.InEpsilon(t, 2*2e-6, m.Rows(short).Total, 1e-2, "21 blocks take two rounds")
}

// More of anything never takes less time, up to the round that a larger problem may
// save by another tile.
func TestMoreTakesLonger(t *testing.T) {
	m := a100()
	rapid.Check(t, func(t *rapid.T) {
		p := Product{Batch: rapid.IntRange(1, 4).Draw(t, "batch"), M: rapid.IntRange(1, 5000).Draw(t, "m"),
			N: rapid.IntRange(1, 5000).Draw(t, "n"), K: rapid.IntRange(1, 5000).Draw(t, "k"), Bytes: 2}
		c := m.GEMM(p)
		require.False(t, math.IsNaN(c.Total) || math.IsInf(c.Total, 0))
		work := float64(p.Batch) * float64(p.M) * float64(p.N) * float64(p.K)
		require.GreaterOrEqual(t, c.Total, m.Launch+work/(m.Tensor*m.Clock*float64(m.SMs)))
		require.GreaterOrEqual(t, c.Total, m.Launch+p.bytes()/m.Memory*0.999)
		double := p
		double.M *= 2
		require.Greater(t, m.GEMM(double).Total, 0.9*c.Total)
	})
}

func a100() Machine {
	return Machine{SMs: 108, Clock: 1.41e9, Tensor: 1024, Vector: 64, Shared: 128, SharedSize: 164 << 10, L2: 40e6, L2Bandwidth: 6.5e12,
		Memory: 0.82 * 2.039e12, Latency: 700e-9, Sustained: 0.752, Issue: 0.885, Launch: 3.16e-6, Least: 1.5e-6,
		Tuning: Tuning{Overlap: 3.8, Hide: 0.5, Fill: 1.4, Split: 2.1e-6, Choice: 0.02}}
}

// Vidur measured 65, 74.5, 112 and 1,887 us.
func ExampleMachine_GEMM() {
	m := a100()
	for _, rows := range []int{1, 128, 256, 4096} {
		c := m.GEMM(Product{Batch: 1, M: rows, N: 12288, K: 4096, Bytes: 2})
		fmt.Printf("%d rows: %.0f us, tiles of %d x %d in %d parts, %d rounds\n", rows, c.Total*1e6, c.Tile.M, c.Tile.N, c.Tile.Split, c.Rounds)
	}
	// Output:
	// 1 rows: 66 us, tiles of 16 x 128 in 1 parts, 1 rounds
	// 128 rows: 79 us, tiles of 128 x 128 in 1 parts, 1 rounds
	// 256 rows: 120 us, tiles of 256 x 128 in 1 parts, 1 rounds
	// 4096 rows: 1768 us, tiles of 128 x 128 in 1 parts, 30 rounds
}

func BenchmarkGEMM(b *testing.B) {
	m := a100()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.GEMM(Product{Batch: 1, M: 1 + i%4096, N: 12288, K: 4096, Bytes: 2})
	}
}
