package dram_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// A stride of a power of two stays in one of eight channels, which channel_balance shows. A map
// that permutes channels by what lies above them spreads the same requests over all of them.
func TestAStrideIsSpreadByTheMap(t *testing.T) {
	const requests = 4096
	run := func(addressMap string, stride uint64) (balance, bandwidth float64) {
		s := dram.DefaultSpec()
		s.Grade, s.Channels, s.Map = "ddr5_6400", 8, addressMap
		var list []memtest.Request
		for i := range uint64(requests) {
			list = append(list, memtest.Request{Addr: i * stride, Bytes: 64})
		}
		_, m := drive(t, s, 256, list...)
		return m["channel_balance"], m["bandwidth"]
	}
	const plain, hashed = "Ro-Ba-BG-Ra-Co-Ch", "Ro-Ba^Ro-Ra-Co-BG-Ch^BG^Co^Ro^Ro[5]^Ro[10]"
	for _, stride := range []uint64{4 << 10, 64 << 10} {
		balance, slow := run(plain, stride)
		require.Equal(t, 8.0, balance, "all of it in one channel")
		balance, fast := run(hashed, stride)
		require.Less(t, balance, 1.3, "stride %d", stride)
		require.Greater(t, fast, 3*slow, "stride %d", stride)
		t.Logf("stride %d: %.1f GB/s, hashed %.1f", stride, slow, fast)
	}
	balance, straight := run(plain, 64)
	require.Equal(t, 1.0, balance)
	_, also := run(hashed, 64)
	t.Logf("straight: %.1f GB/s, hashed %.1f", straight, also)
	require.Greater(t, also, 0.95*straight, "neighbours lose nothing")
}
