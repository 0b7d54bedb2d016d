package progress

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// Where there is no terminal, a line now and then says what is done, in its unit, and
// where the simulation is.
func TestProgressLine(t *testing.T) {
	var b bytes.Buffer
	m := NewMeter(&b, false)
	long := func() { m.started, m.last = time.Now().Add(-30*time.Second), time.Now().Add(-lineEvery) }
	long()
	m.Run(experiment.Live{What: "cycles of the array", Done: 3, Total: 12, At: "Core at layer conv2 (2 of 9)", Time: 5.25e6, Spent: 30})
	m.Run(experiment.Live{What: "cycles of the array", Done: 4, Total: 12}) // too soon
	long()
	m.Run(experiment.Live{What: "requests", Done: 6, Total: 12})
	require.Equal(t, "cycles of the array: 3 of 12 (25 %), 30s gone, 1m30s left, 5.25 ms simulated (175 us a second), Core at layer conv2 (2 of 9)\n"+
		"requests: 6 of 12 (50 %), 30s gone, 30s left\n", b.String())
}

func TestSpan(t *testing.T) {
	for ns, want := range map[float64]string{0.5: "0.5 ns", 999: "999 ns", 1000: "1 us", 12345678: "12.35 ms", 5e12: "5000 s"} {
		require.Equal(t, want, span(ns))
	}
}
