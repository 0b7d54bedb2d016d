package table

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/format/formattest"

	"github.com/causeway-sim/causeway/workloads/format"
)

var update = flag.Bool("update", false, "rewrite the transcripts in testdata")

// transcript compares got with testdata/name.
func transcript(t *testing.T, name, got string) {
	p := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(p, []byte(got), 0o666))
	}
	want, err := os.ReadFile(p)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// Every topology file that came with SCALE-Sim is read, or refused at a place.
// The transcript says what became of each; its figures are computed here.
func TestScaleSimInputs(t *testing.T) {
	root := formattest.Inputs(t, "scalesim")
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".csv" {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		g, name, err := format.Open(path, format.Options{})
		if err != nil {
			require.Nil(t, g)
			fmt.Fprintf(&b, "%s: refused\n", rel)
			for _, line := range strings.Split(err.Error(), "\n") {
				fmt.Fprintf(&b, "    %s\n", strings.TrimPrefix(line, path+":"))
			}
			return nil
		}
		require.Equal(t, "scalesim", name)
		layers, err := ScaleSimLayers(path, format.Options{})
		require.NoError(t, err)
		require.Len(t, g.Ops, len(layers))
		var macs int64
		for i, l := range layers {
			macs += l.MACs()
			m, ok := g.Ops[i].Matrix()
			require.True(t, ok)
			require.Equal(t, [3]int64{l.M * int64(l.Batch), l.N, l.K}, [3]int64{m.M * int64(m.Batch), m.N, m.K}, "%s line %d", rel, l.Line)
		}
		require.Equal(t, macs, g.MACs())
		fmt.Fprintf(&b, "%s: %d layers, %d MACs\n", rel, len(layers), macs)
		return nil
	})
	require.NoError(t, err)
	transcript(t, "scalesim_inputs.txt", b.String())
}

// The template of an LSTM layer names its sizes instead of giving them.
func TestScaleSimTemplate(t *testing.T) {
	g, _, err := format.Open(formattest.Inputs(t, "scalesim/rnn_eval/LSTM_template.csv"), format.Options{Symbols: map[string]int{"B": 2, "H": 8, "D": 3}})
	require.NoError(t, err)
	// Four gates of B x H by H x H and B x D by D x H, three products of vectors.
	require.Equal(t, int64(4*(2*8*8+2*3*8)+3*2*8), g.MACs())
}
