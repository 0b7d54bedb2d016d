package ramulator

import (
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

// further are timings that the tool knows besides: of version 2.0, and of standards whose timings are
// always those of the grade.
var further = map[string]string{
	"DDR5":   "nCCDS_WTR nCCDL_WTR nRFC1 nRFC2 nRFCsb nREFSBRD nRFM1 nRFM2 nRFMsb nDRFMab nDRFMsb",
	"HBM2":   "nBL nCL nRCDRD nRCDWR nRP nRAS nRC nWR nRTPS nRTPL nCWL nCCDS nCCDL nRRDS nRRDL nWTRS nWTRL nRTW nFAW nRFC nRFCSB nRFCpb nRREFD nREFI nREFISB nREFIpb",
	"HBM3":   "nBL nCL nRCDRD nRCDWR nRP nRAS nRC nWR nRTP nRTPS nRTPL nCWL nCCDS nCCDL nCCDR nRRDS nRRDL nWTRS nWTRL nRTW nFAW nPPD nRFC nRFCSB nRFCpb nRFMab nRFMpb nRREFD nREFI nREFISB nREFIpb",
	"LPDDR5": "nBL16 nBL_min nBL_max nCL nRCD nRP nRPab nRPpb nRAS nRC nWR nRTP nCWL nPPD nCCD nCCDS nCCDL nCCDS_WR nCCDL_WR nRRD nRRDS nRRDL nWTRS nWTRL nFAW nRFC nRFCab nRFCpb nREFI nREFIpb nWCKPST nCAS nAAD nCS nPBR2PBR nPBR2ACT",
}

// named are all timings of a standard as version 2.0 reads them from keys of their own: in clocks,
// such as nRCD, or in nanoseconds, such as tRCD.
func named(standard string) (out []string) {
	for _, key := range strings.Fields(orders[standard] + " " + further[standard]) {
		if clocks, ok := strings.CutPrefix(key, "n"); ok {
			out = append(out, key, "t"+clocks)
		}
	}
	return out
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
	for _, key := range named(name) {
		r.Also("dram.timing." + key)
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
		for _, t := range named(name) {
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
		speed = strings.TrimSuffix(speed, "Mbps")
		return v.Item(strings.TrimRight(speed, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	}
	return r.Get("dram.timing.rate", "0")
}

// timings writes what differs from the grade: of the preset, the list, and keys of their own, which
// win.
func timings(r *importer.Reader, mem *importer.Block, g *standard.Grade, name string) {
	t := &timed{r: r, grade: g, order: strings.Fields(orders[name]), all: named(name), found: map[string]found{}}
	if r.Has("dram.timing.preset") {
		t.ofPreset()
	}
	if r.Has("dram.timing") && !t.ofList(name) {
		return
	}
	t.byName(name)
	for _, key := range t.keys {
		// A key of its own is written also where it only takes a preset back.
		if f := t.found[key]; f.clocks != g.Timing[key] || f.again {
			mem.Set("timing."+key, f.clocks, f.comment)
		}
	}
}

// timed collects the timings of a memory.
type timed struct {
	r     *importer.Reader
	grade *standard.Grade
	order []string // keys of dram.timing, in its order
	all   []string // timings that may have a key of their own
	keys  []string // of found, in order
	found map[string]found
}

// found is a timing of ours.
type found struct {
	clocks  int
	comment string
	again   bool // it replaces another value of the input
}

// given reports whether a key is the rate or the clock, which choose the grade.
func given(key string) bool { return key == "rate" || key == "tCK_ps" }

// set takes a timing in clocks. It reports whether the grade has the timing at all.
func (t *timed) set(key string, clocks int, comment string) bool {
	key = strings.TrimPrefix(key, "n")
	if to, ok := ours[key]; ok {
		key = to
	}
	_, ok := t.grade.Timing[key]
	if !ok || clocks <= 0 {
		return ok
	}
	before, again := t.found[key]
	if !again {
		t.keys = append(t.keys, key)
	}
	t.found[key] = found{clocks, comment, again && before.clocks != clocks}
	return true
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

// byName takes single timings, dram.timing.KEY. One in clocks goes before one in nanoseconds, as in
// the tool.
func (t *timed) byName(name string) {
	for _, key := range t.all {
		full := "dram.timing." + key
		if !t.r.Has(full) {
			continue
		}
		text := t.r.Peek(full, "")
		inClocks := "n" + key[1:]
		clocks, err := t.clocks(name, key, text)
		switch {
		case len(t.order) == 0:
			t.r.LeaveKey(full, "timings of %s are those of the grade", name)
		case key != inClocks && t.r.Has("dram.timing."+inClocks):
			t.r.LeaveKey(full, "the tool takes %s", inClocks)
		case err != nil:
			t.r.FailKey(full, "%q is not a number", text)
		case !t.set(inClocks, clocks, full+" = "+text):
			t.r.LeaveKey(full, "has no counterpart")
		default:
			t.r.Take(full)
		}
	}
}

// clocks is a timing in clocks; that of a key in nanoseconds is rounded as version 2.0 does.
func (t *timed) clocks(name, key, text string) (int, error) {
	if strings.HasPrefix(key, "n") {
		return strconv.Atoi(text)
	}
	ns, err := strconv.ParseFloat(text, 32)
	ps, cycle := int(float32(ns)*1000), int(1e6/float64(rate(t.r).Int()/2))
	if name == "DDR5" {
		return (ps*997/cycle + 1000) / 1000, err
	}
	return (ps*1000/cycle + 974) / 1000, err
}

func abs(n int) int { return max(n, -n) }
