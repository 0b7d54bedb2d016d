package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/usage"
)

// A limit that the process is above ends the context, with a cause that says so; a run ends with
// what was found, and a command that has not begun to run with advice.
func TestALimitEndsTheContext(t *testing.T) {
	if !usage.KnowsOthers {
		t.Skip("the system does not say how much memory a process has")
	}
	l := memoryLimit{text: "1KiB", bytes: 1 << 10, asked: true}
	ctx, leave := l.watch(context.Background(), func(string) {})
	defer leave()
	select {
	case <-ctx.Done():
	case <-time.After(time.Minute):
		t.Fatal("the limit is not heeded")
	}
	var s *experiment.Stop
	require.ErrorAs(t, context.Cause(ctx), &s)
	require.Equal(t, "it takes more than --max-memory 1KiB", s.Reason)
	require.EqualError(t, stopped(ctx, "a.yaml"), "a.yaml: it takes more than --max-memory 1KiB; "+lessMemory)

	var ee *command.Exit
	require.ErrorAs(t, statusError(ctx, &result.Result{Status: result.Incomplete}, s), &ee)
	require.Equal(t, command.ExitStuck, ee.Code)
	require.EqualError(t, ee, "it takes more than --max-memory 1KiB; what was found so far is marked incomplete")
}

// Nothing is ended without a limit, and a limit of the machine is that which it has free.
func TestTheLimitOfTheMachine(t *testing.T) {
	var l memoryLimit
	require.NoError(t, l.read())
	if uint64(usage.Free()) > 0 {
		require.Greater(t, l.bytes, uint64(usage.Free())/2)
	}
	ctx, leave := l.watch(context.Background(), func(string) {})
	time.Sleep(3 * watchEvery)
	require.NoError(t, ctx.Err())
	require.NoError(t, stopped(ctx, "a.yaml"))
	leave()
	require.True(t, errors.Is(ctx.Err(), context.Canceled))
	require.NoError(t, stopped(ctx, "a.yaml"), "a command that has ended was not stopped")
}
