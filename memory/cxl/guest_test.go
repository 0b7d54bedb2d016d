package cxl_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
)

// Drivers that are alone at a root take no events, whatever number of them; with another
// beside one of them all is as with messages.
func TestGuestsTakeNoEvents(t *testing.T) {
	const n = 500
	two := strings.NewReplacer(
		"  - {name: Root,", "  - {name: Other, kind: driver, trace: TRACE, mode: \"closed:2\"}\n  - {name: Root,",
		"  - Driver -> Root.host\n", "  - Driver -> Root.host\n  - Other -> Root.host\n").Replace(simple)
	for _, c := range []struct {
		text string
		most uint64 // events
	}{{simple, n / 10}, {two, 1 << 40}} {
		fast, slow := engine.New(), engine.New(engine.MessagesOnly())
		got := run(t, fast, c.text, lines("R", n, 64), "Driver.mode=closed:7")
		require.Equal(t, run(t, slow, c.text, lines("R", n, 64), "Driver.mode=closed:7"), got)
		require.Equal(t, slow.CurrentTime(), fast.CurrentTime())
		require.Less(t, fast.Events(), min(c.most, slow.Events()))
	}
}
