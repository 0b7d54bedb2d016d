package slurm

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRanges(t *testing.T) {
	require.Equal(t, "1-4,7,9-10", ranges([]int{1, 2, 3, 4, 7, 9, 10}))
	require.Equal(t, "5", ranges([]int{5}))
}

// command puts a program of this name on the PATH.
func command(t *testing.T, dir, name, script string) {
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755))
}

func TestCommands(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	command(t, dir, "sbatch", `echo "$@" > "$0.args"; cat > "$0.script"; echo '42;cluster'`)
	command(t, dir, "squeue", `echo "$@" > "$0.args"; printf '1 RUNNING\n12 PENDING\n3 COMPLETED\nN/A PENDING\n4 COMPLETING\n5 CANCELLED\n'`)
	q := Queue{Name: "name", Flags: []string{"--partition=long"}}
	id, err := q.Submit(context.Background(), []int{1, 2, 5}, "#!/bin/sh\nexec it", "/log/%A_%a")
	require.NoError(t, err)
	require.Equal(t, "42", id)
	args, err := os.ReadFile(filepath.Join(dir, "sbatch.args"))
	require.NoError(t, err)
	require.Equal(t, "--parsable --job-name=name --array=1-2,5 --output=/log/%A_%a --open-mode=append --partition=long\n", string(args))
	script, err := os.ReadFile(filepath.Join(dir, "sbatch.script"))
	require.NoError(t, err)
	require.Equal(t, "#!/bin/sh\nexec it", string(script))
	active, err := q.Active(context.Background())
	require.NoError(t, err)
	require.Equal(t, map[int]string{1: "RUNNING", 12: "PENDING", 4: "COMPLETING"}, active)

	command(t, dir, "sbatch", `echo "invalid partition" >&2; exit 1`)
	_, err = q.Submit(context.Background(), []int{1}, "", "")
	require.EqualError(t, err, "sbatch: exit status 1: invalid partition")
	t.Setenv("PATH", t.TempDir())
	_, err = q.Active(context.Background())
	require.ErrorContains(t, err, "squeue is not on the PATH")
}
