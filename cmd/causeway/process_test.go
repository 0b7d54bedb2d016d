package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/build"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/journal"
	"github.com/causeway-sim/causeway/components/stats"
)

// A process is the command, running by itself.
type process struct {
	*exec.Cmd
	stdout, stderr bytes.Buffer
}

// causeway prepares the command in the folder dir: the test binary under the
// command's name.
func causeway(t *testing.T, dir string, args ...string) *process {
	self, err := os.Executable()
	require.NoError(t, err)
	p := &process{Cmd: &exec.Cmd{Path: self, Args: append([]string{"causeway"}, args...), Dir: dir}}
	p.Stdout, p.Stderr = &p.stdout, &p.stderr
	p.Env = append(os.Environ(), "CAUSEWAY_CONFIG=", "XDG_CONFIG_HOME="+dir)
	return p
}

// run runs the command to its end and returns the exit code.
func (p *process) run(t *testing.T) int {
	err := p.Run()
	if err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	return p.ProcessState.ExitCode()
}

// A run of many minutes, as far as tests are concerned.
var endless = []string{
	"--set", "workload.model=llama3_70b", "--set", "Core.dma.burst=64B", "--set", "Mem.size=200GiB",
}

// Ctrl-C ends a run with 130; everything found so far is in the folder, marked.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cfg := filepath.Join(repository(t), "configs", "examples", "llama3_decode.yaml")
	p := causeway(t, dir, append([]string{"run", cfg, "--out", "out"}, endless...)...)
	require.NoError(t, p.Start())
	// The folder is made last before the run.
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(dir, "out"))
		return err == nil
	}, 30*time.Second, 5*time.Millisecond)
	time.Sleep(300 * time.Millisecond) // some layers
	require.NoError(t, p.Process.Signal(os.Interrupt))
	require.Error(t, p.Wait())
	require.Equal(t, 130, p.ProcessState.ExitCode(), p.stderr.String())
	require.Equal(t, "interrupted; what was found so far is marked incomplete\n", p.stderr.String())
	require.Contains(t, p.stdout.String(), "INCOMPLETE: interrupted")

	var r result.Result
	b, err := os.ReadFile(filepath.Join(dir, "out", "result.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &r))
	require.Equal(t, result.Incomplete, r.Status)
	require.Equal(t, "interrupted", r.Reason)
	require.NotEmpty(t, r.Metrics)
	require.ElementsMatch(t, []string{"config.resolved.yaml", "layers.csv", "metrics.csv", "observed.json", "report.html", "result.json", "run.json"}, fileNames(t, filepath.Join(dir, "out")))
}

// A sweep that is killed at any moment goes on where it was and comes to the
// bytes of one that was not; so does one that is interrupted.
func TestKilledSweep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	base, err := os.ReadFile(filepath.Join(repository(t), "configs", "examples", "resnet18.yaml"))
	require.NoError(t, err)
	write("base.yaml", string(base))
	write("sweep.yaml", `base: base.yaml
sweep:
  Core.rows, Core.cols: [16, 32, 64]
  Core.dataflow: [os, ws, is]
  Core.sram.ifmap: [256KiB, 64B, 128KiB]
`)
	const points, failing = 27, 9 // no tile fits 64 B
	whole := causeway(t, dir, "sweep", "sweep.yaml", "--out", "whole")
	require.Equal(t, command.ExitIncomplete, whole.run(t), whole.stderr.String())
	want, err := os.ReadFile(filepath.Join(dir, "whole", "sweep.csv"))
	require.NoError(t, err)
	require.Equal(t, points+1, bytes.Count(want, []byte("\n")))
	require.Equal(t, failing, strings.Count(string(want), ",failed,"))

	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	for round, sig := range []os.Signal{os.Kill, os.Kill, os.Interrupt} {
		out := []string{"kill0", "kill1", "interrupt"}[round]
		var p *process
		for late := true; late; late = entries(t, filepath.Join(dir, out)) == points { // all was done before we looked: again
			require.NoError(t, os.RemoveAll(filepath.Join(dir, out)))
			lines := 1 + rng.IntN(points/3)
			t.Logf("seed %d: %s after %d points", seed, sig, lines)
			p = causeway(t, dir, "sweep", "sweep.yaml", "--out", out, "-j", "2")
			require.NoError(t, p.Start())
			for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
				if entries(t, filepath.Join(dir, out)) >= lines {
					break
				}
			}
			require.NoError(t, p.Process.Signal(sig))
			require.Error(t, p.Wait())
		}
		if sig == os.Interrupt {
			require.Equal(t, command.ExitInterrupted, p.ProcessState.ExitCode(), p.stderr.String())
			require.Contains(t, p.stderr.String(), "interrupted; the same command goes on from here")
		} else {
			require.Equal(t, -1, p.ProcessState.ExitCode(), "it ended before it was killed")
			require.NoFileExists(t, filepath.Join(dir, out, "sweep.csv"))
		}

		again := causeway(t, dir, "sweep", "sweep.yaml", "--out", out)
		require.Equal(t, command.ExitIncomplete, again.run(t), again.stderr.String())
		require.Regexp(t, "[1-9][0-9]* from the journal", again.stdout.String())
		got, err := os.ReadFile(filepath.Join(dir, out, "sweep.csv"))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
		require.Equal(t, points, entries(t, filepath.Join(dir, out)), "a point was run twice")
	}
}

