package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// Packets handed over by value, by any number of workers and whatever the order of
// simultaneous events, come to the bytes that messages come to. divided says whether
// workers can share the run.
func TestCarriersAgree(t *testing.T) {
	short := "Traffic.rules={sample: 150, warmup: 1, samples: 4}"
	for _, c := range []struct {
		file    string
		set     []string
		divided bool
	}{
		{"dragonfly", nil, true},
		{"dragonfly", []string{"Net.routing.name=ugal_l", "Traffic.pattern=adv+1", "Traffic.load=0.6"}, true},
		{"dragonfly", []string{"Net.routing.name=ugal_g", "Traffic.pattern=adv+1", "Traffic.load=0.3"}, true},
		{"dragonfly", []string{"Net.routing.name=val_router", "Traffic.packet=3", "Net.router.inject_vc=round_robin"}, true},
		{"dragonfly", []string{"Net.routing.name=par", "Traffic.load=0.4", "Net.router.allocator=age"}, false},
		{"dragonfly", []string{"Net.routing.name=pb", "Traffic.pattern=adv+1", "Traffic.load=0.3"}, true},
		{"dragonfly", []string{"Net.routing.name=piar", "Traffic.pattern=adv+1", "Traffic.load=0.3"}, false},
		{"dragonfly", []string{"Net.routing.name=olm", "Traffic.load=0.3"}, false},
		{"dragonfly", []string{"Net.routing.name=olm", "Traffic.load=0.3", "Net.router.routing_delay=1"}, true},
		{"dragonfly", []string{"Net.router.depth=4", "Net.router.shared=8", "Traffic.packet=2", "Traffic.load=0.7"}, true},
		{"dragonfly", []string{"Traffic.process={queue: none, length: 4}", "Traffic.load=0.8"}, true},
		{"dragonfly", []string{"Traffic.process={name: on_off}", "Traffic.pattern={name: stencil}"}, true},
		{"dragonfly", []string{"Traffic.changes=[{at: 201, load: 0.5}, {at: 333, pattern: adv+1}]"}, true},
		{"dragonfly", []string{"simulation.sample=77ns", "Traffic.load=0.3"}, true},
		{"dragonfly", []string{"Traffic.search={repeats: 2, precision: 0.2}", "Traffic.load=null"}, true},
		{"dragonfly", []string{"Traffic.reply=2"}, false},
		{"dragonfly", []string{"Net.router={preset: fogsim}"}, false},
		{"dragonfly", []string{"Net.topology={name: dragonfly_plus, leaves: 2, spines: 2, p: 2, h: 2}", "Net.clock=940MHz", "Net.global={latency: 50ns}"}, true},
		{"mesh", nil, false},
	} {
		name := fmt.Sprint(c.file, c.set)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(repository(t), "configs", "examples", c.file+".yaml")
			run := func(o experiment.Options) (got []string, note string) {
				o.Set, o.Note = append([]string{short}, c.set...), func(line string) { note = line }
				x, err := experiment.Load(file, o)
				require.NoError(t, err)
				r, _, err := x.Run(context.Background(), nil)
				require.NoError(t, err)
				if o.Observe { // the figures of a report: tasks come in the same order
					b, err := r.Observed.JSON()
					require.NoError(t, err)
					return []string{string(b)}, note
				}
				return []string{string(result.MetricsCSV(r.Metrics)), string(result.TableCSV(r.Series)), string(result.TableCSV(r.Channels))}, note
			}
			want, _ := run(experiment.Options{Messages: true})
			workers, engines := []int{1, 3}, []string{"shuffle:1"}
			if os.Getenv("CAUSEWAY_LONG") != "" {
				workers, engines = []int{1, 2, 3, 8}, []string{"shuffle:1", "shuffle:2", "serial"}
			}
			for _, workers := range workers {
				got, note := run(experiment.Options{Workers: workers})
				require.Equal(t, want, got, "%d workers", workers)
				require.Equal(t, c.divided || workers == 1, note == "", note)
			}
			got, _ := run(experiment.Options{Scaling: true})
			require.Equal(t, want, got, "measured for more cores")
			seen, _ := run(experiment.Options{Messages: true, Observe: true})
			got, _ = run(experiment.Options{Workers: 2, Observe: true})
			require.True(t, slices.Equal(seen, got), "observed")
			for _, engine := range engines {
				got, _ := run(experiment.Options{Workers: 2, Engine: engine})
				require.Equal(t, want, got, engine)
			}
		})
	}
}

