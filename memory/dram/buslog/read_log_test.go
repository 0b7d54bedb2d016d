package buslog_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/dram/buslog"
)

func FuzzCheckLog(f *testing.F) {
	f.Add("grade ddr4_3200\nranks 2\ntiming RFC 576\nchannel 0\n0 ACT 0 0 0 5 0\n30 RD 0 0 0 5 3\nchannel 1\nend 2\n")
	f.Fuzz(func(t *testing.T, text string) {
		seen, err := buslog.CheckLog("x", strings.NewReader(text))
		if err == nil {
			require.Contains(t, text, "end")
		}
		sum := uint64(0)
		for _, n := range seen.By {
			sum += n
		}
		require.Equal(t, seen.Commands, sum)
	})
}
