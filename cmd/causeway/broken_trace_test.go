package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
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
	draw := rand.New(rand.NewPCG(1, 1)) // addresses that do not compress away
	var b bytes.Buffer
	w, err := f.Create(&b, h)
	require.NoError(t, err)
	for i := range n {
		require.NoError(t, w.Write(&trace.Record{Time: uint64(i), Addr: draw.Uint64N(1<<24) * 64, PC: 0x400000 + draw.Uint64N(1<<20), Size: 64}))
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// brokenTraces is every format, as it is and behind gzip, cut off and damaged at
// three quarters of the file; two of them behind xz and zstd, too. Formats do not
// know what they are behind.
func brokenTraces(t *testing.T, n int, each func(name, format, packed, how string)) {
	for _, format := range trace.All.Names() {
		whole := written(t, format, n)
		packings := []string{"", "gz"}
		if format == "csv" || format == "champsim" {
			packings = append(packings, "xz", "zst")
		}
		for _, packed := range packings {
			var z bytes.Buffer
			w, err := trace.Compress(&z, packed)
			require.NoError(t, err)
			_, err = w.Write(whole)
			require.NoError(t, err)
			require.NoError(t, w.Close())
			at := z.Len()*3/4 - 3
			if z.Bytes()[at-1] == '\n' {
				at-- // a text without its last lines is a good one
			}
			damaged := bytes.Clone(z.Bytes())
			for i := range 8 {
				damaged[at+i] ^= 0xff
			}
			for how, b := range map[string][]byte{"cut": z.Bytes()[:at], "damaged": damaged} {
				name := format + "." + how + "." + packed
				require.NoError(t, os.WriteFile(name, b, 0o600))
				each(name, format, packed, how)
			}
		}
	}
}

const brokenConfig = `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, trace: none, mode: "closed:4"}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 10ns}
links:
  - Driver -> Mem
`

// A trace of any format that was cut off or is damaged, before or after it was
// compressed, ends the run with file and place, and what was played before stands
// in the results.
func TestBrokenTraces(t *testing.T) {
	const n = 12000
	t.Chdir(t.TempDir())
	place := regexp.MustCompile(`^[^ :]+(:[0-9]+(:[0-9]+)?|: byte [0-9]+): `)
	brokenTraces(t, n, func(name, format, packed, how string) {
		x, err := experiment.Parse("a.yaml", []byte(brokenConfig), experiment.Options{Set: []string{"Driver.trace=" + name, "Driver.format=" + format}})
		require.NoError(t, err, name)
		res, _, err := x.Run(context.Background(), nil)
		done, _ := res.Metric("Driver", "requests_done")
		switch {
		case err == nil && packed == "" && how == "cut":
			// A line of some formats means something at any length: it is said that
			// nothing ends it.
			require.Len(t, res.Warnings, 1, name)
			require.Regexp(t, place, res.Warnings[0])
			require.Equal(t, result.Complete, res.Status)
		case err == nil:
			// Any bits are a good record, and nothing of the file would tell.
			require.Contains(t, []string{"champsim.damaged.", "oracle_general.damaged."}, name)
		default:
			require.True(t, experiment.IsBadInput(err), name)
			require.Equal(t, result.Failed, res.Status)
			require.Regexp(t, place, err.Error())
			require.Contains(t, err.Error(), name, "the file is named")
		}
		// xz and zstd are read by blocks, of 64 and 128 KiB.
		least := map[string]float64{"": 0.7, "gz": 0.7, "xz": 0.25, "zst": 0.25}[packed]
		require.Greater(t, done.Value, least*n, name)
	})
}

// The command says it on its last line, exits with 2, and has written the folder.
func TestBrokenTraceOfTheCommand(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.WriteFile("a.yaml", []byte(brokenConfig), 0o600))
	done := regexp.MustCompile(`(?m)^all,Driver,requests_done,([1-9][0-9]+),request$`)
	brokenTraces(t, 12000, func(name, format, _, _ string) {
		if !slices.Contains([]string{"csv.damaged.", "gem5.cut.gz", "csv.damaged.xz", "champsim.cut.zst"}, name) {
			return
		}
		p := causeway(t, dir, "run", "a.yaml", "--quiet", "--out", "out", "--overwrite", "--set", "Driver.trace="+name)
		require.Equal(t, command.ExitInput, p.run(t), name)
		require.Regexp(t, `^`+regexp.QuoteMeta(name)+`.*; what was found before is marked failed\n$`, p.stderr.String())
		metrics, err := os.ReadFile(filepath.Join(dir, "out", "metrics.csv"))
		require.NoError(t, err, name)
		require.Regexp(t, done, string(metrics), name)
	})
}
