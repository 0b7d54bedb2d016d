package cache_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	_ "github.com/causeway-sim/causeway/memory/dram"
	_ "github.com/causeway-sim/causeway/memory/ideal"
	_ "github.com/causeway-sim/causeway/workloads/player"
	_ "github.com/causeway-sim/causeway/workloads/player/cpu"
)

// played runs a configuration and returns every metric and every cause of every node.
func played(t require.TestingT, file, text string, detail bool, options ...engine.Option) map[string]float64 {
	doc, err := configs.Parse(file, []byte(text), configs.Options{})
	require.NoError(t, err, text)
	e := engine.New(options...)
	s, err := system.Build(doc, &system.Env{Engine: e, Seed: 1})
	require.NoError(t, err, text)
	for _, n := range s.Nodes() {
		if d, ok := n.(system.Detailed); ok && detail {
			d.RecordDetail()
		}
		if x, ok := n.(system.Starter); ok {
			require.NoError(t, x.Start())
		}
	}
	require.NoError(t, e.Run())
	out := map[string]float64{}
	for _, n := range s.Nodes() {
		require.Empty(t, n.Stats().Verify(), text)
		for _, m := range n.Stats().Metrics() {
			out[n.Name()+"."+m.Name] = m.Value
		}
		if d, ok := n.(system.Detailed); ok && detail {
			if _, table := d.Detail(); table != nil {
				out[n.Name()+" "+fmt.Sprint(*table)] = 1
			}
		}
		if c, ok := n.(system.Causal); ok {
			for _, p := range c.Causes().Parts {
				out[n.Name()+" spends its time "+p.Words] = p.Time
			}
		}
	}
	return out
}

// Caches that are asked by calls, one by one or many at once, count and take what those do that are asked by
// messages.
func TestCallsAreMessages(t *testing.T) {
	dir := t.TempDir()
	often(t, 6, func(t *rapid.T) {
		var trace strings.Builder
		trace.WriteString("op,addr\n")
		span := rapid.Uint64Range(1, 60).Draw(t, "lines")
		writes := rapid.SampledFrom([]int{0, 0, 1, 4}).Draw(t, "writes")
		at := uint64(0)
		for range rapid.IntRange(1, 100).Draw(t, "accesses") {
			if at = (at + 1) % span; rapid.IntRange(0, 2).Draw(t, "jump") == 0 {
				at = rapid.Uint64Range(0, span-1).Draw(t, "line")
			}
			op := "R"
			if rapid.IntRange(1, 10).Draw(t, "write") <= writes {
				op = "W"
			}
			fmt.Fprintf(&trace, "%s,0x%x\n", op, at*64+rapid.Uint64Range(0, 63).Draw(t, "byte"))
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "t.csv"), []byte(trace.String()), 0o600))
		pick := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
		cache := func(name string) string {
			line := rapid.SampledFrom([]int{64, 64, 32, 128}).Draw(t, "line of the cache")
			ways := 1 << rapid.IntRange(0, 4).Draw(t, "ways")
			keys := fmt.Sprintf("line: %dB, size: %dB, ways: %d, policy: {name: %s}, write: %s", line, line*ways*rapid.IntRange(1, 8).Draw(t, "sets"), ways,
				pick("policy", "lru", "lru", "srrip", "fifo", "bypass"), pick("write rule", "back", "back", "through", "around"))
			keys = strings.Replace(keys, "{name: bypass}", "{name: lru}, regions: [{size: 2KiB, bypass: true}]", 1)
			if pick("prefetch", "none", "none", "next_line") != "none" {
				keys += ", prefetch: {name: next_line, degree: 2}"
			}
			keys += pick("flush", "", "", "", ", flush: {op: clean, at: 200ns}", ", flush: {op: invalidate, at: 50ns}")
			keys += pick("more", "", "", ", sectors: 2", ", reuse_distance: true", ", detail: [slice]", ", slices: 1")
			fidelity := pick("fidelity", "functional", "functional", "functional", "timed", "timed")
			if fidelity == "timed" {
				number := func(key string, most int) { keys += fmt.Sprintf(", %s: %d", key, rapid.IntRange(1, most).Draw(t, key)) }
				number("banks", 3)
				number("queue", 3)
				number("mshrs", 5)
				number("merges", 3)
				number("write_buffer", 4)
				keys += ", posted: " + pick("posted", "true", "false") + ", allocate: " + pick("allocate", "miss", "fill") + ", latency: " + pick("latency", "20ns", "3ns, tag_latency: 1ns")
			}
			return fmt.Sprintf("  - {name: %s, kind: cache, fidelity: %s, %s}\n", name, fidelity, keys)
		}
		bytes := pick("bytes", "8", "8", "64", "160")
		text := "schema: causeway/1\nnodes:\n  - {name: Driver, kind: driver, trace: t.csv, bytes: " + bytes + "B, mode: \"" + pick("mode", "closed:8", "closed:1", "open:3") + "\"}\n" + cache("L1")
		links := "Driver -> L1.top, "
		if rapid.Bool().Draw(t, "two levels") {
			text += cache("L2")
			links += "L1.bottom -> L2.top, L2.bottom -> Mem"
		} else {
			links += "L1.bottom -> Mem"
		}
		text += "  - {name: Mem, kind: memory, " + pick("memory", "fidelity: ideal, latency: 30ns", "fidelity: ideal, latency: 5ns, bandwidth: 4GB/s", "grade: ddr4_2400") + "}\nlinks: [" + links + "]\n"
		file, detail := filepath.Join(dir, "s.yaml"), rapid.Bool().Draw(t, "detail")
		require.Equal(t, played(t, file, text, detail, engine.MessagesOnly()), played(t, file, text, detail), text)
	})
}

