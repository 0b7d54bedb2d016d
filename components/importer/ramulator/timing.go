package ramulator

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/importer"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// orders are the timings of an export of version 2.1, by standard.
var orders = map[string]string{
	"DDR3": "rate nBL nCL nRCD nRP nRAS nRC nWR nRTP nCWL nCCD nRRD nWTR nFAW nRFC nREFI nCS tCK_ps",
	"DDR4": "rate nBL nCL nRCD nRP nRAS nRC nWR nRTP nCWL nCCDS nCCDL nRRDS nRRDL nWTRS nWTRL nFAW nRFC nREFI nCS tCK_ps",
	"DDR5": "rate nBL nCL nRCD nRP nRAS nRC nWR nRTP nCWL nPPD nCCDS nCCDL nCCDS_WR nCCDL_WR nRRDS nRRDL nWTRS nWTRL nFAW nRFC nREFI nCS tCK_ps",
}

// ours are our names of timings that differ by more than the n in front.
var ours = map[string]string{
	"CCDS": "CCD_S", "CCDL": "CCD_L", "CCDL_WR": "CCD_L_WR", "RRDS": "RRD_S", "RRDL": "RRD_L", "WTRS": "WTR_S", "WTRL": "WTR_L",
	"RFC1": "RFC", "RFCsb": "RFC_S", "REFSBRD": "REFS_RRD", "RFCpb": "RFC_B", "REFIpb": "REFI_B",
}

// bins are the clocks of CL, RCD, RP and of RAS, RC of the speed bins at rates that have a grade:
// JESD79-3F, JESD79-4 and JESD79-5, as the tool's presets have them.
var bins = map[string][5]int{
	"DDR3_1600H": {9, 9, 9, 28, 37}, "DDR3_1600J": {10, 10, 10, 28, 38}, "DDR3_1600K": {11, 11, 11, 28, 39},
	"DDR4_2400P": {15, 15, 15, 39, 54}, "DDR4_2400R": {16, 16, 16, 39, 55}, "DDR4_2400U": {17, 17, 17, 39, 56}, "DDR4_2400T": {18, 18, 18, 39, 57},
	"DDR4_3200AA": {22, 22, 22, 52, 74},
	"DDR5_4800AN": {34, 34, 34, 77, 111}, "DDR5_4800B": {40, 39, 39, 77, 116}, "DDR5_4800C": {42, 42, 42, 77, 119},
}

// grades are ours by standard and rate in MT/s.
var grades = map[string]map[int]string{
	"DDR3": {1600: "ddr3_1600"}, "DDR4": {2400: "ddr4_2400", 3200: "ddr4_3200"},
	"DDR5": {4800: "ddr5_4800", 5600: "ddr5_5600", 6400: "ddr5_6400"},
	"HBM2": {2000: "hbm2", 3200: "hbm2e"}, "HBM3": {6400: "hbm3"}, "LPDDR5": {6400: "lpddr5_6400"},
}

// nearest is the grade of a standard that is nearest in rate, "" if there is none of the standard.
func nearest(r *importer.Reader) (kind, best string, exact bool) {
	kind, _, _ = strings.Cut(r.Peek("dram.impl", ""), "-")
	want, at := rate(r).Int(), 0
	for _, have := range slices.Sorted(maps.Keys(grades[kind])) {
		if at == 0 || abs(have-want) < abs(at-want) {
			at = have
		}
	}
	return kind, grades[kind][at], at == want
}

// grade writes the grade and its timings, and returns it with the standard's name.
func grade(r *importer.Reader, mem *importer.Block) (*standard.Grade, string) {
	impl, want := r.Get("dram.impl", ""), rate(r)
	name, best, exact := nearest(r)
	if best == "" {
		impl.Fail("unknown standard %q (want one of: %s)", impl.Text, strings.Join(slices.Sorted(maps.Keys(grades)), ", "))
		return nil, ""
	}
	if name != impl.Text {
		r.Leave(impl, "%s: %s", name, hammer)
	}
	if !exact {
		r.Leave(want, "%s: no grade of %s at %d MT/s; clock and timings are its own", best, name, want.Int())
	}
	mem.Set("grade", best, impl.From()+", "+want.From())
	g, ok := standard.Find(best)
	if !ok {
		panic("ramulator: no grade " + best)
	}
	if exact {
		timings(r, mem, g, name)
	} else {
		for _, t := range strings.Fields(orders[name]) {
			r.LeaveKey("dram.timing."+t, "a timing of another rate")
		}
	}
	return g, name
}

