package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
)

// A broken line in the middle of a journal costs its point and nothing else: status, collect
// and resume name the line, say what is run again, and go on with the rest.
func TestABrokenLineCostsItsPointAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"base.yaml": "schema: causeway/1\nworkload: {model: alexnet}\nnodes:\n" +
			"  - {name: Core, kind: systolic, fidelity: analytic, rows: 16, cols: 16}\n" +
			"  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 25.6GB/s}\nlinks:\n  - Core -> Mem\n",
		"sweep.yaml": "base: base.yaml\nsweep:\n  Core.rows: [8, 16, 24, 32]\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	good := causeway(t, dir, "sweep", "sweep.yaml", "--out", "s", "-j", "1")
	require.Equal(t, 0, good.run(t), good.stderr.String())
	want, err := os.ReadFile(filepath.Join(dir, "s", "sweep.csv"))
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(dir, "s", "journal", "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	src, err := os.ReadFile(files[0])
	require.NoError(t, err)
	lines := bytes.SplitAfter(src, []byte("\n"))
	copy(lines[2][len(lines[2])/2:], "\x00\x00\x00\x00\x00\x00\x00\x00") // the second point
	require.NoError(t, os.WriteFile(files[0], bytes.Join(lines, nil), 0o600))

	again := `warning: \S+\.jsonl:3: is no journal entry, and was set aside; point 1, which it held, is run again by the next sweep or resume`
	status := causeway(t, dir, "sweep", "status", "s")
	require.Equal(t, command.ExitIncomplete, status.run(t))
	require.Contains(t, status.stdout.String(), "4 points: 3 complete, 0 failed, 1 missing")
	require.Regexp(t, again, status.stderr.String())
	collect := causeway(t, dir, "sweep", "collect", "s")
	require.Equal(t, command.ExitIncomplete, collect.run(t))
	require.Regexp(t, again, collect.stderr.String())
	require.Contains(t, collect.stderr.String(), "missing: point 1 (Core.rows=16)")
	partial := causeway(t, dir, "sweep", "collect", "s", "--allow-partial")
	require.Equal(t, 0, partial.run(t), partial.stderr.String())
	require.Regexp(t, again, partial.stderr.String())
	resume := causeway(t, dir, "sweep", "resume", "s")
	require.Equal(t, 0, resume.run(t), resume.stderr.String())
	require.Contains(t, resume.stdout.String(), "4 points: 1 run now, 3 from the journal, 0 failed")
	require.Regexp(t, `\.jsonl:3: is no journal entry, and was set aside; point 1, which it held, is complete by another entry`, resume.stderr.String())
	got, err := os.ReadFile(filepath.Join(dir, "s", "sweep.csv"))
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}
