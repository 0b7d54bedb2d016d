package cache

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// A chain is what drivers of one trace ask of a cache with some keys, above a memory.
type chain struct {
	drivers, window int
	keys, mem       string
	above           string // keys of a cache between drivers and Up, "" for none
	op              string
	step            int // bytes from one access to the next
}

// events runs n accesses of every driver, and returns the events of the run and the nodes.
func (c chain) events(t *testing.T, n int, options ...engine.Option) (uint64, *system.System) {
	var trace strings.Builder
	for i := range n {
		fmt.Fprintf(&trace, "%s,%d\n", c.op, i*c.step)
	}
	file := filepath.Join(t.TempDir(), "t.csv")
	require.NoError(t, os.WriteFile(file, []byte("op,addr\n"+trace.String()), 0o600))
	nodes, links, top := "", "Up.bottom -> Mem", "Up"
	if c.above != "" {
		nodes, links, top = "  - {name: First, kind: cache, size: 4KiB, "+c.above+"}\n", links+", First.bottom -> Up.top", "First"
	}
	for i := range max(c.drivers, 1) {
		nodes += fmt.Sprintf("  - {name: D%d, kind: driver, trace: %s, bytes: 8B, mode: \"closed:%d\"}\n", i, file, max(c.window, 1))
		links += fmt.Sprintf(", D%d -> %s.top", i, top)
	}
	mem := c.mem
	if mem == "" {
		mem = "fidelity: ideal, latency: 30ns"
	}
	text := "schema: causeway/1\nnodes:\n" + nodes + "  - {name: Up, kind: cache, size: 8KiB, " + c.keys + "}\n  - {name: Mem, kind: memory, " + mem + "}\nlinks: [" + links + "]\n"
	d, err := configs.Parse("t.yaml", []byte(text), configs.Options{Dir: "."})
	require.NoError(t, err, text)
	e := engine.New(options...)
	s, err := system.Build(d, &system.Env{Engine: e})
	require.NoError(t, err, text)
	for _, n := range s.Nodes() {
		if x, ok := n.(system.Starter); ok {
			require.NoError(t, x.Start())
		}
	}
	require.NoError(t, e.Run())
	return e.Events(), s
}

// One driver above caches and a memory of its clock takes two events, however many accesses it makes. A second driver, a
// memory of another clock and a flush need messages. A timed cache that is alone above a DRAM asks it directly.
//
// By messages an access that waits for the one before it takes an event of the driver, one of the cache and two of the wire
// between them. A miss takes five more: two of the lower wire, two of the memory, and one of the cache. A timed cache acts
// once more to answer a hit, and twice more for a miss: when its line is there, and when the answer is due.
func TestWhoTakesEvents(t *testing.T) {
	const functional, timed, dram = "fidelity: functional", "fidelity: timed", "refresh: none"
	for name, c := range map[string]struct {
		chain
		each, messages uint64 // events of an access; 0: two in the whole run
	}{
		"hits":                         {chain{keys: functional, op: "R"}, 0, 4},
		"misses":                       {chain{keys: functional, op: "R", step: 64}, 0, 9},
		"write misses":                 {chain{keys: functional, op: "W", step: 64}, 0, 9},
		"hits in time":                 {chain{keys: timed, op: "R"}, 0, 5},
		"misses in time":               {chain{keys: timed, op: "R", step: 64}, 0, 11},
		"write misses in time":         {chain{keys: timed, op: "W", step: 64}, 0, 11},
		"a policy that looks ahead":    {chain{keys: functional + ", policy: {name: opt}", op: "R", step: 64}, 0, 9},
		"reuse distances":              {chain{keys: functional + ", reuse_distance: true", op: "R", step: 64}, 0, 9},
		"sectors":                      {chain{keys: functional + ", sectors: 2", op: "R", step: 64}, 0, 9},
		"a cache below a timed one":    {chain{keys: functional, above: timed, op: "R"}, 0, 5},
		"a flush":                      {chain{keys: functional + ", flush: {op: clean}", op: "R"}, 4, 4},
		"DRAM of another clock":        {chain{keys: functional, mem: dram, op: "R"}, 4, 4},
		"hits above DRAM":              {chain{keys: timed, mem: dram, op: "R"}, 5, 5},
		"misses that ask DRAM":         {chain{keys: timed, mem: dram, op: "R", step: 64}, 8, 12},
		"write misses that ask DRAM":   {chain{keys: timed, mem: dram, op: "W", step: 64}, 8, 12},
		"two drivers that hit in time": {chain{drivers: 2, keys: timed, op: "R"}, 9, 9},
	} {
		fast, slow := [2]uint64{}, [2]uint64{}
		for i, n := range []int{10, 40} {
			fast[i], _ = c.events(t, n)
			slow[i], _ = c.events(t, n, engine.MessagesOnly())
		}
		require.Equal(t, 30*c.messages, slow[1]-slow[0], "%s, by messages", name)
		require.Equal(t, 30*c.each, fast[1]-fast[0], name)
		if c.each == 0 {
			require.EqualValues(t, 2, fast[0], name)
		}
	}
}

