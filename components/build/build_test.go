package build

import (
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The ID is the one that the go command reads from the same file.
func TestExecutableID(t *testing.T) {
	// The parts are of the action and the content of the link and of the main package.
	require.Regexp(t, `^[\w-]{20}/[\w-]{20}/[\w-]{20}/[\w-]{20}$`, executableID())
	if os.Getenv("CAUSEWAY_LONG") == "" {
		return // go compiles its tool first, which takes 30 CPU seconds
	}
	self, err := os.Executable()
	require.NoError(t, err)
	want, err := exec.Command("go", "tool", "buildid", self).Output()
	require.NoError(t, err)
	require.Equal(t, strings.TrimSpace(string(want)), executableID())
}

// Formats without notes have the ID at the start of their text.
func TestTextID(t *testing.T) {
	require.Equal(t, "a/b/c", textID([]byte("MZ..\xff Go build ID: \"a/b/c\"\n \xff")))
	require.Empty(t, textID([]byte("\xff Go build ID: \"torn")))
	require.Empty(t, noteID([]byte("short"), nil))
}

// A revision stands for a clean build only.
func TestKey(t *testing.T) {
	clean := ofSettings([]debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "false"}})
	dirty := ofSettings([]debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "true"}})
	clean.Version, dirty.Version = "1", "1"
	clean.ID, dirty.ID = "x/one", "x/one"
	other := dirty
	other.ID = "x/two"
	again := clean
	again.ID = "x/two"
	require.Equal(t, clean.Key(), again.Key(), "the same revision, built elsewhere")
	require.NotEqual(t, clean.Key(), dirty.Key())
	require.NotEqual(t, dirty.Key(), other.Key())
	require.Equal(t, "1 (revision 0123456789ab)", clean.String())
	require.Equal(t, "1 (revision 0123456789ab+dirty, Go build ID one)", dirty.String())
	require.Equal(t, "1 (Go build ID z)", Info{Version: "1", ID: "x/y/z"}.String())
}
