package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// invocation is a command of ours in a shell block or a comment. What follows
// two spaces and a # says what it does.
var invocation = regexp.MustCompile(`(?m)^(?:\$ )?(?:go run \./cmd/causeway|causeway) .*$`)

// TestReadme runs the commands of README.md and of the comments in the examples,
// in their order, in a folder with the repository's configs, and checks the
// configurations that the README shows.
func TestReadme(t *testing.T) {
	t.Parallel()
	repo := repository(t)
	dir := t.TempDir()
	for _, room := range []string{"configs", "workloads"} { // studies name tables of both
		require.NoError(t, os.Symlink(filepath.Join(repo, room), filepath.Join(dir, room)))
	}
	bin := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, filepath.Join(bin, "causeway")))
	// The file that the comments call the reader's own.
	net, err := os.ReadFile(filepath.Join(repo, "configs", "studies", "scalesim", "topologies", "alexnet.csv"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "my.csv"), net, 0o644))

	// Files of others are there or not; an example that reads one is left out then.
	inputs := os.Getenv("CAUSEWAY_INPUTS")
	if inputs == "" {
		inputs = filepath.Join(repo, "..", "shared", "inputs")
	}
	sh := func(where, line string) {
		line, _, _ = strings.Cut(strings.TrimPrefix(line, "$ "), " #")
		line = strings.Replace(strings.TrimSpace(line), "go run ./cmd/causeway", "causeway", 1)
		if line == "causeway validate" {
			// All studies are a step of their own in CI and take minutes; that the line
			// works is shown by some.
			line += " kai scalesim wafer_reduce"
		}
		line += smaller(where)
		c := exec.Command("sh", "-c", line)
		c.Dir = dir
		c.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "CAUSEWAY_CONFIG=", "XDG_CONFIG_HOME="+dir, "CAUSEWAY_INPUTS="+inputs)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %s: %v\n%s", where, line, err, out)
		}
		t.Logf("%6.2f CPU s  %s", (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), line)
	}
	if src, err := os.ReadFile(filepath.Join(repo, "README.md")); err == nil {
		for _, b := range fences(string(src)) {
			switch b.lang {
			case "sh": // TestDocs runs those of console, with what they print
				for _, line := range invocation.FindAllString(b.text, -1) {
					sh("README.md", line)
				}
			case "yaml":
				if strings.Contains(b.text, "schema: causeway/1") {
					require.NoError(t, os.WriteFile(filepath.Join(dir, "readme.yaml"), []byte(b.text), 0o644))
					sh("README.md", "causeway check readme.yaml")
				}
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(repo, "configs", "examples", "*.yaml"))
	require.NoError(t, err)
	files = append(files, filepath.Join(repo, "cmd", "causeway", "starter", "config.yaml"), filepath.Join(repo, "cmd", "causeway", "starter", "sweep.yaml"))
	comment := regexp.MustCompile(`^#.*?\b(causeway (?:run|check|sweep|map|plot|compare) .*\.yaml.*)$`)
	found := 0
	for _, f := range files {
		src, err := os.ReadFile(f)
		require.NoError(t, err)
		if given := regexp.MustCompile(`inputs:([^"\s]+)`).FindSubmatch(src); given != nil {
			if _, err := os.Stat(filepath.Join(inputs, string(given[1]))); err != nil {
				t.Logf("%s: no %s", filepath.Base(f), given[1])
				continue
			}
		}
		for l := range strings.Lines(string(src)) {
			m := comment.FindStringSubmatch(strings.TrimSpace(l))
			if m == nil {
				continue
			}
			found++
			// The starter's commands are given in its own folder.
			line := m[1]
			if filepath.Base(filepath.Dir(f)) == "starter" {
				line = "cd " + filepath.Dir(f) + " && " + line + " --out " + t.TempDir()
			}
			sh(filepath.Base(f), line)
		}
	}
	require.GreaterOrEqual(t, found, 3, "the comments of the examples hold commands")
}

// smaller are settings for commands in a file's comments that take a minute each as they
// stand; with CAUSEWAY_LONG they run so.
func smaller(file string) string {
	if os.Getenv("CAUSEWAY_LONG") != "" {
		return ""
	}
	switch file {
	case "llm-cluster.yaml":
		return " --set chips=2 --set prompt=16 --set output=2 --set workload.layers=0..0"
	case "host-latency.yaml":
		return " --axis size=16KiB,1GiB --axis warm=20000"
	case "llama3_memories.yaml", "llama3_far.yaml":
		return " --set workload.model=gpt2 --set context=512"
	}
	return ""
}
