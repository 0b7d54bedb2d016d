//go:build unix

package remote

import (
	"context"
	"fmt"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
)

// answering is a process that answers each request after the first with these lines in turn.
func answering(t *testing.T, lines ...string) (*Processes, *int) {
	script := "read load; echo '{}'\n"
	for _, l := range lines {
		script += "read line; printf '%s\\n' '" + l + "'\n"
	}
	started := 0
	p, err := NewProcesses("base.yaml", []string{"a=1"}, func() *exec.Cmd {
		started++
		return exec.Command("sh", "-c", script)
	}, 0)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p, &started
}

// One process runs point after point. What it says of each becomes a result or an error.
func TestProcesses(t *testing.T) {
	ctx := context.Background()
	p, started := answering(t,
		`{"identity": "A", "full": {"metrics": [{"name": "x", "value": 3, "unit": "1"}]}}`,
		`{"identity": "B", "full": {}}`,
		`{"status": "stuck", "error": "nobody answers"}`,
		`{"error": "no such key"}`,
		`what?`)
	res, err := p.Run(ctx, nil, "A")
	require.NoError(t, err)
	require.Equal(t, 3.0, res.Metrics[0].Value)
	_, err = p.Run(ctx, nil, "A")
	require.EqualError(t, err, "its configuration or its inputs have changed since the sweep began")
	res, err = p.Run(ctx, nil, "A")
	require.NoError(t, err)
	require.Equal(t, result.Result{Status: result.Stuck, Reason: "nobody answers"}, *res)
	_, err = p.Run(ctx, nil, "A")
	require.EqualError(t, err, "no such key")
	_, err = p.Run(ctx, nil, "A")
	require.EqualError(t, err, `its process answered "what?\n"`)
	require.Equal(t, 1, *started)
	_, err = p.Run(ctx, nil, "A") // the script is at its end
	require.ErrorContains(t, err, "its process ended: ")
	_, err = p.Run(ctx, nil, "A")
	require.NoError(t, err)
	require.Equal(t, 2, *started)
}

// What a process prints as it ends is in the error; a process that refuses the configuration says why.
func TestProcessFails(t *testing.T) {
	for script, want := range map[string]string{
		`echo "panic: seven" >&2; exit 2`:         "a process for points cannot be started: exit status 2: panic: seven",
		`read load; echo '{"error": "no file"}'`:  "no file",
		`read load; echo '{}'; read line; exit 3`: "its process ended: exit status 3",
	} {
		p, err := NewProcesses("base.yaml", nil, func() *exec.Cmd { return exec.Command("sh", "-c", script) }, 0)
		require.NoError(t, err)
		_, err = p.Run(context.Background(), nil, "A")
		require.EqualError(t, err, want, fmt.Sprint(script))
		p.Close()
	}
}
