package gemmini

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// ideal has nothing of the processor or the memory in the way.
func ideal() Machine {
	m := Default()
	m.Software.Start, m.Software.Loop, m.Software.Probe = 0, 0, 0
	m.Memory.Hit, m.Memory.SameSet = 1, 0
	m.Memory.Below.Latency, m.Memory.Below.Burst, m.Memory.Bus = 1, 0, 128
	return m
}

// Once loads are hidden the array takes a row per cycle: I x J x K blocks of 16 rows.
func TestArrayTakesARowPerCycle(t *testing.T) {
	m := ideal()
	p := Matmul{M: 512, N: 512, K: 512}
	r := runAll(&m, p.Program(&m, p.Own(&m), 0))
	least := int64(512 * 512 * 512 / 256)
	require.InEpsilon(t, least, r.Busy, 0.02)
	require.Greater(t, r.Cycles, least)
	require.Less(t, r.Cycles, least*106/100)
	require.Equal(t, int64(512*512), r.Written)
}

// Steps of few rows wait for places in the array: 6 steps in 2 x 16 + 1 cycles and their own rows.
func TestShortStepsWait(t *testing.T) {
	m := ideal()
	c := Conv{Batch: 1, InRows: 7, InCols: 7, Channels: 256, OutRows: 7, OutCols: 7, Filters: 256, KernelRows: 1, KernelCols: 1, Stride: 1}
	own, _ := c.Own(&m)
	short := runAll(&m, c.Program(own, 0))
	blocks := int64(16 * 16)
	rows := blocks * (6*7 + 16) // one of seven rows of results has new weights
	require.InEpsilon(t, rows, short.Busy, 0.05)
	require.Greater(t, short.Cycles, blocks*7*47/6*9/10)
}

// More of a resource is never slower, for the loads that a layer of weights needs.
func TestMoreHelps(t *testing.T) {
	run := func(change func(*Machine)) int64 {
		m := Default()
		change(&m)
		p := Matmul{M: 16, N: 1024, K: 1024}
		return runAll(&m, p.Program(&m, p.Own(&m), 0)).Cycles
	}
	base := run(func(*Machine) {})
	require.Less(t, base, run(func(m *Machine) { m.InFlight = 4 }))
	require.Less(t, base, run(func(m *Machine) { m.Memory.Hit *= 2 }))
	require.Less(t, base, run(func(m *Machine) { m.Memory.Below.Latency *= 4 }))
	require.Less(t, run(func(m *Machine) { m.Memory.Bus *= 4 }), base)
}

// The packet of a request is aligned, and covers the most that one can.
func TestPacket(t *testing.T) {
	m := Default()
	for _, x := range []struct {
		addr        int64
		bytes       int
		size, cover int
	}{{0, 64, 64, 64}, {0, 16, 16, 16}, {0, 17, 32, 17}, {8, 64, 64, 56}, {48, 64, 16, 16}, {36, 36, 32, 28}, {60, 4, 16, 4}} {
		size, cover := m.packet(x.addr, x.bytes)
		require.Equal(t, []int{x.size, x.cover}, []int{size, cover}, "%+v", x)
	}
}

// Operands that a cache holds are read without it asking below.
func TestHold(t *testing.T) {
	m := Default()
	l := Convolution(Conv{Batch: 1, InRows: 8, InCols: 8, Channels: 64, OutRows: 8, OutCols: 8, Filters: 64, KernelRows: 1, KernelCols: 1, Stride: 1})
	tiling, start := l.Own(&m)
	run := func(prepare func(*Stream)) Result {
		s := NewStream(&m)
		prepare(s)
		return s.Run(l, tiling, start)
	}
	cold := run(func(*Stream) {})
	below := run(func(s *Stream) { s.Hold(l, false) })
	both := run(func(s *Stream) { s.Hold(l, true) })
	require.Zero(t, both.Misses)
	require.Equal(t, cold.Misses, below.Misses)
	require.Less(t, both.Cycles, below.Cycles)
	require.Less(t, below.Cycles, cold.Cycles)
}

func BenchmarkConv(b *testing.B) {
	b.ReportAllocs()
	m := Default()
	c := Conv{Batch: 1, InRows: 56, InCols: 56, Channels: 64, OutRows: 56, OutCols: 56, Filters: 64, KernelRows: 3, KernelCols: 3, Stride: 1, PadUp: 1, PadLeft: 1}
	own, _ := c.Own(&m)
	for b.Loop() {
		runAll(&m, c.Program(own, 0))
	}
}

// runAll carries a program out, from an empty machine until all is in memory.
func runAll(m *Machine, p Program) Result { return run(m, p, newShared(m)) }
