package zoo

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/stretchr/testify/require"
)

// tables names the model and parameters behind each file in configs/studies/layers/tables. The files
// were derived layer by layer from the models' papers.
var tables = map[string]struct {
	model string
	p     Params
}{
	"alexnet_original_grouped": {"alexnet_original", Params{}},
	"alexnet_torchvision":      {"alexnet", Params{}},
	"bert_base_s128":           {"bert_base", Params{Sequence: 128}},
	"bert_base_s512":           {"bert_base", Params{Sequence: 512}},
	"bert_large_s384":          {"bert_large", Params{Sequence: 384}},
	"deit_s16_224":             {"deit_s", Params{Image: 224}},
	"deit_t16_224":             {"deit_t", Params{Image: 224}},
	"gpt2_medium_s1024":        {"gpt2_medium", Params{Sequence: 1024}},
	"gpt2_s1024":               {"gpt2", Params{Sequence: 1024}},
	"gpt2_xl_s1024":            {"gpt2_xl", Params{Sequence: 1024}},
	"gpt3_175b_s2048":          {"gpt3", Params{Sequence: 2048}},
	"llama2_70b_s2048":         {"llama2_70b", Params{Sequence: 2048}},
	"llama2_7b_s2048":          {"llama2_7b", Params{Sequence: 2048}},
	"llama3_70b_s2048":         {"llama3_70b", Params{Sequence: 2048}},
	"llama3_8b_decode_ctx2048": {"llama3_8b", Params{Phase: Decode, Context: 2048}},
	"llama3_8b_s2048":          {"llama3_8b", Params{Sequence: 2048}},
	"mobilenet_v1_1.0_224":     {"mobilenet_v1", Params{Image: 224}},
	"resnet18":                 {"resnet18", Params{}},
	"resnet50":                 {"resnet50", Params{}},
	"sd15_unet_512":            {"sd15_unet", Params{Image: 512}},
	"vgg16":                    {"vgg16", Params{}},
	"vit_b16_224":              {"vit_b", Params{}},
	"vit_l16_224":              {"vit_l", Params{}},
}

// TestLayerTables compares every column of every row, in order, and that no
// matrix work is missing from or beyond the table.
func TestLayerTables(t *testing.T) {
	files, err := filepath.Glob("../../configs/studies/layers/tables/*.csv")
	require.NoError(t, err)
	require.Len(t, files, len(tables))
	for _, file := range files {
		name := filepath.Base(file[:len(file)-len(".csv")])
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(file)
			require.NoError(t, err)
			defer f.Close()
			rows, err := csv.NewReader(f).ReadAll()
			require.NoError(t, err)

			g, err := Build(tables[name].model, tables[name].p)
			require.NoError(t, err)
			table := graph.LayerTable(g)
			var got [][]string
			for _, row := range table.Rows {
				if row[0] == "conv" || row[0] == "gemm" {
					cells := make([]string, len(rows[0]))
					for i, v := range row[:len(cells)] {
						if v != nil {
							cells[i] = fmt.Sprint(v)
						}
					}
					got = append(got, cells)
				}
			}
			for i, c := range rows[0] {
				require.Equal(t, c, table.Columns[i].Name)
			}
			want := rows[1:]
			for i := range min(len(want), len(got)) {
				require.Equal(t, want[i], got[i])
			}
			require.Len(t, got, len(want))

			var macs, params int64
			for _, row := range want {
				n, err := strconv.ParseInt(row[17], 10, 64)
				require.NoError(t, err)
				macs += n
				n, err = strconv.ParseInt(row[18], 10, 64)
				require.NoError(t, err)
				params += n
			}
			require.Equal(t, macs, g.MACs())
			require.Less(t, params, g.Params()+1, "the graph has norms and embeddings besides")
		})
	}
}

// TestParameterTotals compares with published totals of trainable parameters.
func TestParameterTotals(t *testing.T) {
	for name, want := range map[string]int64{
		// The two-column form as BVLC published it.
		"alexnet_original": 60965224,
		// Table 8 of the paper says 4.2 million.
		"mobilenet_v1": 4231976,
		// torchvision model documentation, "num_params".
		"alexnet": 61100840, "vgg16": 138357544, "resnet18": 11689512, "resnet50": 25557032,
		"vit_b": 86567656, "vit_l": 304326632,
		// DeiT model cards: 22,050,664 and 5,717,416.
		"deit_s": 22050664, "deit_t": 5717416,
		// Parameter counts of the published checkpoints.
		"bert_base": 109482240, "bert_large": 335141888,
		"gpt2": 124439808, "gpt2_medium": 354823168, "gpt2_xl": 1557611200,
		"llama2_7b": 6738415616, "llama2_70b": 68976648192,
		"llama3_8b": 8030261248, "llama3_70b": 70553706496,
		"sd15_unet": 859520964,
	} {
		g, err := Build(name, Params{})
		require.NoError(t, err)
		require.Equal(t, want, g.Params(), name)
	}
	g, err := Build("gpt3", Params{}) // arXiv 2005.14165, table 2.1: 175.0B, rounded
	require.NoError(t, err)
	require.InEpsilon(t, 175.0e9, g.Params(), 0.005)
}
