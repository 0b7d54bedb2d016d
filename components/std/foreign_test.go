package std_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What another module registers is found by its name wherever ours are, even where its
// packages are initialised after all of ours: registries are read when they are used.
// A workspace needs the go.mod of modules that no build for this system reads (mousetrap, for
// Windows), so a new machine fetches a few here.
func TestRegistrationOfAnotherModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	repo, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(repo, name))
		require.NoError(t, err)
		return string(b)
	}
	mod := strings.Replace(read("go.mod"), "module github.com/causeway-sim/causeway", "module zz.org/mine", 1)
	// In a workspace the packages of the repository are those that the tests have built.
	work := "go " + goVersion(mod) + "\n\nuse (\n\t.\n\t" + repo + "\n)\n"
	for name, text := range map[string]string{"go.work": work, "go.mod": mod, "go.sum": read("go.sum"), "main.go": read("components/std/testdata/zz/main.go.txt")} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath", "GONOSUMDB=*", "GOWORK="+filepath.Join(dir, "go.work"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "14 extension points, in the catalogue: 12\n", string(out))
}

// goVersion is the version in the go line of a go.mod.
func goVersion(mod string) string {
	_, after, _ := strings.Cut(mod, "\ngo ")
	version, _, _ := strings.Cut(after, "\n")
	return version
}
