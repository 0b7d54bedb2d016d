package cxl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cxl/hdm"
	"github.com/causeway-sim/causeway/memory/cxl/pool"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
)

// newLogicals makes the logical devices of a device.
func newLogicals(d *Type3) error {
	if len(d.spec.LDs) == 0 {
		d.lds = []*logical{{name: d.Name()}}
		return d.share()
	}
	var errs configs.Errors
	for i, s := range d.spec.LDs {
		at := item(d.at, "lds", i)
		for _, h := range s.Heads {
			if h < 0 || h >= d.spec.Heads {
				errs.Add(at.Get("heads").Errorf(nil, "there is no head %d (want 0 to %d)", h, d.spec.Heads-1))
			}
		}
		if uint64(s.Size)%hdm.Unit != 0 {
			errs.Add(at.Get("size").Errorf(nil, "%s is no multiple of 256 MiB", s.Size))
		}
		for k, name := range s.Tiers {
			for j, o := range d.spec.LDs[:i+1] {
				if n := slices.Index(o.Tiers, name); n >= 0 && (j < i || n < k) {
					errs.Add(at.Get("tiers").Errorf(nil, "logical device %d takes %s already", j, name))
				}
			}
		}
		d.lds = append(d.lds, &logical{name: fmt.Sprintf("%s (LD %d)", d.Name(), i), id: uint8(i), spec: s})
	}
	if len(d.spec.LDs) > setting.MaxLogical {
		errs.Add(d.at.Get("lds").Errorf(nil, "%d logical devices (want at most %d)", len(d.spec.LDs), setting.MaxLogical))
	}
	errs.Add(d.share())
	return errs.Err()
}

// takes is the logical device of d that holds a tier.
func (d *Type3) takes(t *system.FusedTier) (*logical, error) {
	if len(d.spec.LDs) == 0 {
		return d.lds[0], nil
	}
	for _, x := range d.lds {
		if slices.Contains(x.spec.Tiers, t.Name) {
			return x, nil
		}
	}
	return nil, t.At.Errorf(nil, "no logical device of %s takes tier %s", d.Name(), t.Name)
}

// divide gives every logical device its part of the device's memory, once it is
// known what tiers give to it.
func (d *Type3) divide(tiers, hosts []string, given map[*logical]uint64) error {
	if len(d.spec.LDs) == 0 {
		return nil
	}
	var errs configs.Errors
	at := uint64(0)
	for i, l := range d.lds {
		v := item(d.at, "lds", i)
		for _, name := range l.spec.Tiers {
			if !slices.Contains(tiers, name) {
				errs.Add(v.Get("tiers").Errorf(nil, "%s is no tier of the memory section with %s among its memories%s", name, d.Name(), wanted(tiers)))
			}
		}
		for _, name := range l.spec.Hosts {
			if !slices.Contains(hosts, name) {
				errs.Add(v.Get("hosts").Errorf(nil, "%s is no root of this fabric%s", name, wanted(hosts)))
			}
		}
		l.base = at
		size := uint64(l.spec.Size)
		switch {
		case size == 0:
			size = given[l]
		case given[l] > size:
			errs.Add(v.Get("size").Errorf(nil, "logical device %d holds %s, the ranges give it %s", i, l.spec.Size, units.Bytes(given[l])))
		}
		at += size
		if h := d.Home(); h > 0 && at > h && d.Extend(at) != nil {
			errs.Add(v.Errorf(nil, "logical device %d ends at %s of %s, which has %s", i, units.Bytes(at), d.Name(), units.Bytes(h)))
			break
		}
	}
	return errs.Err()
}

// wanted ends a message with the names that are possible.
func wanted(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " (want one of: " + strings.Join(names, ", ") + ")"
}

// share settles the shares and limits of a device's logical devices.
func (d *Type3) share() error {
	var errs configs.Errors
	sum := 0.
	allocated := make([]float64, len(d.lds))
	for i, x := range d.lds {
		allocated[i] = x.spec.Min
		sum += x.spec.Min
	}
	if sum > 1+1e-9 {
		errs.Add(d.at.Get("lds").Errorf(nil, "the allocated shares of the logical devices are %g of the device", sum))
		return errs.Err()
	}
	_, peak := d.inner.Nominal()
	d.pool = pool.NewDevice(d.spec.Entries, pool.Split(allocated))
	for i, x := range d.lds {
		m := x.spec.Max
		if m == 0 {
			continue
		}
		at := item(d.at, "lds", i)
		switch {
		case peak == 0:
			errs.Add(at.Get("max").Errorf(nil, "has no effect: the memory of %s has no limit that it could be a share of", d.Name()))
		case m < x.spec.Min:
			errs.Add(at.Get("max").Errorf(nil, "%g is less than the allocated share, %g", m, x.spec.Min))
		default:
			limit := memory.NewSerializer(units.Bandwidth(math.Round(m*float64(peak))), setting.Fine)
			d.pool.LDs[i].Limit = &limit
		}
	}
	return errs.Err()
}
