package cxl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cxl/hdm"
)

// decode programs the address decoders: one space for all, of which each root sees
// what it is bound to.
func (a *assembly) decode() error {
	f := a.fabric
	var errs configs.Errors
	var ranges []hdm.Range
	mine := 0
	number := map[*logical]int{}
	for i, l := range f.lds {
		number[l] = i
	}
	given := map[*logical]uint64{}
	for _, t := range a.Tiers {
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
			a.bind(&t, r.Devices, &errs)
		}
		ranges = append(ranges, r)
	}
	var hosts []string
	for _, r := range a.roots {
		hosts = append(hosts, r.Name())
	}
	for _, d := range a.devices {
		errs.Add(d.divide(a.tiersOf(d), hosts, given))
	}
	if err := errs.Err(); err != nil {
		return err
	}
	if mine == 0 {
		return nil
	}
	return a.newSpace(ranges)
}

// newSpace makes the address space of the fabric.
func (a *assembly) newSpace(ranges []hdm.Range) error {
	f := a.fabric
	// what lies below and above the ranges of the fabric is no gap
	for len(ranges) > 0 && ranges[0].Elsewhere {
		ranges = ranges[1:]
	}
	for len(ranges) > 0 && ranges[len(ranges)-1].Elsewhere {
		ranges = ranges[:len(ranges)-1]
	}
	sizes := make([]uint64, len(f.lds))
	for i, l := range f.lds {
		if sizes[i] = uint64(l.spec.Size); len(a.devices[l.device].spec.LDs) == 0 {
			sizes[i] = a.devices[l.device].Home()
		}
	}
	var err error
	if f.space, err = hdm.NewSpace(sizes, ranges...); err != nil {
		return fmt.Errorf("address decoders: %w", err)
	}
	return nil
}

// bind sets, for each root, whether it reaches a tier: all of it, or none.
func (a *assembly) bind(t *system.FusedTier, lds []int, errs *configs.Errors) {
	for _, r := range a.roots {
		seen := 0
		var not *logical
		for _, i := range lds {
			if a.pairs[int(r.index)*len(a.lds)+i].Reachable() {
				seen++
			} else {
				not = a.lds[i]
			}
		}
		switch {
		case seen == 0:
			r.hidden = append(r.hidden, t.Name)
		case not != nil:
			errs.Add(t.At.Errorf(nil, "tier %s is spread over %d devices, and %s is not bound to %s: addresses without a home", t.Name, len(lds), r.Name(), not.name))
		}
	}
}

// tiersOf are the names of the tiers that a device is among the homes of.
func (a *assembly) tiersOf(d *Type3) (out []string) {
	for _, t := range a.Tiers {
		if slices.Contains(t.Homes, system.Node(d)) {
			out = append(out, t.Name)
		}
	}
	return out
}
