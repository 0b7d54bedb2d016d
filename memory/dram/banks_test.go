package dram_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// oneAtATime are requests of a burst, each long after the one before.
func oneAtATime(addrs ...uint64) (list []memtest.Request) {
	for i, a := range addrs {
		list = append(list, memtest.Request{Cycle: 1000 * uint64(i), Addr: a, Bytes: 64})
	}
	return list
}

// Seven bursts on two channels, by hand: what each met in its bank, and how uneven banks and channels are loaded.
// Addresses are row, bank, group, column and channel from the top: a row has 16 KiB of both channels, the next group
// begins after 16 KiB, the next bank after 64 KiB, the next row of a bank after 256 KiB.
func TestBanksByHand(t *testing.T) {
	const group, bank, row, channel = 16 << 10, 64 << 10, 256 << 10, 64
	s := dram.DefaultSpec()
	s.Refresh.Mode, s.Channels, s.Map = "none", 2, "Ro-Ba-BG-Ra-Co-Ch"
	m, _ := memory(t, s, 0, oneAtATime(0, 128, row, channel+group, channel+bank, channel+bank+128, channel+bank+256)...)
	m.RecordDetail()
	name, table := m.Detail()
	require.Equal(t, "banks", name)
	require.Len(t, table.Rows, 2*16)
	want := map[string]string{"0 0": "1 1 1", "1 4": "0 1 0", "1 1": "2 1 0"}
	for _, r := range table.Rows {
		at, met := fmt.Sprint(r[0], r[1]), fmt.Sprint(r[2], r[3], r[4])
		if want[at] == "" {
			want[at] = "0 0 0"
		}
		require.Equal(t, want[at], met, "channel and bank %s", at)
	}
	got := metrics(m.Stats())
	require.InDelta(t, 3.0/(7.0/32), got["bank_balance"], 1e-9)
	require.InDelta(t, 4.0/(7.0/2), got["channel_balance"], 1e-9)
	for name, n := range map[string]float64{"row_hits": 3, "row_misses": 3, "row_conflicts": 1, "reads": 7, "bursts": 7, "commands_act": 4, "commands_pre": 1, "commands_rd": 7} {
		require.Equal(t, n, got[name], name)
	}
	idle, _ := memory(t, s, 0)
	got = metrics(idle.Stats())
	for _, name := range []string{"bank_balance", "channel_balance", "bandwidth", "latency_mean", "latency_max", "read_latency_from_accept_mean"} {
		require.NotContains(t, got, name, "nothing was asked for")
	}
}

// Few banks are remarked from a quarter of them on, and only where rows are waited for.
func TestRemarkOfFewBanks(t *testing.T) {
	const bank, row = 32 << 10, 128 << 10 // of one channel
	about := func(of int, next uint64) string {
		s := dram.DefaultSpec()
		s.Refresh.Mode, s.Map = "none", plainMap
		var addrs []uint64
		for i := range uint64(64) {
			addrs = append(addrs, i%uint64(of)%4*bank+i%uint64(of)/4*(8<<10)+i/uint64(of)*next)
		}
		m, _ := memory(t, s, 0, oneAtATime(addrs...)...)
		return cause.Join(m.Causes().Time, []*cause.Tree{m.Causes()}).About("Mem")
	}
	require.Contains(t, about(4, row), "the busiest of its banks takes 4 times the bursts of the mean bank")
	require.NotContains(t, about(8, row), "busiest", "8 of 16")
	require.NotContains(t, about(1, 64), "busiest", "of one bank whose row is open")
}

// The subject of causes are the channels where there are several, and the device where it has one.
func TestSubjectOfCauses(t *testing.T) {
	for channels, want := range map[int]string{1: "Mem spends", 2: "Channels of Mem spend"} {
		s := dram.DefaultSpec()
		s.Channels = channels
		m, _ := memory(t, s, 0, oneAtATime(0, 64, 128, 1<<20)...)
		require.Contains(t, cause.Join(m.Causes().Time, []*cause.Tree{m.Causes()}).About("Mem"), want)
		require.Equal(t, channels, m.Causes().Nodes)
	}
}
