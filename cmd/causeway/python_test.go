package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// python runs Python on the package of this repository, with this binary as the command.
func python(t *testing.T, args ...string) {
	interpreter, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	command := filepath.Join(t.TempDir(), "causeway")
	require.NoError(t, os.Symlink(self, command))
	c := exec.Command(interpreter, args...)
	c.Dir = filepath.Join(repository(t), "cmd", "python")
	c.Env = append(os.Environ(), "CAUSEWAY="+command, "CAUSEWAY_CONFIG=", "PYTHONPATH=.", "PYTHONDONTWRITEBYTECODE=1")
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
}

func TestPython(t *testing.T) {
	t.Parallel()
	python(t, "-W", "error::ResourceWarning", "-m", "unittest", "discover", "-s", "tests")
}

// The notebook of the docs prints what it shows.
func TestNotebook(t *testing.T) {
	t.Parallel()
	python(t, "tests/notebook.py", filepath.Join(repository(t), "docs", "python.ipynb"))
}
