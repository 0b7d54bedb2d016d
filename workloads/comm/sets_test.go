package comm_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/comm/chakra"
	"github.com/causeway-sim/causeway/workloads/comm/commtest"
)

func TestSets(t *testing.T) {
	var file bytes.Buffer
	require.NoError(t, chakra.Write(&file, comm.NewProgram(1), 0))
	one := file.String()
	files := map[string]string{"a.0.et": one, "a.1.et": one, "README": "nothing", ".hidden.7.et": one}
	p, err := commtest.Load(t, files, "")
	require.NoError(t, err)
	require.Len(t, p.Ranks, 2)
	files["a.3.et"] = one
	_, err = commtest.Load(t, files, ".")
	require.ErrorContains(t, err, "there are 3 ranks, but none with number 2")
	delete(files, "a.3.et")
	files["b.2.json"] = `{"workload_graph": []}`
	_, err = commtest.Load(t, files, ".")
	require.ErrorContains(t, err, "b.2.json: is of format chakra_json, others are of chakra")
	_, err = commtest.Load(t, files, "c.%d.et")
	require.ErrorContains(t, err, "c.0.et: no such file or directory")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.0.et"), []byte(one), 0o644))
	_, _, err = comm.Open(filepath.Join(dir, "a.%d.et"), comm.Options{Ranks: 2})
	require.ErrorContains(t, err, "a.1.et: no such file")
	_, _, err = comm.Open(filepath.Join(dir, "a.%d.et"), comm.Options{Format: "morse"})
	require.ErrorContains(t, err, `unknown format "morse"`)
	_, err = comm.Decode("x", []byte("prose"), "morse")
	require.EqualError(t, err, `x: unknown format "morse" (want one of: chakra, chakra_json, dumpi, goal, pmpi)`)
	_, err = commtest.Load(t, map[string]string{"x": "prose"}, "x")
	require.EqualError(t, err, `x: the content is of no known format of communication traces (want one of: chakra, chakra_json, dumpi, goal, pmpi)`)
}