// On demand a run says what more cores would give, also with the figures of its report,
// or why there is nothing to say.
func TestScalingIsTold(t *testing.T) {
	for _, c := range []struct{ file, set, want string }{
		{"dragonfly", "Traffic.rules={sample: 600}", `^Traffic: estimated from \d+ windows of 9 parts, 2 cores would take [\d.]+ times less, 16 cores [\d.]+, 64 cores [\d.]+ \(--workers\)$`},
		{"dragonfly", "Traffic.rules={sample: 50, warmup: 1, samples: 2}", `^--scaling: Traffic ran for too few windows to say`},
		{"mesh", "Traffic.rules={sample: 50, warmup: 1, samples: 2}", `^--scaling has nothing to say: nothing of this system can be divided, since .* has no groups`},
	} {
		note := ""
		o := experiment.Options{Scaling: true, Observe: true, Set: []string{c.set}, Note: func(line string) { note = line }}
		x, err := experiment.Load(filepath.Join(repository(t), "configs", "examples", c.file+".yaml"), o)
		require.NoError(t, err)
		_, _, err = x.Run(context.Background(), nil)
		require.NoError(t, err)
		require.Regexp(t, c.want, note)
	}
}

// Why workers or a quantum have no effect is said, the same by check as by run.
func TestWhyNothingIsDivided(t *testing.T) {
	const text = "schema: causeway/1\nsimulation: {quantum: %s}\nnodes:\n  - {name: Net, kind: network, fidelity: %s, topology: %s}\n  - {name: Traffic, kind: traffic, load: 0.1%s, rules: {sample: 300, warmup: 1, samples: 3}}\nlinks:\n  - %s\n"
	const plain = "Traffic -> Net"
	for why, c := range map[string][4]string{
		"its topology has no groups of routers":         {"flit", "{name: mesh, dims: [4, 4]}", "", plain},
		"its groups are 2 cycles apart (want 8 or more": {"flit", "{name: dragonfly, p: 2, a: 4, h: 2}", "", plain},
		"is not of fidelity flit":                       {"packet", "{name: dragonfly, p: 2, a: 4, h: 2}", "", plain},
		"ask for answers (reply)":                       {"flit", "{name: mesh, dims: [4, 4]}", ", reply: 2", plain},
		"links of Traffic have a latency":               {"flit", "{name: mesh, dims: [4, 4]}", "", "{link: Traffic -> Net, latency: 20ns}"},
	} {
		file := filepath.Join(t.TempDir(), "q.yaml")
		load := func(quantum string, o experiment.Options) *experiment.Experiment {
			require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, text, quantum, c[0], c[1], c[2], c[3]), 0o644))
			x, err := experiment.Load(file, o)
			require.NoError(t, err)
			return x
		}
		note := ""
		_, _, err := load("0ns", experiment.Options{Workers: 4, Note: func(s string) { note += s }}).Run(context.Background(), nil)
		require.NoError(t, err)
		require.Contains(t, note, why)
		require.ErrorContains(t, load("1us", experiment.Options{}).Ready(), why)
		_, _, err = load("1us", experiment.Options{}).Run(context.Background(), nil)
		require.ErrorContains(t, err, why)
	}
}

// A quantum beyond the lookahead changes results, to the same for all workers and engines;
// one of the lookahead changes none.
func TestQuantumOfGroups(t *testing.T) {
	file := filepath.Join(repository(t), "configs", "studies", "cossim", "flits.yaml")
	run := func(quantum string, o experiment.Options) string {
		o.Set = []string{"quantum=" + quantum, "Traffic.rules={sample: 300, warmup: 1, samples: 3}"}
		x, err := experiment.Load(file, o)
		require.NoError(t, err)
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err)
		return string(result.MetricsCSV(r.Metrics))
	}
	exact := run("0ns", experiment.Options{})
	require.Equal(t, exact, strings.Replace(run("101ns", experiment.Options{}), "all,Net,late,0,request\n", "", 1))
	late := run("250ns", experiment.Options{})
	require.NotContains(t, late, "all,Net,late,0,request")
	for _, workers := range []int{2, 3, 8} {
		require.Equal(t, late, run("250ns", experiment.Options{Workers: workers}))
	}
	require.Equal(t, late, run("250ns", experiment.Options{Workers: 2, Engine: "shuffle:1", Observe: true}))
	// The measurement does not end before its last packet has come, however late that is.
	of := func(text, name string) (v float64) {
		_, rest, ok := strings.Cut(text, name+",")
		require.True(t, ok, name)
		_, err := fmt.Sscanf(rest, "%g", &v)
		require.NoError(t, err)
		return v
	}
	for _, quantum := range []string{"250ns", "10us", "100us"} {
		text := run(quantum, experiment.Options{})
		require.GreaterOrEqual(t, of(text, "all,Traffic,simulated_cycles"), of(text, "measure,Traffic,packet_latency_max"), quantum)
	}

	x, err := experiment.Load(file, experiment.Options{Messages: true})
	require.NoError(t, err)
	_, _, err = x.Run(context.Background(), nil)
	require.ErrorContains(t, err, "simulation.quantum: has no effect: nothing can be divided, since everything is a message (--messages, ")
	_, err = experiment.Load(filepath.Join(repository(t), "configs", "examples", "resnet18.yaml"), experiment.Options{Set: []string{"simulation.quantum=1us"}})
	require.ErrorContains(t, err, "has no effect: there is no network")
}
