package hosts_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	_ "github.com/causeway-sim/causeway/memory/ideal"
	"github.com/causeway-sim/causeway/workloads/player/hosts"
)

const text = `schema: causeway/1
nodes:
  - {name: Hosts, kind: hosts, trace: TRACE/r%d.txt}
  - {name: Mem, kind: memory, fidelity: ideal, clock: 1GHz, latency: 50ns, size: 1GiB}
links:
  - Hosts.mem -> Mem
`

// A file is a trace and its times.
type file struct{ requests, deltas string }

func build(t testing.TB, e sim.Engine, files []file, set ...string) (*system.System, error) {
	dir := t.TempDir()
	for i, f := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("r%d.txt", i)), []byte(strings.ReplaceAll(f.requests, " ", "\n")), 0o600))
		if f.deltas != "" {
			require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("d%d.txt", i)), []byte(strings.ReplaceAll(f.deltas, " ", "\n")), 0o600))
		}
	}
	doc, err := configs.Parse("t.yaml", []byte(strings.ReplaceAll(text, "TRACE", dir)), configs.Options{Set: set})
	if err != nil {
		return nil, err
	}
	return system.Build(doc, &system.Env{Engine: e, Seed: 1})
}

func play(t testing.TB, e *engine.Engine, files []file, set ...string) (map[string]float64, error) {
	s, err := build(t, e, files, set...)
	if err != nil {
		return nil, err
	}
	for _, n := range s.Nodes() {
		if w, ok := n.(engine.Waiter); ok {
			e.Watch(w)
		}
		if x, ok := n.(system.Starter); ok {
			if err := x.Start(); err != nil {
				return nil, err
			}
		}
	}
	if err := e.Run(); err != nil {
		return nil, err
	}
	out := map[string]float64{}
	for _, n := range s.Nodes() {
		require.Empty(t, n.Stats().Verify())
		for _, m := range n.Stats().Metrics() {
			if m.Where == "Hosts" {
				out[m.Name] = m.Value
			}
		}
	}
	return out, nil
}

// The trace that comes with TSim4CXL: each host writes 1 KiB and reads the other's.
func TestTimesAndSignals(t *testing.T) {
	files := []file{
		{"W:0:1024: R:1024:1024: Terminate:0:0:", "1000 1000 1000"},
		{"W:1024:1024: R:0:1024: Terminate:0:0:", "5000 1000 1000"},
	}
	m, err := play(t, engine.New(), files)
	require.NoError(t, err)
	// host 0 would read at 2 us, but host 1 writes at 5 us, 51 ns long; both then
	// compute 1 us after their reads
	require.InDelta(t, 5000+51+51-2000, m["signal_wait_time_host0"]+51, 3)
	require.Zero(t, m["signal_wait_time_host1"])
	require.InDelta(t, 5000+51+51+1000, m["total_time_host0"], 4)
	require.InDelta(t, 5000+1000+51+1000, m["total_time_host1"], 4)
	require.Equal(t, 2048., m["read_bytes"])
	require.Equal(t, 1024., m["write_bytes_host1"])
	require.Equal(t, 8., m["read_flits_rule_host0"])
	require.Equal(t, 20., m["write_flits_rule_host0"])
	// without signals, and without times
	m, err = play(t, engine.New(), files, "Hosts.sync=false")
	require.NoError(t, err)
	require.InDelta(t, 1000+1000+51+1000, m["total_time_host0"], 4)
	m, err = play(t, engine.New(), files, "Hosts.computing=false", "Hosts.overhead=45ns")
	require.NoError(t, err)
	require.Zero(t, m["compute_time"])
	require.InDelta(t, 45+51+45+51, m["total_time"], 6)
}

// A request is read packet by packet when one may be outstanding.
func TestOutstanding(t *testing.T) {
	files := []file{{"R:0:16384: W:0:16384: Terminate:0:0:", ""}}
	one, err := play(t, engine.New(), files, "Hosts.outstanding=1", "Hosts.sync=false")
	require.NoError(t, err)
	require.InDelta(t, 32*51, one["total_time"], 40)
	posted, err := play(t, engine.New(), files, "Hosts.outstanding=1", "Hosts.sync=false", "Hosts.posted=true")
	require.NoError(t, err)
	require.InDelta(t, 16*51+16+51, posted["total_time"], 40)
	many, err := play(t, engine.New(), files, "Hosts.outstanding=64", "Hosts.sync=false")
	require.NoError(t, err)
	require.InDelta(t, 2*(16+50), many["total_time"], 40)
}

// Two hosts that each read before they write what the other wants never go on; the
// report names both.
func TestRing(t *testing.T) {
	_, err := play(t, engine.New(), []file{
		{"R:0:64: W:1024:64: Terminate:0:0:", ""}, {"R:1024:64: W:0:64: Terminate:0:0:", ""},
	})
	var stuck *engine.Stuck
	require.True(t, errors.As(err, &stuck), "%v", err)
	require.ErrorContains(t, err, "Hosts host 0")
	require.ErrorContains(t, err, "not written yet")
	require.ErrorContains(t, err, "Hosts host 1")
}

