package cxl

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cxl/hdm"
)

// decode programs the address decoders: one space for all, of which each root sees
// what it is bound to.
func (f *fabric) decode(x *system.Fusion) error {
	var errs configs.Errors
	var ranges []hdm.Range
	mine := 0
	number := map[*logical]int{}
	for i, l := range f.lds {
		number[l] = i
	}
	given := map[*logical]uint64{}
	for _, t := range x.Tiers {
		r := hdm.Range{Decoder: hdm.Decoder{Base: t.Base, Size: t.Size, Ways: len(t.Homes), Granularity: t.Interleave}}
		if len(t.Homes) == 1 {
			r.Granularity = hdm.MinGranularity
		}
		ours := 0
		for _, h := range t.Homes {
			if d, ok := h.(*Type3); ok && d.fabric == f {
				ours++
				l, err := d.takes(&t)
				if err != nil {
					errs.Add(err)
					continue
				}
				r.Devices = append(r.Devices, number[l])
				given[l] += r.Share()
			}
		}
		switch {
		case ours == 0:
			r.Elsewhere = true
		case ours < len(t.Homes):
			errs.Add(t.At.Errorf(nil, "tier %s takes turns between devices of this fabric and other memories", t.Name))
		default:
			mine++
			if err := r.Check(); err != nil && t.At.Exists() {
				errs.Add(t.At.Errorf(nil, "address decoder: %s", strings.ReplaceAll(err.Error(), "\n", "; ")))
			}
			f.bind(&t, r.Devices, &errs)
		}
		ranges = append(ranges, r)
	}
	for _, d := range f.devices {
		errs.Add(d.divide(x, f.roots, given))
	}
	if err := errs.Err(); err != nil {
		return err
	}
	// what lies in front of and behind the ranges of the fabric is no gap
	for len(ranges) > 0 && ranges[0].Elsewhere {
		ranges = ranges[1:]
	}
	for len(ranges) > 0 && ranges[len(ranges)-1].Elsewhere {
		ranges = ranges[:len(ranges)-1]
	}
	if mine == 0 {
		return nil
	}
	sizes := make([]uint64, len(f.lds))
	for i, l := range f.lds {
		if sizes[i] = uint64(l.spec.Size); len(l.device.spec.LDs) == 0 {
			sizes[i] = l.device.Home()
		}
	}
	var err error
	if f.space, err = hdm.NewSpace(sizes, ranges...); err != nil {
		return fmt.Errorf("address decoders: %w", err)
	}
	return nil
}

// bind tells the roots whether they see a tier: all of it, or nothing.
func (f *fabric) bind(t *system.FusedTier, lds []int, errs *configs.Errors) {
	for _, r := range f.roots {
		seen := 0
		var not *logical
		for _, i := range lds {
			if f.ways[int(r.index)*len(f.lds)+i].down >= 0 {
				seen++
			} else {
				not = f.lds[i]
			}
		}
		switch {
		case seen == 0:
			r.hidden = append(r.hidden, t.Name)
		case not != nil:
			errs.Add(t.At.Errorf(nil, "tier %s is spread over %d devices, and %s is not bound to %s: addresses without a home", t.Name, len(lds), r.Name(), not.name()))
		}
	}
}

// Serves implements system.Selective.
func (r *Root) Serves(tier string) bool {
	for _, t := range r.hidden {
		if t == tier {
			return false
		}
	}
	return true
}
