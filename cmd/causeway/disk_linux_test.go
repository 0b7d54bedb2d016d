package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
)

// On a full disk a run ends with an error, and no result.json claims a whole that
// is not there: not even that of the run before.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	disk := filepath.Join(dir, "disk")
	require.NoError(t, os.Mkdir(disk, 0o755))
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=4m"); err != nil {
		t.Skip("no small disk can be made: ", err)
	}
	defer func() { require.NoError(t, syscall.Unmount(disk, 0)) }()
	cfg := filepath.Join(repository(t), "configs", "examples", "resnet18.yaml")
	run := func(want int, args ...string) string {
		p := causeway(t, dir, append([]string{"run", cfg, "--quiet", "--out", "disk/r"}, args...)...)
		require.Equal(t, want, p.run(t), p.stderr.String())
		return p.stderr.String()
	}
	run(0, "--html=false")
	require.FileExists(t, filepath.Join(disk, "r", "result.json"))
	// Fill what is left.
	f, err := os.Create(filepath.Join(disk, "full"))
	require.NoError(t, err)
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NoError(t, f.Close())
	message := run(command.ExitInternal, "--overwrite", "--set", "workload.batch=4", "--set", "simulation.sample=1us")
	require.Contains(t, message, "no space left on device")
	require.Regexp(t, `write disk/r/[a-z.]+: `, message, "the file's own name, not that of a temporary one")
	require.NoFileExists(t, filepath.Join(disk, "r", "result.json"))

	// A sweep that cannot record a point says so, and goes on when there is room.
	sweep := filepath.Join(dir, "sweep.yaml")
	require.NoError(t, os.WriteFile(sweep, []byte("base: "+cfg+"\nsweep: {Core.rows: [8, 16]}\n"), 0o644))
	p := causeway(t, dir, "sweep", sweep, "--quiet", "--out", "disk/s")
	require.NotZero(t, p.run(t))
	require.Contains(t, p.stderr.String(), "no space left on device")
	require.NoError(t, os.Remove(f.Name()))
	p = causeway(t, dir, "sweep", sweep, "--quiet", "--out", "disk/s")
	require.Zero(t, p.run(t), p.stderr.String())
}

// What cannot be printed is an error too.
func TestFullOutput(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, args := range [][]string{{"list", "presets"}, {"schema"}, {"describe", "cache"}} {
		p := causeway(t, t.TempDir(), args...)
		p.Stdout = full
		require.Equal(t, command.ExitInternal, p.run(t), args)
		require.Contains(t, p.stderr.String(), "standard output: ", args)
	}
}