// entries counts the lines of all journals of a sweep's folder, headers left out.
func entries(t *testing.T, dir string) (n int) {
	files, err := filepath.Glob(filepath.Join(dir, "journal", "*.jsonl"))
	require.NoError(t, err)
	for _, f := range files {
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		n += max(0, bytes.Count(b, []byte("\n"))-1)
	}
	return n
}

// Two processes work in one folder, are killed again and again at any moment and
// started again: the points come out as those of one process, and none is done
// twice, but those that were under way.
func TestTwoKilledWriters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	base, err := os.ReadFile(filepath.Join(repository(t), "configs", "examples", "resnet18.yaml"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "base.yaml"), base, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sweep.yaml"), []byte(`base: base.yaml
sweep:
  Core.rows: [8, 16, 24, 32, 40, 48, 56, 64]
  Core.cols: [8, 16, 24, 32, 40, 48, 56, 64]
metrics: [total_cycles]
`), 0o644))
	const points = 64
	whole := causeway(t, dir, "sweep", "sweep.yaml", "--out", "whole")
	require.Zero(t, whole.run(t), whole.stderr.String())
	want, err := os.ReadFile(filepath.Join(dir, "whole", "sweep.csv"))
	require.NoError(t, err)

	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	var two [2]*process
	start := func(i int) {
		two[i] = causeway(t, dir, "sweep", "sweep.yaml", "--out", "two", "-j", "1", "--quiet")
		require.NoError(t, two[i].Start())
	}
	start(0)
	start(1)
	for range 10 {
		victim := rng.IntN(2)
		time.Sleep(time.Duration(rng.IntN(60)) * time.Millisecond)
		require.NoError(t, two[victim].Process.Kill())
		_ = two[victim].Wait()
		start(victim)
	}
	for _, p := range two {
		require.NoError(t, p.Wait(), p.stderr.String())
	}
	got, err := os.ReadFile(filepath.Join(dir, "two", "sweep.csv"))
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
	require.Equal(t, points, entries(t, filepath.Join(dir, "two")), "a finished point was run again")
	require.NoDirExists(t, filepath.Join(dir, "two", "claims"))
}

// A journal of another build does not answer for this one. The other build is
// this binary with one letter of its build ID changed.
func TestAnotherBuild(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	base, err := os.ReadFile(filepath.Join(repository(t), "configs", "examples", "resnet18.yaml"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "base.yaml"), base, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sweep.yaml"), []byte("base: base.yaml\nsweep: {Core.rows: [8, 16]}\n"), 0o644))
	id := build.Running("").ID
	self, err := os.Executable()
	require.NoError(t, err)
	b, err := os.ReadFile(self)
	require.NoError(t, err)
	other := "X" + id[1:]
	if other == id {
		other = "Y" + id[1:]
	}
	require.NotZero(t, bytes.Count(b, []byte(id)))
	changed := filepath.Join(dir, "changed")
	require.NoError(t, os.WriteFile(changed, bytes.ReplaceAll(b, []byte(id), []byte(other)), 0o755))
	run := func(path string, want int, args ...string) *process {
		p := causeway(t, dir, args...)
		p.Path = path
		require.Equal(t, want, p.run(t), p.stderr.String())
		return p
	}
	require.Contains(t, run(self, 0, "version").stdout.String(), "build "+id+"\n")
	require.Contains(t, run(changed, 0, "version").stdout.String(), "build "+other+"\n")
	run(self, 0, "sweep", "sweep.yaml", "--out", "s")
	said := run(changed, command.ExitInput, "sweep", "sweep.yaml", "--out", "s").stderr.String()
	require.Contains(t, said, "s holds results of another build, ")
	require.Contains(t, said, "--reuse takes them, --fresh starts anew")
	require.Contains(t, run(changed, 0, "sweep", "sweep.yaml", "--out", "s", "--reuse").stdout.String(), "0 run now, 2 from the journal")
	require.Contains(t, run(changed, 0, "sweep", "sweep.yaml", "--out", "s", "--fresh").stdout.String(), "2 run now, 0 from the journal")
	run(self, command.ExitInput, "sweep", "sweep.yaml", "--out", "s", "--fresh", "--reuse")

	// Results do not say which build made them; run.json does.
	run(self, 0, "run", "base.yaml", "--out", "one", "--quiet")
	run(changed, 0, "run", "base.yaml", "--out", "two", "--quiet")
	for _, name := range []string{"result.json", "metrics.csv"} {
		a, err := os.ReadFile(filepath.Join(dir, "one", name))
		require.NoError(t, err)
		b, err := os.ReadFile(filepath.Join(dir, "two", name))
		require.NoError(t, err)
		require.Equal(t, string(a), string(b))
	}
	for name, id := range map[string]string{"one": id, "two": other} {
		var p result.Process
		b, err := os.ReadFile(filepath.Join(dir, name, "run.json"))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(b, &p))
		require.Equal(t, id, p.Build.ID)
		require.NotEmpty(t, p.Identity)
		require.Contains(t, string(b), `"cpu_s": `)
	}
}

// A point of a sweep is the run of its settings: one identity, equal metrics.
func TestPointIsARun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	base := filepath.Join(repository(t), "configs", "examples", "resnet18.yaml")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sweep.yaml"), []byte("base: "+base+"\nsweep: {Core.rows: [16]}\n"), 0o644))
	p := causeway(t, dir, "sweep", "sweep.yaml", "--out", "s")
	require.Zero(t, p.run(t), p.stderr.String())
	p = causeway(t, dir, "run", base, "--set", "Core.rows=16", "--out", "r")
	require.Zero(t, p.run(t), p.stderr.String())

	var run result.Result
	b, err := os.ReadFile(filepath.Join(dir, "r", "result.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &run))
	folder, err := journal.Open(filepath.Join(dir, "s"), string(result.Complete))
	require.NoError(t, err)
	e, ok := folder.Lookup(run.Identity)
	require.True(t, ok)
	b, err = folder.Result(e)
	require.NoError(t, err)
	var point []stats.Metric
	require.NoError(t, json.Unmarshal(b, &point))
	require.Equal(t, run.Metrics, point)
}

func fileNames(t *testing.T, dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
