package std_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/presets"
)

// sheets are the peaks in 10^12 operations per second that the data sheets of chips with arrays
// have, and those of 8 bits; their memories are presets NAME_hbm.
var sheets = map[string]struct{ bf16, eight float64 }{
	"tpu_v5e": {197, 393}, "tpu_v5p": {459, 918}, "tpu_v7": {2307, 4614},
	"trainium1": {190, 380}, "trainium2": {667, 1299}, "gaudi2": {432, 865}, "gaudi3": {1835, 1835},
}

// A chip of a preset, as a configuration has it.
type chip struct {
	nodes       string
	peak, eight float64 // operations per second, in 16 bits and in 8
	narrow      string  // the type of 8 bits
	memory      float64 // bytes per second
}

func presetOf(t *testing.T, name string) configs.Value {
	text, err := presets.FS.ReadFile(name + ".yaml")
	require.NoError(t, err)
	v, err := configs.ParseValue(name, text)
	require.NoError(t, err)
	return v
}

func number(t *testing.T, v configs.Value) (x float64) {
	if v.Exists() {
		require.NoError(t, v.Decode(&x))
	}
	return x
}

// hertz is the clock of a preset.
func hertz(t *testing.T, v configs.Value) float64 {
	var c units.Frequency
	require.NoError(t, v.Get("clock").Decode(&c))
	return 1e9 / c.Nanoseconds(1)
}

func bandwidth(t *testing.T, v configs.Value) float64 {
	var b units.Bandwidth
	require.NoError(t, v.Decode(&b))
	return float64(b) / 8
}

// everyChip is the GPUs and the chips with arrays among the presets.
func everyChip(t *testing.T) map[string]chip {
	out := map[string]chip{}
	files, err := presets.FS.ReadDir(".")
	require.NoError(t, err)
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), ".yaml")
		v := presetOf(t, name)
		if v.Get("kind").Text() != "gpu" {
			continue
		}
		all := 2 * number(t, v.Get("sms")) * hertz(t, v)
		c := chip{nodes: fmt.Sprintf("nodes: [{name: Chip, kind: gpu, preset: %s}]\n", name), narrow: "int8", memory: bandwidth(t, v.Get("memory"))}
		c.peak, c.eight = all*number(t, v.Get("tensor").Get("bf16")), all*number(t, v.Get("tensor").Get("int8"))
		out[name] = c
	}
	for name, s := range sheets {
		v, hbm := presetOf(t, name), presetOf(t, name+"_hbm")
		c := chip{memory: bandwidth(t, hbm.Get("fidelities").Get("ideal").Get("bandwidth")), peak: 1e12 * s.bf16, eight: 1e12 * s.eight, narrow: "int8"}
		c.nodes = fmt.Sprintf("nodes:\n  - {name: Chip, kind: systolic, preset: %s}\n  - {name: HBM, kind: memory, preset: %s_hbm}\nlinks: [Chip -> HBM]\n", name, name)
		if number(t, v.Get("pe").Get("fp8")) > 1 {
			c.narrow = "fp8"
		}
		rate := 2 * number(t, v.Get("rows")) * number(t, v.Get("cols")) * number(t, v.Get("arrays")) * hertz(t, v)
		require.InEpsilon(t, c.peak, rate, 0.005, name)
		if e := number(t, v.Get("pe").Get(c.narrow)); e > 1 {
			require.InEpsilon(t, c.eight, e*rate, 0.03, name)
		}
		out[name] = c
	}
	return out
}

// A model of 32 layers takes on every preset of a chip at least its work over the peak and its
// weights over the bandwidth. Eight requests take longer than one and less than eight times as
// long, and 8 bits no longer than 16 where the chip multiplies them no slower.
func TestModelOnEveryChip(t *testing.T) {
	const weights = 32*(4096*(4096+2*1024+4096)+3*4096*14336) + 4096*128256 // of llama3_8b, but for the embedding
	all := everyChip(t)
	require.Greater(t, len(all), 29)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if os.Getenv("CAUSEWAY_LONG") == "" && i%10 != 0 { // all of them take ten seconds
			continue
		}
		c := all[name]
		time := func(phase, dtype string, batch int) float64 {
			config := fmt.Sprintf("schema: causeway/1\nworkload: {model: llama3_8b, batch: %d, phase: %s, dtype: %s}\n%s", batch, phase, dtype, c.nodes)
			x, err := experiment.Parse("c.yaml", []byte(config), experiment.Options{})
			require.NoError(t, err, name)
			r, _, err := x.Run(context.Background(), nil)
			require.NoError(t, err, name)
			m, ok := r.Metric("", "total_time")
			require.True(t, ok)
			return 1e-9 * m.Value
		}
		one, eight := time("decode, context: 256", "bf16", 1), time("decode, context: 256", "bf16", 8)
		require.Greater(t, one, 2*weights/c.memory, name)
		require.Greater(t, eight, one, name)
		require.Less(t, eight, 8*one, name)
		prompt := time("prefill, sequence: 512", "bf16", 1)
		require.Greater(t, prompt, 2*512*(weights-4096*128256)/c.peak, name)
		if c.eight >= c.peak {
			require.LessOrEqual(t, time("decode, context: 256", c.narrow, 8), eight, name)
		}
	}
}
