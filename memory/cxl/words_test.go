package cxl_test

import (
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
)

// partOf are the words in which requests are explained, and the part of the latency of lines that each is about.
var partOf = map[string]string{
	"in the host, and waiting for a place among the outstanding lines": "host",
	"in bridge and root port, towards the device":                      "port",
	"waits for credits and slots":                                      "link_queue",
	"is sent":                                                          "serialization",
	"replays":                                                          "retry",
	"on the wire":                                                      "wire",
	"in a switch":                                                      "switch",
	"in the device":                                                    "device",
	"waits for a place at the memory of the device":                    "device_queue",
	"waits for the queues of the memory":                               "dram_queue",
	"in root port and bridge, towards the host":                        "return",
}

// Requests of one line are explained by the parts that the metrics of their root have: added up over all of them, each part
// takes as long, and whatever is on a link names it.
func TestWordsAreTheParts(t *testing.T) {
	errors := strings.Replace(simple, "bridge: 50ns", "link: {ber: [1e-5, 1e-5]}, bridge: 50ns", 1)
	few := strings.Replace(simple, "bridge: 50ns", "outstanding: 2, bridge: 50ns", 1)
	local := from(4<<30, "R", 20, 64)
	for name, c := range map[string]struct{ text, trace, mode string }{
		"one at a time": {simple, lines("R", 20, 64), "closed:1"}, "many": {simple, lines("R", 60, 64), "closed:30"}, "few may be outstanding": {few, lines("R", 20, 64), "closed:9"},
		"errors on the link": {errors, lines("R", 400, 64), "closed:4"}, "memory at the root": {near, local, "closed:5"}, "switch": {cut, lines("R", 8, 64), "closed:4"},
	} {
		e := engine.New()
		s, err := build(t, e, c.text, c.trace, "Driver.mode="+c.mode)
		require.NoError(t, err, name)
		log := &taskLog{ended: map[task.ID]sim.VTimeInSec{}, causes: map[task.ID][]task.Cause{}}
		stream := task.NewStream(e, []task.Reporter{s.Node("Root").(task.Reporter)}, log)
		require.NoError(t, s.Node("Driver").(system.Starter).Start())
		require.NoError(t, e.Run())
		stream.Close()
		m := metricsOf(s.Node("Root"))
		took, n := map[string]float64{}, 0.0
		for _, x := range log.begun {
			n++
			for _, cause := range log.causes[x.ID] {
				words := stream.Text(x.ID, cause.What)
				link, what, onLink := strings.Cut(words, ": ")
				if !onLink {
					what = words
				} else {
					require.Regexp(t, `^the link \S+ to \S+$`, link, name)
				}
				part := partOf[what]
				require.NotEmpty(t, part, words)
				took[part] += float64(cause.To-cause.From) * 1e9
				require.Greater(t, cause.To, cause.From, words)
			}
		}
		for _, part := range partOf {
			require.InDelta(t, m["load_"+part+"_mean"], took[part]/n, 1e-3, "%s: %s", name, part)
		}
	}
}
