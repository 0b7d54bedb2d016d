package systolic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/systolic/peertiming"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/configs"
)

// unusedKeys are the keys that have no effect with the timing of a core. A preset may be meant
// for several timings, and says nothing about this one. A key of the user's is an error
// where it stands next to the timing, or in front of it: in a --set, or above a preset that
// chooses the timing. One that the choice of the timing overrides (a --set, a file that
// extends another) is a warning.
func unusedKeys(s *Spec, v configs.Value) (warnings []string, errs configs.Errors) {
	check := func(key, used string) {
		x := v.Get(key)
		if !x.Exists() {
			return
		}
		timing := v.Place("timing").Pos().File
		what := fmt.Sprintf("has no effect with timing %s (used by: %s)", s.Timing, used)
		switch given := files(x); {
		case given[timing], given[configs.SetFile], builtIn(timing) && !builtIn(given.user()):
			errs = append(errs, x.Errorf(nil, "%s", what))
		case !builtIn(given.user()):
			warnings = append(warnings, fmt.Sprintf("%s: key %s %s", v.Path(), key, what))
		}
	}
	for _, key := range toolUnused[s.Timing] {
		check(key, Physical)
	}
	for _, other := range []string{NVDLA, RowStationary, Gemmini} { // keys named as their timings
		if s.Timing != other && s.Timing != KernelTiming { // kernelFaults refuses the key
			check(other, other)
		}
	}
	if s.Timing == NVDLA {
		warnings = append(warnings, unusedBySheet(&s.NVDLA, v)...)
	}
	return warnings, errs
}

// unusedBySheet lists keys of the user that have no effect on the performance sheet without
// another key.
func unusedBySheet(n *peertiming.NVDLASpec, v configs.Value) (warnings []string) {
	for _, x := range []struct {
		key, without string
		read         bool
	}{{"sram_read", "a second memory (nvdla.sram)", n.SRAM > 0}, {"sram_write", "a second memory (nvdla.sram)", n.SRAM > 0}, {"buffer", "nvdla.refetch", n.Refetch}} {
		if at := v.Get("nvdla").Get(x.key); !x.read && at.Exists() && !builtIn(at.Pos().File) {
			warnings = append(warnings, fmt.Sprintf("%s: key nvdla.%s has no effect without %s", v.Path(), x.key, x.without))
		}
	}
	return warnings
}

// builtIn reports whether a file is a preset of Causeway; none counts as one.
func builtIn(file string) bool { return file == "" || strings.HasPrefix(file, "preset:") }

// A fileSet is the files that a value comes from.
type fileSet map[string]bool

// files of a value and of those inside it: of a mapping over that of a preset, both.
func files(x configs.Value) fileSet {
	f := fileSet{}
	f.add(x)
	return f
}

func (f fileSet) add(x configs.Value) {
	keys, items := x.Keys(), x.Items()
	if len(keys) == 0 && len(items) == 0 {
		f[x.Pos().File] = true
	}
	for _, k := range keys {
		f.add(x.Get(k))
	}
	for _, i := range items {
		f.add(i)
	}
}

// user is a file that is no preset, "" where there is none.
func (f fileSet) user() (name string) {
	for file := range f {
		if !builtIn(file) {
			name = max(name, file)
		}
	}
	return name
}

// A doubter is a core of any timing that accepts warnings about keys without effect.
type keyWarner interface {
	work.Executor
	Warn(warnings []string)
}

// keyWarnings are warnings about the configuration of a core.
type keyWarnings struct{ warnings []string }

// Warnings implements system.Warner.
func (d *keyWarnings) Warnings() []string { return d.warnings }

// Warn adds warnings about the configuration.
func (d *keyWarnings) Warn(warnings []string) { d.warnings = append(d.warnings, warnings...) }

// KernelTiming takes each operator as one kernel that a compiler has made of it: see
// accelerators/tensorcore.
const KernelTiming = "kernel"

// kernelKeys are those of kernel.Spec that need timing kernel.
var kernelKeys = []string{"arrays", "cores", "vmem", "accumulators", "weight_fifo", "converted", "kernels", "stream_share"}

// otherKeys have no effect with timing kernel.
var otherKeys = []string{"nvdla", "eyeriss", "gemmini", "dataflow", "sram", "dma", "accumulator", "scalesim_dram", "stages", "gemv", "on_chip"}

// checkVector reports keys of the vector unit that have no effect with the timing.
func (s *Spec) checkVector(v configs.Value) error {
	var errs configs.Errors
	if x := v.Get("vector").Get("norms"); x.Exists() && s.Timing == KernelTiming {
		errs = append(errs, x.Errorf(nil, "has no effect with timing %s (used by: %s)", KernelTiming, Physical))
	}
	if s.Vector.Units < 0 {
		errs = append(errs, v.Place("vector").Errorf(nil, "units %d (want at least 0)", s.Vector.Units))
	}
	return errs.Err()
}

// kernelFaults are keys given that have no effect with the timing.
func kernelFaults(s *Spec, v configs.Value) (errs configs.Errors) {
	keys := kernelKeys
	if s.Timing == KernelTiming {
		keys = otherKeys
		if atTile(v) {
			keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return key == "dma" })
			errs = append(errs, tileFaults(v)...)
		} else if x := v.Get("stream_share"); x.Exists() {
			errs = append(errs, x.Errorf(nil, "has no effect at fidelity analytic (used by: tile)"))
		}
		for _, key := range []string{"drain", "first"} {
			if x := v.Get("overlap").Get(key); x.Exists() {
				errs = append(errs, x.Errorf(nil, "has no effect with timing %s (used by: %s)", KernelTiming, Physical))
			}
		}
		if s.Kernel.WeightFIFO > 0 {
			errs = append(errs, queueFaults(v)...)
		}
	} else if x := v.Get("vector").Get("units"); x.Exists() {
		errs = append(errs, x.Errorf(nil, "has no effect with timing %s (used by: %s)", s.Timing, KernelTiming))
	}
	for _, key := range keys {
		if x := v.Get(key); x.Exists() {
			used := KernelTiming
			if s.Timing == KernelTiming {
				used = fmt.Sprintf("%s, %s", Physical, ScaleSim)
				if key == NVDLA || key == RowStationary || key == Gemmini {
					used = key
				}
			}
			errs = append(errs, x.Errorf(nil, "has no effect with timing %s (used by: %s)", s.Timing, used))
		}
	}
	return errs
}

// tileFaults are keys that kernels cannot have whose bytes move.
func tileFaults(v configs.Value) (errs configs.Errors) {
	if x := v.Get("weight_fifo"); x.Exists() && x.Text() != "0" {
		errs = append(errs, x.Errorf(nil, "the queue of weights fetches tiles at the nominal bandwidth (want fidelity: analytic)"))
	}
	return errs
}

// queueFaults are keys given that have no effect where tiles of weights are fetched and shifted
// in one by one.
func queueFaults(v configs.Value) (errs configs.Errors) {
	refuse := func(v configs.Value, keys ...string) {
		for _, key := range keys {
			if x := v.Get(key); x.Exists() {
				errs = append(errs, x.Errorf(nil, "has no effect with weight_fifo: tiles are fetched and shifted in one by one"))
			}
		}
	}
	refuse(v, "pe", "sparsity", "converted", "overlap")
	refuse(v.Get("kernels"), "sustained", "tile", "ragged", "resident", "stream")
	return errs
}
