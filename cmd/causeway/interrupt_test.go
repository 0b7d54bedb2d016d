package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
)

// A command that does not end after Ctrl-C is abandoned with 130, unless it writes the
// figures of a run: those are waited for.
func TestACommandThatDoesNotEndIsAbandoned(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var said bytes.Buffer
	require.Equal(t, command.ExitInterrupted, awaitEnd(ctx, make(chan int), &said))
	require.Equal(t, "interrupted; the step under way was abandoned\n", said.String())

	writingFigures.Add(1)
	defer writingFigures.Add(-1)
	said.Reset()
	code := make(chan int)
	go func() {
		time.Sleep(grace + 200*time.Millisecond)
		code <- 7
	}()
	require.Equal(t, 7, awaitEnd(ctx, code, &said))
	require.Equal(t, "interrupted; what was found is being written (Ctrl-C again leaves it)\n", said.String())
}

// What takes too long after Ctrl-C is left out; a panic is one of the caller.
func TestInGrace(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	v, ok, err := inGrace(ctx, time.Millisecond, func() (int, error) { return 3, nil })
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, 3, v)
	require.PanicsWithValue(t, "broken", func() {
		_, _, _ = inGrace(ctx, time.Millisecond, func() (int, error) { panic("broken") })
	})
	cancel()
	forever := make(chan int)
	_, ok, err = inGrace(ctx, time.Millisecond, func() (int, error) { return <-forever, nil })
	require.NoError(t, err)
	require.False(t, ok)
}

// Ctrl-C ends a command in phases that look at nothing but their work: one long event of a
// schedule, the check of a configuration, the mapping of a model, the points of a sweep.
func TestInterruptInEveryPhase(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts long commands")
	}
	dir, examples := t.TempDir(), filepath.Join(repository(t), "configs", "examples")
	frames := []string{"--set", "frames=1000000"}
	long := filepath.Join(examples, "pipeline.yaml")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sweep.yaml"), []byte("base: "+long+"\nsweep:\n  frames: [1000000, 1000001]\n"), 0o600))
	for name, args := range map[string][]string{
		"run":            append([]string{"run", long, "--quiet"}, frames...),
		"check":          append([]string{"check", long}, frames...),
		"map":            append([]string{"map", long}, frames...),
		"estimate":       {"check", "sweep.yaml", "--estimate"},
		"sweep":          {"sweep", "sweep.yaml", "--out", "s"},
		"several layers": append([]string{"run", filepath.Join(examples, "llama3_prefill.yaml"), "--set", "workload.sequence=100000"}, "--quiet"),
	} {
		t.Run(name, func(t *testing.T) {
			p := causeway(t, dir, args...)
			require.NoError(t, p.Start())
			ended := make(chan error, 1)
			go func() { ended <- p.Wait() }()
			select {
			case <-time.After(1500 * time.Millisecond):
			case <-ended:
				t.Fatalf("it ended before it was interrupted: %s", p.stderr.String())
			}
			require.NoError(t, p.Process.Signal(os.Interrupt))
			select {
			case <-ended:
			case <-time.After(time.Minute): // the work would take far longer
				require.NoError(t, p.Process.Kill())
				t.Fatal("it goes on")
			}
			require.Equal(t, command.ExitInterrupted, p.ProcessState.ExitCode(), p.stderr.String())
			require.Contains(t, p.stderr.String(), "interrupted; ")
		})
	}
}
