package experiment_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/presets"
)

// More of any resource of a preset of a chip makes a network no slower by more than 1%: SMs, a third
// of them, the memory's bandwidth, the L2, the vector memory, the arrays. CAUSEWAY_LONG asks for every
// network on every preset, else one is drawn in turn. Worst of all: 1.0011 (mi355x with 341 SMs).
func TestMoreOfAChipNeverLoses(t *testing.T) {
	networks := []string{
		"{model: bert_base, batch: 8, sequence: 128, layers: 1}",
		"{model: llama3_8b, phase: decode, batch: 16, context: 2048, layers: 1}",
		"{model: resnet18, batch: 4}",
	}
	number := regexp.MustCompile(`^[\d.]+`)
	times := func(text string, factor float64) string {
		return number.ReplaceAllStringFunc(text, func(s string) string {
			n, err := strconv.ParseFloat(s, 64)
			require.NoError(t, err)
			return strconv.FormatFloat(float64(int64(n*factor)), 'f', -1, 64)
		})
	}
	worst, chips, levers := 0.0, 0, 0
	for _, p := range configs.Presets() {
		text, err := fs.ReadFile(presets.FS, p.Name+".yaml")
		require.NoError(t, err)
		v, err := configs.ParseValue(p.Name, text)
		require.NoError(t, err)
		tpu := p.Kind == "systolic" && v.Get("vmem").Exists()
		if p.Kind != "gpu" && !tpu || v.Get("for").Exists() {
			continue
		}
		chips++
		var more []string
		add := func(key string, factor float64) {
			var text string
			var n float64
			x := v.Get(key)
			if x.Exists() && x.Decode(&n) == nil {
				text = strconv.FormatFloat(n, 'f', -1, 64)
			} else if !x.Exists() || x.Decode(&text) != nil {
				return
			}
			more = append(more, fmt.Sprintf("Chip.%s=%s", key, times(text, factor)))
		}
		for _, key := range []string{"sms", "memory", "l2", "vmem", "arrays"} {
			add(key, 2)
		}
		add("sms", 4/3.0)
		dtype := "bf16"
		if !v.Get("pe").Get("bf16").Exists() && tpu {
			dtype = "int8"
		}
		nodes := "\nnodes:\n  - {name: Chip, kind: " + p.Kind + ", preset: " + p.Name + "}\n"
		if tpu {
			more = append(more, "Mem.bandwidth=2TB/s")
			nodes += "  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 1TB/s}\nlinks: [Chip -> Mem]\n"
		}
		levers += len(more)
		for i, w := range networks {
			if os.Getenv("CAUSEWAY_LONG") == "" && i != chips%len(networks) {
				continue
			}
			run := func(set ...string) float64 {
				x, err := experiment.Parse("chip.yaml", []byte("schema: causeway/1\nworkload: "+strings.Replace(w, "}", ", dtype: "+dtype+"}", 1)+nodes), experiment.Options{Set: set})
				require.NoError(t, err, "%s %v", p.Name, set)
				r, _, err := x.Run(context.Background(), nil)
				require.NoError(t, err, "%s %v", p.Name, set)
				m, ok := r.Metric("", "total_time")
				require.True(t, ok)
				return m.Value
			}
			before := run()
			for _, set := range more {
				q := run(set) / before
				worst = max(worst, q)
				require.LessOrEqual(t, q, 1.01, "%s %s, %s", p.Name, set, w)
			}
		}
	}
	require.Greater(t, chips, 20)
	require.Greater(t, levers, 2*chips)
	t.Logf("%d chips, worst ratio %.4f", chips, worst)
}
