package dram_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/standard"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// told is all that a device says of a run: when each request was answered, metrics, the
// table of banks, and what a repeated step of the run would have added.
func told(t *testing.T, s dram.Spec, window int, apart bool, list []memtest.Request) (string, *dram.Comp) {
	e := engine.New()
	m, err := dram.NewComp("Mem", e, s)
	require.NoError(t, err)
	if apart {
		require.NoError(t, m.Apart())
	}
	c := m.PortSpecs()[0].Clock
	r := memtest.New("Core", e, c, m.GetPortByName("Top"), list...)
	r.Window = window
	memtest.Wire(e, m.GetPortByName("Top"), c, r)
	r.Start()
	var b strings.Builder
	until := list[len(list)/2].Cycle + uint64(len(list))
	require.NoError(t, e.RunUntil(instant.Of(c, until)))
	fmt.Fprintln(&b, m.Stats().Tally())
	require.NoError(t, e.Run())
	require.Empty(t, m.Stats().Verify())
	b.WriteString(r.Log())
	_, table := m.Detail()
	fmt.Fprintln(&b, m.Stats().Metrics(), table.Rows, m.Stats().Tally())
	return b.String(), m
}

// Channels that one controller stands for do what each would do with its own: for
// random devices, maps, policies and requests, most of them lines of a cache, with pauses.
// CAUSEWAY_LONG tries many more.
func TestGangs(t *testing.T) {
	n, divided, united := 32, 0, 0
	if os.Getenv("CAUSEWAY_LONG") != "" {
		n = 1000
	}
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 14))
		one := func(of ...string) string { return of[rng.IntN(len(of))] }
		s := dram.DefaultSpec()
		s.Grade = standard.Name(one("hbm2e", "hbm3", "hbm2", "ddr4_3200", "lpddr5_6400", "ddr5_4800"))
		s.Channels = 1 << (1 + rng.IntN(4))
		s.Map = one("Ro-Ba-BG-Ra-Co-Ch", "Ro-Ba^Ro-Co-BG-Ra-Ch", "Ro-Ra-Ba-BG-Co-Ch^Ro", "Ro-Ba-BG-Ra-Ch:1-Co-Ch", "Ro-Ba^Ch-BG-Ra-Co-Ch", "MOP4")
		s.RowPolicy = one("open", "open", "closed", "closed_ap", "capped")
		s.Scheduler = one("frfcfs", "frfcfs", "fcfs")
		if s.Grade != "hbm2" {
			s.Refresh.Mode = one("all_bank", "none")
		}
		s.Posted = rng.IntN(2) == 0
		s.ReadQueue, s.WriteQueue = 4+rng.IntN(60), 8+rng.IntN(60)
		s.WriteHigh = 2 + rng.IntN(s.WriteQueue-2)
		s.WriteLow = rng.IntN(s.WriteHigh)
		line := uint64(64) << rng.IntN(5)
		odd := []int{0, 1, 30}[rng.IntN(3)] // in a thousand: requests of any bytes
		pauses := []int{1 << 30, 6, 20}[rng.IntN(3)]
		var list []memtest.Request
		cycle, addr := uint64(0), uint64(0)
		for range 300 {
			cycle += uint64(rng.IntN(12))
			if rng.IntN(pauses) == 0 {
				cycle += uint64(rng.IntN(12000))
			}
			if rng.IntN(8) == 0 {
				addr = rng.Uint64N(1 << 26)
			}
			q := memtest.Request{Cycle: cycle, Addr: addr &^ (line - 1), Bytes: line * uint64(1+rng.IntN(4)), Write: rng.IntN(5) == 0}
			if rng.IntN(1000) < odd {
				q.Addr, q.Bytes = addr, 1+rng.Uint64N(5000)
			}
			addr = q.Addr + q.Bytes
			list = append(list, q)
		}
		window := rng.IntN(100)
		got, m := told(t, s, window, false, list)
		want, alone := told(t, s, window, true, list)
		if got != want {
			a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
			for i := range a {
				require.Equal(t, a[i], b[i], "seed %d: %+v", seed, s)
			}
		}
		if m.Gangs() > 1 && m.Gangs() < alone.Gangs() {
			divided++
		}
		if m.Spare() > 0 {
			united++
		}
	}
	require.Greater(t, divided, n/10, "gangs that were divided, and not to the last")
	require.Greater(t, united, n/10, "gangs that became one again")
}

// Whole lines over all channels need one controller; a line of eight bursts divides 32
// channels into four gangs, a single burst its gang down to one channel.
func TestGangsOfLines(t *testing.T) {
	s := dram.DefaultSpec()
	s.Grade, s.Channels, s.Map = "hbm3", 16, "Ro-Ba^Ro-Co-BG-Ch"
	list := []memtest.Request{{Bytes: 4096}, {Bytes: 1024, Addr: 8 << 10}, {Bytes: 2048, Addr: 1 << 20, Write: true}}
	_, m := told(t, s, 0, false, list)
	require.Equal(t, 1, m.Gangs())
	list = append(list, memtest.Request{Bytes: 256, Addr: 256})
	_, m = told(t, s, 0, false, list)
	require.Equal(t, 3, m.Gangs(), "8 + 8 + 16 channels")
	list = append(list, memtest.Request{Bytes: 768, Addr: 1 << 20})
	_, m = told(t, s, 0, false, list)
	require.Equal(t, 4, m.Gangs(), "8 + 8 + 8 + 8 channels")
	list = append(list, memtest.Request{Bytes: 256, Addr: 1<<20 - 256}, memtest.Request{Bytes: 1})
	_, m = told(t, s, 0, false, list)
	require.Equal(t, 4+3, m.Gangs())
}