// Reads of a closed loop are done many at once: rounds of hits and few misses, as long as nothing
// dirty has to go, and none crosses the end of its line. They count and take what the same reads do as messages, a level below included.
func TestRoundsOfReadsAreMessages(t *testing.T) {
	dir := t.TempDir()
	often(t, 5, func(t *rapid.T) {
		var trace []byte // records of the format lines, which are read many at once
		hot, rare := rapid.Uint64Range(1, 12).Draw(t, "hot lines"), rapid.IntRange(2, 60).Draw(t, "reads from one that misses to the next")
		for i := range rapid.IntRange(50, 300).Draw(t, "reads") {
			line := 1 + uint64(i)%hot
			if i%rare == 0 {
				line = 100 + uint64(i)
			}
			trace = binary.LittleEndian.AppendUint64(trace, line)
			trace = binary.LittleEndian.AppendUint64(trace, 0x400) // program counter, core
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "t.bin"), trace, 0o600))
		cache := func(name string) string {
			return fmt.Sprintf("  - {name: %s, kind: cache, fidelity: functional, size: %dB, ways: 4}\n", name, 256*rapid.IntRange(1, 6).Draw(t, "sets"))
		}
		text := fmt.Sprintf("schema: causeway/1\nnodes:\n  - {name: Driver, kind: driver, trace: t.bin, format: lines, base: %dB, bytes: %dB, mode: \"closed:%d\"}\n", rapid.SampledFrom([]int{0, 0, 1, 7, 56, 57}).Draw(t, "base"), rapid.SampledFrom([]int{8, 64}).Draw(t, "bytes"), rapid.IntRange(1, 8).Draw(t, "window")) + cache("L1")
		links := "Driver -> L1.top, L1.bottom -> Mem"
		if rapid.Bool().Draw(t, "two levels") {
			text += cache("L2")
			links = "Driver -> L1.top, L1.bottom -> L2.top, L2.bottom -> Mem"
		}
		text += "  - {name: Mem, kind: memory, fidelity: ideal, latency: 9ns}\nlinks: [" + links + "]\n"
		file, detail := filepath.Join(dir, "s.yaml"), rapid.Bool().Draw(t, "detail")
		require.Equal(t, played(t, file, text, detail, engine.MessagesOnly()), played(t, file, text, detail), text)
	})
}
