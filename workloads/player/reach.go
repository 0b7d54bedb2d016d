package player

import (
	"math"

	"github.com/causeway-sim/causeway/memory"
)

// maxAhead bounds the records whose addresses are looked up before the run. Later ones
// are looked up when they are played.
const maxAhead = 1 << 20

// reach checks the addresses of a trace before the run: one without a home is an error. Errors of
// the file are reported by the run, which sends the requests before them.
func (f *feed) reach(homes *memory.Map) error {
	if covered(homes, 0, math.MaxUint64) || f.layerWithin(homes) {
		return nil
	}
	spec := *f.spec
	spec.Mode.Kind = Closed // times do not matter
	ahead := feed{spec: &spec, core: f.core}
	t, err := ahead.open()
	if err != nil {
		return nil
	}
	defer t.Close()
	ahead.file.Store(t)
	ahead.told = descriptors(t.Header().Tensors, 0)
	ahead.setEasy(t)
	var base, size uint64 // of the memory that had the last one
	for n := uint64(0); n < maxAhead && (spec.Limit == 0 || n < spec.Limit); n++ {
		if t.Next(&ahead.rec) != nil || !ahead.asItIs() && ahead.adapt(t) != nil {
			break
		}
		if at := ahead.rec.Addr - base; at < size && size-at >= ahead.size {
			continue
		}
		if r, _, _, ok := homes.Find(ahead.rec.Addr); ok {
			base, size = r.Base, r.Size
		}
		for addr, left := ahead.rec.Addr, ahead.size; left > 0; {
			_, _, run, ok := homes.Find(addr)
			if !ok {
				return ahead.homeless(addr)
			}
			run = min(run, left)
			addr, left = addr+run, left-run
		}
	}
	return nil
}

// layerWithin reports whether all of a generated layer has homes.
func (f *feed) layerWithin(homes *memory.Map) bool {
	if f.spec.Generate.Layer() == nil || f.spec.Wrap > 0 {
		return false
	}
	size := uint64(0)
	for _, t := range f.spec.Generate.Layer().Tensors() {
		size = max(size, t.Base+t.Bytes)
	}
	return size > 0 && uint64(f.spec.Base)+(size-1) >= size-1 && covered(homes, uint64(f.spec.Base), size-1)
}

// covered reports whether everything from addr to addr + more has a home.
func covered(homes *memory.Map, addr, more uint64) bool {
	for {
		r, _, _, ok := homes.Find(addr)
		if !ok {
			return false
		}
		run := r.Size - (addr - r.Base)
		if run > more || addr+run == 0 || addr+run == math.MaxUint64 { // as far as there are addresses
			return true
		}
		addr, more = addr+run, more-run
	}
}

func (f *feed) homeless(addr uint64) error {
	return f.fail("address %#x has no home (base: and wrap: move addresses)", addr)
}
