package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Of two runs into one folder at the same time the second is refused; a file that a killed
// process has left stops no later run.
func TestAFolderIsForOneRunAtATime(t *testing.T) {
	dir := t.TempDir()
	leave, err := occupy(dir)
	require.NoError(t, err)
	_, err = occupy(dir)
	require.ErrorContains(t, err, "another run is writing there")
	leave()
	require.NoFileExists(t, filepath.Join(dir, runningName))
	require.NoError(t, os.WriteFile(filepath.Join(dir, runningName), nil, 0o644))
	leave, err = occupy(dir)
	require.NoError(t, err)
	leave()
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, list)
}
