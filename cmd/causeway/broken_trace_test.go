package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/trace"
)

// written is a trace of n reads in a format.
func written(t *testing.T, format string, n int) []byte {
	e, ok := trace.All.Entry(format)
	require.True(t, ok)
	f := e.New
	h := trace.Header{Fields: f.Holds, Tick: f.Tick, Line: 64}
	if f.Holds&trace.Times != 0 && h.Tick.Unit == trace.NoTime {
		h.Tick = trace.Tick{Unit: trace.Cycles}
	}
	var b bytes.Buffer
	w, err := f.Create(&b, h)
	require.NoError(t, err)
	for i := range n {
		require.NoError(t, w.Write(&trace.Record{Time: uint64(i), Addr: uint64(i+1) * 64, PC: 0x400000, Size: 64}))
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// A trace of any format that ends in the middle of a record, is damaged, or was
// cut while compressed ends the run with file and place, and what was played
// before stands in the results.
func TestBrokenTraces(t *testing.T) {
	if testing.Short() {
		t.Skip("a process for each of some dozen files")
	}
	const n = 400
	dir := t.TempDir()
	config := filepath.Join(dir, "a.yaml")
	require.NoError(t, os.WriteFile(config, []byte(`schema: causeway/1
nodes:
  - {name: Driver, kind: driver, trace: none, mode: "closed:4"}
  - {name: Mem, kind: memory, preset: ddr4_3200}
links:
  - Driver -> Mem
`), 0o600))
	place := regexp.MustCompile(`(:[0-9]+: |: byte [0-9]+: )`)
	done := regexp.MustCompile(`(?m)^all,Driver,requests_done,([0-9]+),request$`)
	for _, format := range trace.All.Names() {
		whole := written(t, format, n)
		broken := map[string][]byte{}
		if text := bytes.IndexByte(whole, 0) < 0; text {
			lines := bytes.SplitAfter(whole, []byte("\n"))
			lines[len(lines)*3/4] = []byte("\x01?!\n")
			broken["damaged"] = bytes.Join(lines, nil)
		} else {
			broken["cut"] = whole[:len(whole)*3/4-3]
		}
		var z bytes.Buffer
		w := gzip.NewWriter(&z)
		_, err := w.Write(whole)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		broken["packed"] = z.Bytes()[:z.Len()*3/4]
		for how, content := range broken {
			name := fmt.Sprintf("%s.%s", format, how)
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
			p := causeway(t, dir, "run", config, "--quiet", "--out", "out", "--set", "Driver.trace="+name, "--set", "Driver.format="+format)
			require.Equal(t, exitInput, p.run(t), name)
			require.Contains(t, p.stderr.String(), name, "the file is named")
			require.Regexp(t, place, p.stderr.String(), name)
			metrics, err := os.ReadFile(filepath.Join(dir, "out", "metrics.csv"))
			require.NoError(t, err, name)
			m := done.FindSubmatch(metrics)
			require.NotNil(t, m, name)
			require.NotEqual(t, "0", string(m[1]), name)
		}
	}
}
