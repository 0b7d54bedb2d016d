//go:build unix

package sweep

import (
	"context"
	"fmt"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
)

// A process that dies takes its point with it, and neither the sweep nor the next point:
// points 3 and 6 of this made-up one end it, point 7 never answers.
func TestKilledProcess(t *testing.T) {
	const shell = `
read load; echo '{}'
while read line; do
  case "$line" in
  *x=4*) kill -9 $$ ;;
  *x=7*) echo "panic: seven" >&2; exit 2 ;;
  *x=8*) exec sleep 60 ;;
  *) x=${line##*x=}; x=${x%%\"*}
     echo "{\"identity\":\"ID$x\",\"full\":{\"metrics\":[{\"phase\":\"all\",\"name\":\"x\",\"value\":$x,\"unit\":\"1\"}]}}" ;;
  esac
done`
	g := grid.Grid{{Paths: []string{"x"}}}
	for i := range 10 {
		g[0].Values = append(g[0].Values, []string{fmt.Sprint(i + 1)})
	}
	s := &Sweep{Grid: g, Runner: namedRunner{}, Dir: t.TempDir(), Workers: 2, base: "base.yaml", Timeout: 2 * time.Second}
	require.NoError(t, s.Isolate(func() *exec.Cmd { return exec.Command("sh", "-c", shell) }, 0))
	out, err := s.Run(context.Background())
	require.NoError(t, err)
	require.Len(t, out.Failures, 3)
	require.Equal(t, "its process ended: signal: killed", out.Failures[0].Error)
	require.Equal(t, "its process ended: exit status 2: panic: seven", out.Failures[1].Error)
	require.Equal(t, "killed: it ran for more than 2s", out.Failures[2].Error)
	require.Equal(t, 7, out.Finished-out.Failed)
	require.Contains(t, file(t, s, "sweep.csv"), "\n9,ID10,complete,10,10\n")
}

// namedRunner knows what its points are; others run them.
type namedRunner struct{}

func (namedRunner) Prepare(p grid.Point) (Job, error) {
	return namedJob(fmt.Sprint("ID", p.Index+1)), nil
}

type namedJob string

func (j namedJob) Identity() string                            { return string(j) }
func (j namedJob) Run(context.Context) (*result.Result, error) { panic("it runs elsewhere") }
