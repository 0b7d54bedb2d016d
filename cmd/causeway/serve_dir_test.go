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

// waitRunning waits until the page shows that path runs.
func (s pageServer) waitRunning(t *testing.T, path string) {
	require.Eventually(t, func() bool {
		r, err := http.Get(s.address + "api/running")
		require.NoError(t, err)
		defer r.Body.Close()
		var list []struct{ Path string }
		require.NoError(t, json.NewDecoder(r.Body).Decode(&list))
		for _, g := range list {
			if g.Path == path {
				return true
			}
		}
		return false
	}, 30*time.Second, 50*time.Millisecond)
}

// The page cancels a run that another process works at: it ends as by Ctrl-C, with what it found.
func TestPageCancelsARun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := servePages(t, dir)
	cfg := filepath.Join(repository(t), "configs", "examples", "llama3_decode.yaml")
	p := causeway(t, dir, append([]string{"run", cfg, "--out", "out"}, endless...)...)
	require.NoError(t, p.Start())
	s.waitRunning(t, "out")
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
