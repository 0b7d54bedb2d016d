package configs

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// A few lines that double each other make an error, not a full memory.
func TestDoublingIsBounded(t *testing.T) {
	lines := func(first, format string) string {
		var b strings.Builder
		b.WriteString(first)
		for i := 1; i < 40; i++ {
			b.WriteString(strings.NewReplacer("<i>", fmt.Sprint(i), "<j>", fmt.Sprint(i-1)).Replace(format))
		}
		return b.String()
	}
	for name, src := range map[string]string{
		"more than 65536 bytes":                 header + lines("params:\n  p0: xxxx\n", "  p<i>: \"${p<j>}${p<j>}\"\n"),
		"parameters bring in more than":         header + lines("params:\n  p0: [x]\n", "  p<i>: [$p<j>, $p<j>]\n"),
		"values":                                header + lines("params:\n  p0: &p0 [x]\n", "  p<i>: &p<i> [*p<j>, *p<j>]\n"),
		"presets bring in more than":            header + lines("nodes: [{name: A, preset: p39}]\npresets:\n  p0: {z: 1}\n", "  p<i>: {a: {preset: p<j>}, b: {preset: p<j>}}\n"),
		"preset is made of itself: a -> b -> a": header + "nodes: [{name: A, preset: a}]\npresets: {a: {x: {preset: b}}, b: {l: [{preset: a}]}}\n",
		"nested deeper than":                    header + "params: {a: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "}\n",
		"keys":                                  header + "params:\n" + strings.Repeat("  k: 1\n", maxKeys+1),
	} {
		_, err := Parse("a.yaml", []byte(src), Options{Presets: fstest.MapFS{}})
		require.ErrorContains(t, err, name)
		for _, e := range flatten(err) {
			require.Positive(t, PosOf(e).Line, e)
		}
	}
	_, err := Parse("a.yaml", []byte(header), Options{Set: []string{"workload." + strings.Repeat("a.", 500) + "b=1"}})
	require.ErrorContains(t, err, "more than 100 steps")
}

// The largest file that passes is handled in reasonable time.
func BenchmarkLargest(b *testing.B) {
	var src strings.Builder
	src.WriteString(header + "nodes:\n")
	for i := range 4000 {
		fmt.Fprintf(&src, "  - {name: N%d, kind: core, rows: $r, a: {b: {c: [1, 2, 3, {d: 4}]}}, count: 3}\n", i)
	}
	src.WriteString("params: {r: 3}\n")
	b.ReportAllocs()
	for b.Loop() {
		d, err := Parse("a.yaml", []byte(src.String()), Options{})
		if err != nil {
			b.Fatal(err)
		}
		_ = d.Resolved()
	}
}