// Gangs become one again once they have come to the same state: rows that a part of the
// channels had open are closed by a refresh, and the longest delay after it has passed.
func TestGangsUnite(t *testing.T) {
	s := dram.DefaultSpec()
	s.Grade, s.Channels, s.Map = "hbm3", 16, "Ro-Ba^Ro-Co-BG-Ch"
	g, _ := standard.Find(string(s.Grade))
	refresh, longest := uint64(g.Timing["REFI"]), uint64(g.Timing["RFC"])
	for _, c := range []struct {
		wait  uint64
		gangs int
	}{{refresh - 100, 3}, {refresh + longest/2, 3}, {refresh + longest + 100, 1}} {
		_, m := told(t, s, 0, false, []memtest.Request{{Bytes: 4096}, {Bytes: 256, Addr: 1<<20 + 256}, {Cycle: c.wait, Bytes: 4096}})
		require.Equal(t, c.gangs, m.Gangs(), "after %d cycles", c.wait)
	}
	// without refresh rows stay as they are
	s.Refresh.Mode = "none"
	_, m := told(t, s, 0, false, []memtest.Request{{Bytes: 4096}, {Bytes: 256, Addr: 1<<20 + 256}, {Cycle: 10 * refresh, Bytes: 4096}})
	require.Equal(t, 3, m.Gangs())
	_, m = told(t, s, 0, false, []memtest.Request{{Bytes: 4096}, {Bytes: 256, Addr: 1<<20 + 256}, {Bytes: 4096, Addr: 1 << 20}, {Cycle: 10 * refresh, Bytes: 4096}})
	require.Equal(t, 1, m.Gangs(), "the same rows")
	// how often a row was used counts where rows are closed for it
	for policy, gangs := range map[string]int{"open": 1, "capped": 3} {
		s.RowPolicy = policy
		_, m = told(t, s, 0, false, []memtest.Request{{Bytes: 4096}, {Bytes: 256, Addr: 256}, {Cycle: 10 * refresh, Bytes: 4096}})
		require.Equal(t, gangs, m.Gangs(), policy)
	}
}

// Gangs unite before the first request that comes the longest delay after the last command: not in the clock before, in which
// that delay might still keep a command of one of them back. The last command here is the column command of the last
// answer, tCL + tBL before it.
func TestGangsUniteAtTheClock(t *testing.T) {
	s := dram.DefaultSpec()
	s.Grade, s.Channels, s.Map, s.Refresh.Mode = "hbm3", 16, "Ro-Ba^Ro-Co-BG-Ch", "none"
	g, _ := standard.Find(string(s.Grade))
	longest := 0
	plain := func(c standard.Command) bool {
		return slices.Contains([]standard.Command{standard.ACT, standard.PRE, standard.RD, standard.WR}, c)
	}
	for _, c := range g.Constraints { // between commands that an open-row controller without refresh issues
		if slices.ContainsFunc(c.Prev, plain) && slices.ContainsFunc(c.Next, plain) {
			longest = max(longest, c.Clocks)
		}
	}
	list := []memtest.Request{{Bytes: 4096}, {Bytes: 256, Addr: 256}}
	united := func(pause uint64) bool {
		_, r := memory(t, s, 0, list...)
		last := max(r.Answer[0], r.Answer[1]) - 1 - uint64(g.Timing["CL"]+g.Timing["BL"])
		_, m := told(t, s, 0, false, append(slices.Clone(list), memtest.Request{Cycle: last + pause, Bytes: 4096}))
		return m.Gangs() == 1
	}
	require.True(t, united(uint64(longest)))
	require.False(t, united(uint64(longest)-1))
}

// A controller that goes on from another shares nothing with it that either changes.
func TestCloneIsDeep(t *testing.T) {
	shared := map[string]bool{ // and never changed, but for spans, which are of all
		".cfg.Grade": true, ".sink": true, ".timing.after": true, ".timing.other": true,
		".timing.last": true, ".timing.rings.next": true, ".timing.names": true, ".Trace": true, ".tell": true, ".spans": true,
		".cfg.Random": true, ".guard": true, ".rest": true, ".checks": true, // of channels that are never copied
	}
	g, ok := standard.Find("hbm3")
	require.True(t, ok)
	c, err := dram.New(dram.DefaultConfig(g), newHarness(nil))
	require.NoError(t, err)
	c.Push(0, 0, address.Coord{}, false)
	seen := 0
	var walk func(path string, a, b reflect.Value)
	walk = func(path string, a, b reflect.Value) {
		if shared[path] {
			return
		}
		switch a.Kind() {
		case reflect.Struct:
			for i := range a.NumField() {
				walk(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i))
			}
		case reflect.Array:
			for i := range a.Len() {
				walk(path, a.Index(i), b.Index(i))
			}
		case reflect.Slice:
			if a.Cap() > 0 {
				require.NotEqual(t, a.UnsafePointer(), b.UnsafePointer(), path)
				seen++
			}
			for i := range a.Len() {
				walk(path, a.Index(i), b.Index(i))
			}
		case reflect.Pointer, reflect.Map, reflect.Func, reflect.Interface, reflect.Chan, reflect.UnsafePointer:
			require.Failf(t, "a reference", "%s: is it shared?", path)
		default:
		}
	}
	walk("", reflect.ValueOf(c).Elem(), reflect.ValueOf(c.Clone()).Elem())
	require.Greater(t, seen, 5)
}
