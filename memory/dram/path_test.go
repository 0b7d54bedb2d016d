package dram_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram"
	_ "github.com/causeway-sim/causeway/workloads/player"
)

// traceFile writes a trace as the peers read it.
func traceFile(t testing.TB, reqs []request) string {
	t.Helper()
	var text strings.Builder
	for _, r := range reqs {
		kind := 'R'
		if r.write {
			kind = 'W'
		}
		fmt.Fprintf(&text, "%c %x\n", kind, r.addr)
	}
	path := filepath.Join(t.TempDir(), "a.trc")
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o600))
	return path
}

// play runs a driver on a memory: the whole path of a run, from the trace in a
// file to the last answer.
func play(t testing.TB, path, mode string) (time.Duration, uint64) {
	t.Helper()
	d, err := configs.Parse("t.yaml", fmt.Appendf(nil, `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, trace: %s, mode: %q}
  - {name: Mem, kind: memory, preset: ddr4_3200}
links: [Driver -> Mem]
`, path, mode), configs.Options{Dir: "."})
	require.NoError(t, err)
	e := engine.New()
	s, err := system.Build(d, &system.Env{Engine: e})
	require.NoError(t, err)
	start := time.Now()
	require.NoError(t, s.Node("Driver").(system.Starter).Start())
	require.NoError(t, e.Run())
	return time.Since(start), e.Events()
}

// Requests per second of one core over the whole path.
func BenchmarkPath(b *testing.B) {
	var reqs []request
	for seed := range 10 {
		reqs = append(reqs, pattern(fmt.Sprintf("rand%d_r", seed+1))...)
	}
	path := traceFile(b, reqs)
	for _, mode := range []string{"open:12", "open:16", "open:32", "closed:64", "open:4"} {
		b.Run(mode, func(b *testing.B) {
			b.ReportAllocs()
			events := uint64(0)
			for range b.N {
				_, n := play(b, path, mode)
				events += n
			}
			b.ReportMetric(float64(b.N*len(reqs))/b.Elapsed().Seconds(), "requests/s")
			b.ReportMetric(float64(events)/float64(b.N*len(reqs)), "events/request")
		})
	}
}

// Requests per second beside those of a peer, in one run and by turns, each at
// its best of some. A variable names the program that testdata/peer says how to
// build, and its configuration:
//
//	CAUSEWAY_DRAMSIM3="dramsim3 configs/DDR4_8Gb_x8_3200.ini" \
//	CAUSEWAY_RAMULATOR="ramulator ddr4.yaml" go test ./memory/dram -run - -bench Peer -benchtime 5x
//
// bare is the controller with the trace in memory, as the peers are measured;
// path goes from the file over driver and link, which the peers do not have.
func BenchmarkPeer(b *testing.B) {
	for _, peer := range []string{"CAUSEWAY_DRAMSIM3", "CAUSEWAY_RAMULATOR"} {
		command := strings.Fields(os.Getenv(peer))
		if len(command) != 2 {
			b.Logf("%s names no program and configuration", peer)
			continue
		}
		for _, c := range []struct{ pattern, mode string }{
			{"seq_r", "open:12"}, {"rand_r", "open:12"}, {"rand_r", "open:16"}, {"rand_r", "open:32"},
			{"rand_r", "closed:64"}, {"rand_r", "open:4"}, {"rand_2r1w", "closed:64"},
		} {
			b.Run(strings.ToLower(strings.TrimPrefix(peer, "CAUSEWAY_"))+"/"+c.pattern+"/"+c.mode, func(b *testing.B) {
				s := settings["ddr4_open_AllBank"]
				cfg := s.config()
				m := address.New(s.mapped, cfg.Grade.Organisation.Geometry(1))
				reqs := pattern(c.pattern)
				path := traceFile(b, reqs)
				var theirs, bare, whole float64
				for range b.N {
					out, err := exec.Command(command[0], command[1], path, c.mode).Output()
					require.NoError(b, err)
					var clocks uint64
					var rate float64
					_, err = fmt.Sscan(string(out), &clocks, &rate)
					require.NoError(b, err, string(out))
					h := newHarness(reqs)
					d, err := dram.New(cfg, h)
					require.NoError(b, err)
					start := time.Now()
					r := h.run(d, m, c.mode)
					bare = max(bare, float64(len(reqs))/time.Since(start).Seconds())
					took, _ := play(b, path, c.mode)
					theirs, whole = max(theirs, rate), max(whole, float64(len(reqs))/took.Seconds())
					require.InEpsilon(b, clocks, r.last, 0.15, "the same work")
				}
				b.ReportMetric(0, "ns/op") // means nothing here
				b.ReportMetric(theirs, "peer/s")
				b.ReportMetric(bare, "bare/s")
				b.ReportMetric(whole, "path/s")
				b.ReportMetric(bare/theirs, "bare-ratio")
				b.ReportMetric(whole/theirs, "path-ratio")
			})
		}
	}
}