// rate is the transfers per microsecond of a pin: of the preset, the list, or the key.
func rate(r *importer.Reader) importer.Value {
	switch {
	case r.Has("dram.timing"):
		v := r.Get("dram.timing", "")
		if items := v.List(); len(items) > 0 {
			return v.Item(items[0])
		}
		return v
	case r.Has("dram.timing.preset"):
		v := r.Get("dram.timing.preset", "")
		_, speed, _ := strings.Cut(v.Text, "_")
		if gigabits, ok := strings.CutSuffix(speed, "Gbps"); ok {
			return v.Item(gigabits + "000")
		}
		return v.Item(strings.TrimRight(speed, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	}
	return r.Get("dram.timing.rate", "0")
}

// timings writes what differs from the grade.
func timings(r *importer.Reader, mem *importer.Block, g *standard.Grade, name string) {
	t := &timed{r, mem, g, strings.Fields(orders[name])}
	if r.Has("dram.timing.preset") {
		t.ofPreset()
	}
	if r.Has("dram.timing") && !t.ofList(name) {
		return
	}
	t.byName()
}

// timed writes the timings of a memory that its grade does not have.
type timed struct {
	r     *importer.Reader
	mem   *importer.Block
	grade *standard.Grade
	order []string // keys of dram.timing, in its order
}

// given reports whether a key is the rate or the clock, which choose the grade.
func given(key string) bool { return key == "rate" || key == "tCK_ps" }

// set writes a timing in clocks if the grade has another value. It reports whether the grade has
// the timing at all.
func (t *timed) set(key string, clocks int, comment string) bool {
	key = strings.TrimPrefix(key, "n")
	if to, ok := ours[key]; ok {
		key = to
	}
	have, ok := t.grade.Timing[key]
	if ok && clocks > 0 && clocks != have {
		t.mem.Set("timing."+key, clocks, comment)
	}
	return ok
}

// ofPreset takes the timings of a speed bin.
func (t *timed) ofPreset() {
	v := t.r.Get("dram.timing.preset", "")
	bin, ok := bins[v.Text]
	if !ok {
		t.r.Leave(v, "timings are those of the grade %s: %s", t.grade.Name, t.grade.Source)
		return
	}
	for i, key := range []string{"CL", "RCD", "RP", "RAS", "RC"} {
		t.set(key, bin[i], v.From())
	}
}

// ofList takes the list dram.timing. It reports whether the list was whole.
func (t *timed) ofList(name string) bool {
	v := t.r.Get("dram.timing", "")
	items := v.List()
	if len(items) != len(t.order) {
		t.r.Leave(v, "timings are those of the grade: %d timings of %s are read, not %d", len(t.order), name, len(items))
		return false
	}
	for i, key := range t.order {
		n, err := strconv.Atoi(items[i])
		if err != nil {
			v.Fail("%q is not a number of clocks", items[i])
			return false
		}
		if !given(key) && !t.set(key, n, key+" of dram.timing") && n > 0 && key != "nCCDS_WR" {
			t.r.Leave(v, "%s = %d has no counterpart", key, n)
		}
	}
	return true
}

// byName takes single timings, dram.timing.KEY.
func (t *timed) byName() {
	for _, key := range t.order {
		full := "dram.timing." + key
		if given(key) || !t.r.Has(full) {
			continue
		}
		t.r.Take(full)
		v := t.r.Peek(full, "")
		if n, err := strconv.Atoi(v); err != nil || !t.set(key, n, fmt.Sprintf("%s = %s", full, v)) {
			t.r.LeaveKey(full, "has no counterpart")
		}
	}
}

func abs(n int) int { return max(n, -n) }