// A request takes a place among those that are not answered only if it has to wait for something that is not done within a
// call: reads of a cache of whole lines never do, others take one place for all that come one after the other, and in a
// timed cache each that is under way takes one.
func TestWhoTakesAPlace(t *testing.T) {
	const functional, timed = "fidelity: functional", "fidelity: timed"
	for name, c := range map[string]struct {
		chain
		places int
	}{
		"read hits":                      {chain{keys: functional, window: 4, op: "R"}, 0},
		"read misses":                    {chain{keys: functional, window: 4, op: "R", step: 64}, 0},
		"write misses":                   {chain{keys: functional, window: 4, op: "W", step: 64}, 1},
		"sectors":                        {chain{keys: functional + ", sectors: 2", window: 4, op: "R"}, 1},
		"prefetches":                     {chain{keys: functional + ", prefetch: {name: next_line, degree: 1}", window: 4, op: "R", step: 64}, 1},
		"timed":                          {chain{keys: timed, window: 4, op: "R"}, 4},
		"two drivers, by messages":       {chain{drivers: 2, keys: functional, window: 4, op: "R", step: 64}, 8},
		"one driver above a timed cache": {chain{keys: timed, window: 3, op: "R", step: 64}, 3},
	} {
		_, s := c.events(t, 40)
		places := 0
		switch x := s.Node("Up").(type) {
		case *Functional:
			places = x.requests.Len()
		case *Timed:
			places = x.requests.Len()
		}
		require.Equal(t, c.places, places, name)
	}
}

// The short way of reads is for whole lines that nothing but requests changes: no line of a cache above either.
func TestWhoReadsFast(t *testing.T) {
	for keys, fast := range map[string]bool{
		"ways: 4": true, "policy: {name: srrip}": true, "banks: 4, mshrs: 2": true, "write: through": true,
		"sectors: 2": false, "prefetch: {name: next_line, degree: 1}": false, "allocate: fill": false,
		"reuse_distance: true": false, "regions: [{size: 1KiB, bypass: true}]": false, "policy: {name: opt}": false,
	} {
		_, s := chain{keys: "fidelity: timed, " + keys, op: "R", step: 64}.events(t, 3)
		require.Equal(t, fast, s.Node("Up").(*Timed).fastReads, keys)
	}
	for inclusion, fast := range map[string]bool{"": true, ", inclusion: inclusive": false, ", inclusion: exclusive": false} {
		_, s := chain{above: "fidelity: timed", keys: "fidelity: timed" + inclusion, op: "R", step: 64}.events(t, 3)
		require.Equal(t, fast, s.Node("Up").(*Timed).fastReads, inclusion)
	}
}

// Accesses to a line that is under way wait for it: they are delayed hits, whenever the line gets its place, or merges where it
// gets none.
func TestDelayedHits(t *testing.T) {
	for keys, want := range map[string][4]float64{ // hits, misses, delayed hits, merges
		"allocate: miss": {3, 1, 3, 0},
		"allocate: fill": {3, 1, 3, 0},
		"allocate: fill, regions: [{size: 1KiB, bypass: true}]": {0, 1, 0, 3},
	} {
		_, s := chain{keys: "fidelity: timed, " + keys, window: 4, op: "R"}.events(t, 4)
		got := map[string]float64{}
		for _, m := range s.Node("Up").Stats().Metrics() {
			got[m.Name] = m.Value
		}
		require.Equal(t, want, [4]float64{got["hits"], got["misses"], got["delayed_hits"], got["merges"]}, keys)
	}
}
