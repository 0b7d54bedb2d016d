package design

import (
	"math"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// Prices pick figures of components/energy. What a level or compute says itself, 0pJ
// included, replaces them.
type Prices struct {
	Process string        `yaml:"process" jsonschema:"enum=none,enum=45nm,enum=15nm,enum=7nm,description=Process whose published energy and area of arithmetic and SRAM is taken; none takes none"`
	DRAM    string        `yaml:"dram" jsonschema:"enum=none,enum=hbm2,enum=gddr5,enum=gddr6,enum=lpddr4,enum=ddr4,description=Kind of DRAM whose published energy per byte levels without a capacity take"`
	Wire    *units.Energy `yaml:"wire,omitempty" jsonschema:"description=Per bit and millimetre of wires whose length a fan-out gives; default that of the process"`
	Vector  *units.Energy `yaml:"vector,omitempty" jsonschema:"description=Per operation of the vector unit; default that of the process (with a workload)"`
}

// On reports whether figures of a process are taken.
func (p *Prices) On() bool { return p.Process != "" && p.Process != energy.None }

func (p *Prices) dram() bool { return p.DRAM != "" && p.DRAM != energy.None }

// A pricing gives a machine the figures that its description leaves out.
type pricing struct {
	Prices
	d      *nest.Description
	errs   *configs.Errors
	at     configs.Value                  // the prices
	places []configs.Value                // of levels
	given  func(level int, k string) bool // a level has that key; len(levels) is compute
	behind bool                           // the outermost level has its energy itself
	dtype  string                         // of operands; "": integers as wide as the innermost words
	drams  int                            // levels that took the figure of a DRAM
}

// Price gives a machine of another form, which says nothing of energy, the figures of p.
// Errors point at v.
func Price(d *nest.Description, p Prices, v configs.Value) error {
	var errs configs.Errors
	x := &pricing{Prices: p, d: d, errs: &errs, at: v, given: func(int, string) bool { return false }}
	for range d.Arch.Levels {
		x.places = append(x.places, v)
	}
	x.all()
	return errs.Err()
}

// prices is the same of a machine in Causeway's form.
func (r *reader) prices(v configs.Value, s *Spec) {
	x := &pricing{Prices: s.Energy, d: &r.in.Description, errs: &r.errs, at: v.Get("energy"), behind: s.Behind, dtype: s.Compute.DType}
	for i := range s.Levels {
		x.places = append(x.places, item(v.Get("levels"), i))
	}
	x.given = func(level int, k string) bool {
		at := v.Get("compute")
		if level < len(s.Levels) {
			at = x.places[level]
		}
		if k == "area" || level == len(s.Levels) {
			return at.Get(k).Exists()
		}
		return at.Get("energy").Get(k).Exists()
	}
	x.all()
	for i := range s.Levels {
		x.wires(i, float64(s.Levels[i].Fanout.Wire))
	}
	if c := v.Get("compute").Get("dtype"); c.Exists() && !x.On() {
		r.errs.Add(c.Errorf(nil, "has no effect without energy.process"))
	}
}

func (x *pricing) all() {
	if !x.On() && !x.dram() {
		return
	}
	for l := range x.d.Arch.Levels {
		x.level(l)
	}
	if x.behind && x.dram() && !x.On() {
		x.errs.Add(x.at.Get("dram").Errorf(nil, "has no effect without energy.process: the outermost level is the memory at the port, which has its own energy"))
		return
	}
	if x.drams == 0 && x.dram() {
		x.errs.Add(x.at.Get("dram").Errorf(nil, "has no effect: every level has a capacity or an energy of its own"))
	}
	if x.On() {
		x.d.Energies = true
		x.arithmetic()
	}
}

// level prices the accesses of one level, and its cells.
func (x *pricing) level(l int) {
	lv := &x.d.Arch.Levels[l]
	mine := x.given(l, "read") && x.given(l, "write")
	switch {
	case lv.Words == 0 && (l == 0 && x.behind && !x.dram() || mine || x.fanOnly(l)):
	case lv.Words == 0 && x.dram():
		x.drams++
		pj, _, err := energy.Memory{DRAM: x.DRAM}.PerByte()
		if err != nil {
			x.errs.Add(x.at.Errorf(nil, "%v", err))
			return
		}
		x.d.Energies = true
		x.access(l, pj*float64(lv.WordBits)/8*lv.Block*float64(lv.Cluster))
	case lv.Words == 0 && x.On():
		x.errs.Add(x.places[l].Errorf(nil, "level %s has no capacity, which the energy of an access follows (want energy.dram of the node, one of: %s; or read and write under energy of the level)", lv.Name, list(energy.DRAMs())))
	case lv.Words > 0 && x.On():
		x.sram(l)
	}
}

// fanOnly reports whether a level keeps nothing, whatever the mapping.
func (x *pricing) fanOnly(l int) bool {
	return x.d.Arch.Levels[l].Bypass.Len() == len(x.d.Problem.Tensors) && l > 0
}

// sram prices a level with a capacity. Instances that share an access are one memory.
func (x *pricing) sram(l int) {
	lv := &x.d.Arch.Levels[l]
	bits := float64(lv.WordBits) * float64(lv.Cluster)
	bytes := units.Bytes(max(1, math.Ceil(lv.Words*bits/8)))
	pj, err := energy.SRAMAccess(x.Process, bytes, int(lv.Block*bits))
	if err != nil {
		x.errs.Add(x.at.Errorf(nil, "%v", err))
		return
	}
	x.access(l, pj)
	cells := bytes
	if m := lv.Metadata; m.Width > 0 {
		if m.Depth > 0 {
			bytes = units.Bytes(max(1, math.Ceil(m.Depth*float64(m.Width)/8)))
			cells += bytes
		}
		pj, _ = energy.SRAMAccess(x.Process, bytes, m.Width)
		x.set(l, "metadata_read", &lv.Energy.MetaRead, pj)
		x.set(l, "metadata_write", &lv.Energy.MetaWrite, pj)
		x.set(l, "metadata_update", &lv.Energy.MetaUpdate, pj)
	}
	if mm2, ok := energy.SRAMArea(x.Process, cells); ok && !x.given(l, "area") {
		lv.Area = mm2 * 1e6 / float64(lv.Cluster)
		x.d.Areas = true
	}
}

// access is the energy of reading, filling and updating a block.
func (x *pricing) access(l int, pj float64) {
	e := &x.d.Arch.Levels[l].Energy
	x.set(l, "read", &e.Read, pj)
	x.set(l, "write", &e.Write, pj)
	if !x.given(l, "write") {
		x.set(l, "update", &e.Update, pj)
	}
}

func (x *pricing) set(l int, key string, to *float64, pj float64) {
	if !x.given(l, key) {
		*to = pj
	}
}

// arithmetic prices compute.
func (x *pricing) arithmetic() {
	c, levels := &x.d.Arch.Compute, len(x.d.Arch.Levels)
	dtype := x.dtype
	if dtype == "" {
		dtype = integers[x.d.Arch.Levels[levels-1].WordBits]
	}
	if dtype == "" {
		if !x.given(levels, "energy") {
			x.errs.Add(x.at.Get("process").Errorf(energy.Types(), "there are no figures of integers of %d bits (want compute.dtype or compute.energy)", x.d.Arch.Levels[levels-1].WordBits))
		}
		return
	}
	a, err := energy.ArithmeticOf(x.Process, dtype)
	if err != nil {
		x.errs.Add(x.at.Errorf(nil, "%v", err))
		return
	}
	if !x.given(levels, "energy") {
		c.Energy = a.MAC
	}
	if mm2, ok := energy.MACArea(x.Process, dtype); ok && !x.given(levels, "area") {
		c.Area = mm2 * 1e6
		x.d.Areas = true
	}
}

var integers = map[int]string{4: "int4", 8: "int8", 16: "int16", 32: "int32"}

// wires prices a word on the wires below level l.
func (x *pricing) wires(l int, mm float64) {
	if mm == 0 {
		return
	}
	lv, at := &x.d.Arch.Levels[l], x.places[l].Get("fanout").Get("wire")
	pj, err := 0.0, error(nil)
	switch {
	case x.Wire != nil:
		pj = pJ(*x.Wire)
	case x.On():
		pj, err = energy.Wire(x.Process)
	default:
		x.errs.Add(at.Errorf(nil, "has no effect without an energy of wires (want energy.process or energy.wire of the node)"))
		return
	}
	if err != nil {
		x.errs.Add(at.Errorf(nil, "energy.%v, or energy.wire", err))
		return
	}
	x.d.Energies = true
	lv.Wire = pj * mm * float64(lv.WordBits)
}

func list(names []string) string { return strings.Join(names, ", ") }
