package cache_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// belady counts the hits of a cache that gives up the line that is used again last.
func belady(lines []uint64, sets, ways int) (hits int) {
	held := make([][]uint64, sets)
	for i, l := range lines {
		set := &held[l%uint64(sets)]
		next := func(line uint64) int {
			for j := i + 1; j < len(lines); j++ {
				if lines[j] == line {
					return j
				}
			}
			return len(lines)
		}
		at, last := -1, 0
		for k, x := range *set {
			if x == l {
				at = k
			}
			if next(x) > next((*set)[last]) {
				last = k
			}
		}
		switch {
		case at >= 0:
			hits++
		case len(*set) < ways:
			*set = append(*set, l)
		default:
			(*set)[last] = l
		}
	}
	return hits
}

// A policy that looks ahead has the hits of Belady's rule on any trace, at both fidelities, with messages and
// without.
func TestForesightIsBeladys(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		sets, ways := rapid.IntRange(1, 3).Draw(t, "sets"), rapid.IntRange(1, 4).Draw(t, "ways")
		lines := rapid.SliceOfN(rapid.Uint64Range(0, 14), 1, 60).Draw(t, "lines")
		var trace strings.Builder
		trace.WriteString("op,addr\n")
		for _, l := range lines {
			fmt.Fprintf(&trace, "R,0x%x\n", 64*l)
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "t.csv"), []byte(trace.String()), 0o600))
		for _, fidelity := range []string{"functional", "timed"} {
			text := fmt.Sprintf("schema: causeway/1\nnodes:\n  - {name: Driver, kind: driver, trace: t.csv, bytes: 64B, mode: \"closed:1\"}\n  - {name: L1, kind: cache, fidelity: %s, size: %dB, ways: %d, policy: {name: opt}}\n  - {name: Mem, kind: memory, fidelity: ideal, latency: 30ns}\nlinks: [Driver -> L1.top, L1.bottom -> Mem]\n", fidelity, 64*sets*ways, ways)
			for _, options := range [][]engine.Option{nil, {engine.MessagesOnly()}} {
				got := played(t, filepath.Join(dir, "s.yaml"), text, false, options...)
				require.EqualValues(t, belady(lines, sets, ways), got["L1.hits"], text)
			}
		}
	})
}

// It wants a requester that tells the next use of each line, and no second one.
func TestForesightWantsOneRequesterThatTells(t *testing.T) {
	s := cache.DefaultTimedSpec()
	s.Policy.Name = "opt"
	for name, build := range fidelities(t, s) {
		e := engine.New()
		c, m := build(e), newFlat(e, 9)
		onMemory(t, e, c, m)
		r := memtest.New("Core", e, clock.GHz, c.GetPortByName("Top"), memtest.Request{Bytes: 64})
		memtest.Wire(e, r.Dst, clock.GHz, r)
		r.Start()
		require.ErrorContains(t, e.Run(), "LLC: policy opt wants to know the next use of every line, which Core.Mem does not tell", name)
		line, wanted := c.(interface{ NextUseLine() (uint64, bool) }).NextUseLine()
		require.EqualValues(t, 64, line)
		require.True(t, wanted)
	}
	doc, err := configs.Parse("t.yaml", []byte(`schema: causeway/1
nodes:
  - {name: A, kind: driver, generate: {name: stream, count: 1}}
  - {name: B, kind: driver, generate: {name: stream, count: 1}}
  - {name: L1, kind: cache, policy: {name: opt}}
  - {name: Mem, kind: memory, fidelity: ideal}
links: [A -> L1.top, B -> L1.top, L1.bottom -> Mem]
`), configs.Options{})
	require.NoError(t, err)
	_, err = system.Build(doc, &system.Env{Engine: engine.New()})
	require.ErrorContains(t, err, "policy opt wants a single requester, since A and B do not know each other's future")
}
