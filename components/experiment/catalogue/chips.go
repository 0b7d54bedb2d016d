package catalogue

import (
	"strings"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	files "github.com/causeway-sim/causeway/configs/presets"
)

// A sheet is what the preset of a chip gives of a data sheet.
type sheet struct {
	architecture           string
	arrays                 string // of a chip of arrays: how many, and their rows and columns
	sms, assumed           int
	clock                  units.Frequency
	memory                 units.Bandwidth
	capacity               units.Bytes
	peak16, peak8, memory8 float64 // 10^12 operations per second, GB/s
}

// Chips returns a table of the presets of GPUs, and of array chips whose operators are library
// kernels (TPUs, Trainium, Gaudi): units, peaks, memory, the number of values that are
// assumptions, and the source of the others. Unknown values are empty.
func Chips() (*stats.Table, error) {
	t := &stats.Table{Columns: []stats.Column{{Name: "chip"}, {Name: "kind"}, {Name: "architecture"}, {Name: "SMs"}, {Name: "arrays"}, {Name: "clock"},
		{Name: "fp16 TFLOP/s"}, {Name: "8 bit TOP/s"}, {Name: "GB"}, {Name: "GB/s"}, {Name: "assumed"}, {Name: "source"}}}
	for _, p := range configs.Presets() {
		read := readSheet
		switch p.Kind {
		case "gpu":
		case "systolic":
			read = readArrays
		default:
			continue
		}
		text, err := files.FS.ReadFile(p.Name + ".yaml")
		if err != nil {
			return nil, err
		}
		s, err := read(p.Name, text)
		if err != nil {
			return nil, err
		}
		if s == (sheet{}) {
			continue
		}
		t.Append(p.Name, p.Kind, s.architecture, known(s.sms), s.arrays, s.clock.String(), known(s.peak16), known(s.peak8), known(float64(s.capacity)/1e9), known(s.memory8), s.assumed, p.Source)
	}
	return t, nil
}

// known is x, or "" if x is 0.
func known[N int | float64](x N) any {
	if x == 0 {
		return ""
	}
	return x
}

// ByName returns the rows of a table by their first cell, and the cells of a row by column name.
func ByName(t *stats.Table) map[string]map[string]any {
	out := map[string]map[string]any{}
	for _, row := range t.Rows {
		cells := map[string]any{}
		for i, x := range row[1:] {
			cells[t.Columns[i+1].Name] = x
		}
		out[row[0].(string)] = cells
	}
	return out
}

// readSheet reads the preset of a GPU.
func readSheet(name string, text []byte) (s sheet, err error) {
	v, err := configs.ParseValue(name+".yaml", text)
	if err != nil {
		return s, err
	}
	var errs configs.Errors
	read := func(key string, to any) {
		if x := v.Get(key); x.Exists() {
			errs.Add(x.Decode(to))
		}
	}
	read("architecture", &s.architecture)
	read("sms", &s.sms)
	read("clock", &s.clock)
	var tensor map[string]float64
	read("tensor", &tensor)
	read("memory", &s.memory)
	read("capacity", &s.capacity)
	if err := errs.Err(); err != nil {
		return s, err
	}
	tera := 2 * float64(s.sms) / s.clock.Nanoseconds(1) / 1e3
	s.peak16, s.peak8 = tera*tensor["fp16"], tera*max(tensor["fp8"], tensor["int8"])
	s.memory8 = float64(s.memory) / 8e9
	s.assumed = strings.Count(string(text), "# assumption")
	return s, nil
}
