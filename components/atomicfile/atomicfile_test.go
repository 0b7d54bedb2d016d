package atomicfile

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file has its name once it is whole; what is given up leaves nothing.
func TestWholeFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	w, err := Create(path)
	require.NoError(t, err)
	_, err = w.WriteString("all")
	require.NoError(t, err)
	require.NoFileExists(t, path)
	require.NoError(t, w.Commit())
	w.Discard()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "all", string(b))

	w, err = Create(path)
	require.NoError(t, err)
	w.Discard()
	all, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, all, 1)
	none := filepath.Join(dir, "none", "a")
	_, err = Create(none)
	require.ErrorContains(t, err, "open "+none+": ", "not the temporary name")
	require.ErrorContains(t, Write(dir, nil), dir)
}

// What is no regular file is written to, and stays what it is: with a rename, root would
// lose the device.
func TestWriteToWhatIsNoFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it has no such files")
	}
	r, w, err := os.Pipe()
	require.NoError(t, err)
	link := filepath.Join(t.TempDir(), "pipe")
	// A link to it, so that a defect replaces the link and nothing else.
	require.NoError(t, os.Symlink(filepath.Join("/dev/fd", strconv.Itoa(int(w.Fd()))), link))
	require.NoError(t, Write(link, []byte("text")))
	require.NoError(t, w.Close())
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, "text", string(b))
	i, err := os.Lstat(link)
	require.NoError(t, err)
	require.False(t, i.Mode().IsRegular())
	if _, err := os.Stat("/dev/full"); err == nil {
		full := filepath.Join(t.TempDir(), "full")
		require.NoError(t, os.Symlink("/dev/full", full))
		require.ErrorContains(t, Write(full, []byte("text")), "no space left")
	}
}
