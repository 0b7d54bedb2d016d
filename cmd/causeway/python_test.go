package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// interpreters are the python3 of the path, and the system's where that alone has pandas.
func interpreters(t *testing.T) []string {
	first, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	pandas := func(python string) bool { return exec.Command(python, "-c", "import pandas").Run() == nil }
	if system := "/usr/bin/python3"; !pandas(first) && pandas(system) {
		return []string{first, system}
	}
	return []string{first}
}

// python runs Python on the package of this repository, with this binary as the command.
func python(t *testing.T, interpreter string, args ...string) {
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
	for i, interpreter := range interpreters(t) {
		args := []string{"-W", "error::ResourceWarning", "-m", "unittest", "discover", "-s", "tests"}
		if i > 0 {
			args = append(args, "-k", "Run", "-k", "Sweep", "-k", "frames") // all that makes tables
		}
		python(t, interpreter, args...)
	}
}

// The notebook of the docs prints what it shows.
func TestNotebook(t *testing.T) {
	t.Parallel()
	python(t, interpreters(t)[0], "tests/notebook.py", filepath.Join(repository(t), "docs", "python.ipynb"))
}
