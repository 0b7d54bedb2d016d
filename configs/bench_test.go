package configs

import (
	"fmt"
	"os"
	"testing"
)

// A point of a sweep: one file of 30 lines, other overrides, all nodes
// decoded. The budget is 1 ms.
func BenchmarkSweepPoint(b *testing.B) {
	text, err := os.ReadFile("testdata/two.yaml")
	if err != nil {
		b.Fatal(err)
	}
	src := string(text) + "simulation: {seed: 3}\n"
	l := NewLoader(Options{Presets: languagePresets, ReadFile: func(string) ([]byte, error) { return []byte(src), nil }})
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		d, err := l.Load("a.yaml", fmt.Sprintf("cores=%d", 1+i%8), "LLC.ways=32", "Core[0].rows=64")
		if err != nil {
			b.Fatal(err)
		}
		for _, v := range d.Root.Get("nodes").Items() {
			var s struct {
				Rows int   `yaml:"rows"`
				Ways int   `yaml:"ways"`
				Rest Value `yaml:"memory"`
			}
			err := v.Decode(&s, Beside("name", "kind", "count", "fidelity", "elements", "topology", "clock", "width", "size", "slices", "policy", "lanes", "channels", "downstream", "latency"))
			if err != nil {
				b.Fatal(err)
			}
		}
		if len(d.Resolved()) == 0 {
			b.Fatal("nothing resolved")
		}
	}
}

func BenchmarkParse(b *testing.B) {
	text, err := os.ReadFile("testdata/two.yaml")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseValue("a.yaml", text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	v, err := ParseValue("a.yaml", []byte("rows: 8\ncols: 30\nclock: 940MHz\nsram: {ifmap: 2MiB}\ntags: [a, b]\ntiming: scalesim\ndataflow: os\nload: 0.5\nseed: 3\nlatency: 9ns\n"))
	if err != nil {
		b.Fatal(err)
	}
	def := defaultCore()
	b.ReportAllocs()
	for b.Loop() {
		s := def
		if err := v.Decode(&s); err != nil {
			b.Fatal(err)
		}
	}
}