// More hosts than files: each pair has its own part of the memory.
func TestDerived(t *testing.T) {
	files := []file{{"W:0:4096: R:4096:4096: Terminate:0:0:", ""}, {"W:4096:4096: R:0:4096: Terminate:0:0:", ""}}
	two, err := play(t, engine.New(), files)
	require.NoError(t, err)
	five, err := play(t, engine.New(), files, "Hosts.hosts=5")
	require.NoError(t, err)
	require.Equal(t, 2.5*two["read_bytes"], five["read_bytes"])
	require.Equal(t, two["write_bytes_host1"], five["write_bytes_host3"])
	// host 4 has no partner who writes what it reads
	require.Zero(t, five["signal_wait_time_host4"])
}

// Counts by dumb loops over bytes.
func TestCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := hosts.Request{
			Addr: rapid.Uint64Range(0, 1<<20).Draw(t, "addr"), Size: rapid.Uint32Range(1, 5000).Draw(t, "size"), Write: rapid.Bool().Draw(t, "write"),
		}
		packet := 64 * rapid.Uint64Range(1, 32).Draw(t, "packet")
		got := q.Count(packet)
		var want hosts.Count
		touched := map[uint64]bool{}
		for left := uint64(q.Size); left > 0; {
			n := min(left, packet)
			left -= n
			want.Packets++
			slots := uint64(0)
			for b := uint64(0); b < n; b += 64 {
				want.Lines++
				slots++
			}
			for flit := uint64(0); slots > 0; flit++ {
				want.Flits++
				switch {
				case !q.Write:
					slots -= min(slots, 2)
				case slots*5 <= 4*5 && slots < 4: // n writes take n+1 flits in a group of four
					want.Flits += slots
					slots = 0
				default:
					want.Flits += 4
					slots -= 4
				}
			}
		}
		for b := range uint64(q.Size) {
			touched[(q.Addr+b)/64] = true
		}
		want.Aligned = uint64(len(touched))
		require.Equal(t, want, got)
	})
}

func TestFaults(t *testing.T) {
	good := "W:0:64: Terminate:0:0:"
	for _, c := range []struct {
		files []file
		set   string
		want  string
	}{
		{[]file{{"W:0:64:", ""}}, "", "the trace is cut off"},
		{[]file{{good, ""}, {"W:0:64: R:0:", ""}}, "", "r1.txt"},
		{[]file{{"W:0:64: R:0:64: Terminate:0:0:", "5"}}, "", "has no time for this request"},
		{[]file{{"W:0:0: Terminate:0:0:", ""}}, "Hosts.format=tsim4cxl", "a request of 0 bytes"},
		{[]file{{"W:2147483648:64: Terminate:0:0:", ""}}, "", "request 0: address 0x80000000 has no home"},
		{[]file{{good, ""}}, "Hosts.packet=100B", "want a multiple of 64B"},
		{[]file{{good, ""}}, "Hosts.overhead=3cycle", "there is no clock"},
		{[]file{{good, ""}}, "Hosts.outstanding=0", "outstanding"},
		{[]file{{good, ""}}, "Hosts.cut=page", "cut"},
		{[]file{{good, ""}}, "Hosts.format=foo", "unknown trace format"},
		{nil, "", "r0.txt"},
	} {
		var set []string
		if c.set != "" {
			set = append(set, c.set)
		}
		_, err := play(t, engine.New(), c.files, set...)
		require.ErrorContains(t, err, c.want)
	}
}

// The bytes are the same whatever the engine and however ties are broken.
func TestEngines(t *testing.T) {
	files := []file{{"W:10:9000: R:20010:9000: Terminate:0:0:", "3 5 7"}, {"W:20010:9000: R:10:9000: Terminate:0:0:", "2 9 7"}}
	want, err := play(t, engine.New(), files, "Hosts.hosts=6")
	require.NoError(t, err)
	got, err := play(t, engine.New(engine.Shuffle(7)), files, "Hosts.hosts=6")
	require.NoError(t, err)
	require.Equal(t, want, got)
	for _, e := range []sim.Engine{sim.NewSerialEngine(), sim.NewParallelEngine()} {
		s, err := build(t, e, files, "Hosts.hosts=6")
		require.NoError(t, err)
		for _, n := range s.Nodes() {
			if x, ok := n.(system.Starter); ok {
				require.NoError(t, x.Start())
			}
		}
		require.NoError(t, e.Run())
		for _, n := range s.Nodes() {
			for _, m := range n.Stats().Metrics() {
				if m.Where == "Hosts" {
					require.Equal(t, want[m.Name], m.Value, m.Name)
				}
			}
		}
	}
}
