package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// An actionStep is a step of .github/action/action.yml.
type actionStep struct {
	Name, Uses, Run string
	Env             map[string]string
}

// The last script of the action is carried out on a configuration and on a sweep, with a program
// built as the container builds it: static, so that it runs without anything else.
func TestActionRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	root := repository(t)
	text, err := os.ReadFile(filepath.Join(root, ".github", "action", "action.yml"))
	require.NoError(t, err)
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct{ Steps []actionStep }
	}
	require.NoError(t, yaml.Unmarshal(text, &action))
	var script actionStep
	for _, s := range action.Runs.Steps {
		if s.Name == "run" {
			script = s
		}
		for _, m := range regexp.MustCompile(`inputs\.(\w+)`).FindAllStringSubmatch(s.Run+strings.Join(values(s.Env), " "), -1) {
			require.Contains(t, action.Inputs, m[1])
		}
	}
	require.NotEmpty(t, script.Run)

	container, err := os.ReadFile(filepath.Join(root, ".github", "Containerfile"))
	require.NoError(t, err)
	m := regexp.MustCompile(`CGO_ENABLED=0 go build (\S+) -ldflags='([^']+)' -o /causeway (\S+) `).FindStringSubmatch(string(container))
	require.NotNil(t, m, "the container builds a static program")
	require.Regexp(t, `(?s)ARG UID=[1-9]\d*\n.*\nUSER \$\{UID\}`, string(container), "it does not write as root")
	dir := t.TempDir()
	build := exec.Command("go", "build", m[1], "-ldflags", m[2], "-o", filepath.Join(dir, "causeway"), m[3])
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))

	work := filepath.Join(dir, "work")
	require.Zero(t, execute(t.Context(), []string{"init", work}, &strings.Builder{}, os.Stderr))
	summary := filepath.Join(dir, "summary.md")
	act := func(path, config, arguments string) ([]byte, error) {
		c := exec.Command("bash", "-e", "-o", "pipefail", "-c", script.Run)
		c.Dir = work
		c.Env = []string{"PATH=" + path + ":" + os.Getenv("PATH"), "CONFIG=" + config, "ARGUMENTS=" + arguments, "OUT=found-" + config, "RUNNER_TEMP=" + dir, "GITHUB_STEP_SUMMARY=" + summary}
		return c.CombinedOutput()
	}
	argumentsOfAction(t, dir, act)
	for config, kept := range map[string]string{"config.yaml": "result.json", "sweep.yaml": "report.html"} {
		require.NoError(t, os.RemoveAll(summary))
		out, err := act(dir, config, " \n")
		require.NoError(t, err, string(out))
		require.FileExists(t, filepath.Join(work, "found-"+config, kept))
		said, err := os.ReadFile(summary)
		require.NoError(t, err)
		require.Greater(t, strings.Count(string(said), "\n"), 5, "the summary has the tables")
	}
}

// argumentsOfAction has a program in the place of causeway that prints its arguments. Quotes keep blanks,
// nothing is expanded, and a quote that is not closed ends the step.
func argumentsOfAction(t *testing.T, dir string, act func(path, config, arguments string) ([]byte, error)) {
	echo := filepath.Join(dir, "echo")
	require.NoError(t, os.Mkdir(echo, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(echo, "causeway"), []byte("#!/bin/sh\nfor a; do printf '[%s]' \"$a\"; done\n"), 0o700))
	for arguments, want := range map[string]string{
		"":                                  "",
		"--set 'Core={rows: 64, cols: 64}'": "[--set][Core={rows: 64, cols: 64}]",
		"--set Core.rows=64\n--set \"Core.cols = 8\"\n": "[--set][Core.rows=64][--set][Core.cols = 8]",
		"--set $(touch$IFS$9hacked);ls '`id`' *":        "[--set][$(touch$IFS$9hacked);ls][`id`][*]",
	} {
		out, err := act(echo, "config.yaml", arguments)
		require.NoError(t, err, string(out))
		require.Equal(t, "[run][config.yaml][--out][found-config.yaml]"+want, string(out))
	}
	out, err := act(echo, "config.yaml", "--set 'Core={rows: 64")
	require.Error(t, err)
	require.Contains(t, string(out), "unmatched single quote")
}

func values(m map[string]string) (out []string) {
	for _, v := range m {
		out = append(out, v)
	}
	return out
}
