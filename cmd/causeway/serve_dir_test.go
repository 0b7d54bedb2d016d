package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A pageServer is causeway serve DIR in a process of its own.
type pageServer struct{ address string }

func servePages(t *testing.T, dir string) pageServer {
	p := causeway(t, dir, "serve", ".")
	p.Stdout = nil
	out, err := p.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.Start())
	t.Cleanup(func() {
		require.NoError(t, p.Process.Signal(os.Interrupt))
		_ = p.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	host, token, ok := strings.Cut(strings.TrimSpace(line), "/?token=")
	require.True(t, ok, line)
	return pageServer{host + "/" + token + "/"}
}

func (s pageServer) post(t *testing.T, path, body string) (int, string) {
	r, err := http.Post(s.address+path, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	return r.StatusCode, string(b)
}

// A shownRun is what the page says of a run or a sweep.
type shownRun struct {
	Path, Error   string
	Done, Total   int
	Ended, Report bool
}

// wait waits until what the page shows of path is as asked.
func (s pageServer) wait(t *testing.T, path string, asked func(g shownRun) bool) (found shownRun) {
	require.Eventually(t, func() bool {
		r, err := http.Get(s.address + "api/running")
		require.NoError(t, err)
		defer r.Body.Close()
		var list []shownRun
		require.NoError(t, json.NewDecoder(r.Body).Decode(&list))
		for _, found = range list {
			if found.Path == path && asked(found) {
				return true
			}
		}
		return false
	}, 30*time.Second, 50*time.Millisecond)
	return found
}

// The page cancels a run that another process works at: it ends as by Ctrl-C, with what it found.
func TestPageCancelsARun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := servePages(t, dir)
	cfg := filepath.Join(repository(t), "configs", "examples", "llama3_decode.yaml")
	p := causeway(t, dir, append([]string{"run", cfg, "--out", "out"}, endless...)...)
	require.NoError(t, p.Start())
	s.wait(t, "out", func(shownRun) bool { return true })
	code, _ := s.post(t, "api/cancel/out", "")
	require.Equal(t, 204, code)
	require.Error(t, p.Wait())
	require.Equal(t, 130, p.ProcessState.ExitCode(), p.stderr.String())
	require.Contains(t, p.stdout.String(), "INCOMPLETE: interrupted")
	require.NoFileExists(t, filepath.Join(dir, "out", "progress.json"))
	code, text := s.post(t, "api/cancel/out", "")
	require.Equal(t, 404, code)
	require.Contains(t, text, "nothing runs there")
}

// The page starts a sweep in a process of its own, shows that it runs, and cancels it. The points
// that have ended stay, for sweep resume.
func TestPageStartsASweep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	base, err := os.ReadFile(filepath.Join(repository(t), "configs", "examples", "resnet18.yaml"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "base.yaml"), base, 0o600))
	s := servePages(t, dir)
	start := func(body string) string {
		code, text := s.post(t, "api/sweep/base.yaml", body)
		require.Equal(t, 200, code, text)
		return text
	}
	require.Contains(t, start(`{"as": "x"}`), "want a parameter with its values")
	require.Contains(t, start(`{"axes": {"Core.rows": "8, -1"}, "as": "x"}`), "-1 is too small")
	require.Contains(t, start(`{"axes": {"Core.rows": "8, 16"}, "as": "../x"}`), "want a name for the folder")
	require.Contains(t, start(`{"axes": {"Core.rows": "[/etc/passwd]"}, "as": "x"}`), "not in the folder")
	require.NoFileExists(t, filepath.Join(dir, "runs", "x"))

	require.JSONEq(t, `{"path": "runs/small", "points": 2}`, start(`{"set": {"Core.cols": "16"}, "axes": {"Core.rows": "8, 16"}, "as": "small"}`))
	g := s.wait(t, "runs/small", func(g shownRun) bool { return g.Ended })
	require.Empty(t, g.Error)
	require.True(t, g.Report)
	require.Contains(t, start(`{"axes": {"Core.rows": "8"}, "as": "small"}`), "runs/small exists")

	// Points of many minutes.
	require.Contains(t, start(`{"set": {"workload.model": "llama3_70b", "Core.dma.burst": "64B"}, "axes": {"Core.rows": "8, 16"}, "as": "long"}`), `"points":2`)
	s.wait(t, "runs/long", func(g shownRun) bool { return !g.Ended && g.Total == 0 })
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(dir, "runs", "long", "progress.json"))
		return err == nil
	}, 30*time.Second, 50*time.Millisecond)
	code, text := s.post(t, "api/cancel/runs/long", "")
	require.Equal(t, 204, code, text)
	g = s.wait(t, "runs/long", func(g shownRun) bool { return g.Ended })
	require.Equal(t, "cancelled; causeway sweep resume runs/long goes on from here", g.Error)
}
