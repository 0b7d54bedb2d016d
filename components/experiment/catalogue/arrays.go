package catalogue

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	files "github.com/causeway-sim/causeway/configs/presets"
)

// readArrays reads the preset of a chip of arrays, and its memory's, NAME_hbm. The sheet is empty
// where operators are not kernels of a library (timing: kernel): those are cores of accelerators.
func readArrays(name string, text []byte) (s sheet, err error) {
	v, err := configs.ParseValue(name+".yaml", text)
	if err != nil || v.Get("timing").Text() != "kernel" {
		return s, err
	}
	var errs configs.Errors
	rows, cols, arrays := 0, 0, 1
	for key, to := range map[string]any{"rows": &rows, "cols": &cols, "arrays": &arrays, "clock": &s.clock} {
		if x := v.Get(key); x.Exists() {
			errs.Add(x.Decode(to))
		}
	}
	rates := machine.Rates{"int8": {Num: 1, Den: 1}}
	if x := v.Get("pe"); x.Exists() {
		clear(rates)
		errs.Add(x.Decode(&rates))
	}
	if err := errs.Err(); err != nil {
		return s, err
	}
	peak := func(types ...string) (most float64) {
		for _, d := range types {
			if r, ok := rates[d]; ok {
				most = max(most, 2*float64(rows*cols*arrays)/s.clock.Nanoseconds(1)/1e3*r.Float())
			}
		}
		return most
	}
	s.arrays = fmt.Sprintf("%d of %d x %d", arrays, rows, cols)
	s.peak16, s.peak8 = peak("bf16"), peak("fp8", "int8")
	s.assumed = strings.Count(string(text), "# assumption")
	return s, s.readMemory(name + "_hbm")
}

// readMemory reads the preset of a chip's memory, where there is one.
func (s *sheet) readMemory(name string) error {
	text, err := fs.ReadFile(files.FS, name+".yaml")
	if err != nil { // no such preset
		return nil
	}
	v, err := configs.ParseValue(name+".yaml", text)
	if err != nil {
		return err
	}
	var bandwidth units.Bandwidth
	var errs configs.Errors
	ideal := v.Get("fidelities").Get("ideal")
	errs.Add(ideal.Get("bandwidth").Decode(&bandwidth))
	errs.Add(ideal.Get("size").Decode(&s.capacity))
	s.memory8 = float64(bandwidth) / 8e9
	s.assumed += strings.Count(string(text), "# assumption")
	return errs.Err()
}
