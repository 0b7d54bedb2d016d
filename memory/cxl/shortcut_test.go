package cxl_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
)

// near is simple with a memory at the root, above the addresses of the device.
var near = strings.Replace(simple, "links:", `  - {name: Near, kind: memory, fidelity: ideal, clock: 1GHz, latency: 30ns, size: 4GiB}
links:
  - Root.mem -> Near`, 1) + `memory:
  - {tier: far, node: Far, base: 0GiB}
  - {tier: near, node: Near, base: 4GiB}
`

// two is simple with a second driver at the root.
var two = strings.NewReplacer(
	"  - {name: Root,", "  - {name: Other, kind: driver, trace: TRACE, mode: \"closed:1\"}\n  - {name: Root,",
	"  - Driver -> Root.host\n", "  - Driver -> Root.host\n  - Other -> Root.host\n").Replace(simple)

// A fabric whose hosts each have one requester, and whose devices have memories alone, runs from its first event to its last
// without another, however many requests there are. A memory at the root is asked by messages, so the loop gives way once for
// each request. Two requesters at a root send messages, and all but the memories of the devices take events. A timeout of
// lines, and an engine that carries messages only, take an event for each thing that happens.
func TestWhoTakesEvents(t *testing.T) {
	bank := strings.Replace(simple, "fidelity: ideal, clock: 1GHz, latency: 40ns", "refresh: none", 1)
	timed := strings.Replace(simple, "bridge: 50ns", "timeout: 1ms, bridge: 50ns", 1)
	for _, c := range []struct {
		name, text  string
		each, least uint64 // events of a request, of the run
		exactly     bool
	}{
		{"one driver", simple, 0, 2, true},
		{"DRAM in the device", bank, 0, 2, true},
		{"two devices", pooled, 0, 2, true},
		{"two hosts", mld, 0, 2, true},
		{"memory at the root", near, 1, 2, true},
		{"two drivers", two, 14, 2, false}, // of the two
		{"timeout", timed, 0, 0, false},
	} {
		for _, set := range [][]string{nil, {"Driver.mode=closed:7"}} {
			if c.name == "two hosts" {
				set = nil
			}
			for _, k := range []int{10, 40} {
				e, slow := engine.New(), engine.New(engine.MessagesOnly())
				trace := lines("R", k, 64) + lines("W", k, 64)
				require.Equal(t, run(t, slow, c.text, trace, set...), run(t, e, c.text, trace, set...), c.name)
				n := c.least + c.each*2*uint64(k)
				switch {
				case c.exactly:
					require.Equal(t, n, e.Events(), "%s, %d requests", c.name, 2*k)
				case n > 0:
					require.LessOrEqual(t, e.Events(), n, "%s, %d requests", c.name, 2*k)
				default:
					require.InEpsilon(t, slow.Events(), e.Events(), 0.2, c.name)
				}
				require.Greater(t, slow.Events(), uint64(20*k), c.name)
			}
		}
	}
}

// Lines of a memory at the root, by hand: 80 ns in the host, 5 ns to the memory and 5 back, 30 ns in it, with a clock of the
// memory on the way in and one back. They are counted by part, and add up.
func TestLocalLinesByHand(t *testing.T) {
	text := strings.Replace(near, "bridge: 50ns", "local_latency: 5ns, bridge: 50ns", 1)
	m := run(t, engine.New(), text, from(4<<30, "R", 10, 64))
	require.Equal(t, 10., m["Near reads"])
	require.Zero(t, m["Far line_reads"])
	for part, ns := range map[string]float64{"host": 80, "port": 5, "return": 5, "dram_queue": 0, "wire": 0, "link_queue": 0, "device": 0, "switch": 0} {
		require.InDelta(t, ns, m["Root load_"+part+"_mean"], 1e-9, part)
	}
	require.InDelta(t, 30, m["Root load_dram_service_mean"], 2)
	require.InDelta(t, 90+m["Root load_dram_service_mean"], m["Root load_latency_mean"], 1e-9)
}

// Whatever number of lines is for the memory at the root at once, all are answered, and none but by it; those that its wire
// has no room for wait before it.
func TestLocalLinesWaitForTheWire(t *testing.T) {
	waits := 0.0
	for k := 1; k <= 200; k += 7 {
		m := run(t, engine.New(), near, from(4<<30, "R", 1, 64*k))
		require.Equal(t, float64(k), m["Near reads"], "%d lines", k)
		require.GreaterOrEqual(t, m["Root load_dram_queue_mean"], 0.0)
		waits = max(waits, m["Root load_dram_queue_mean"])
	}
	require.Positive(t, waits)
}
