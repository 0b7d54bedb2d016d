package cxl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cxl/hdm"
)

// LDSpec is one logical device of several that share a device. Its place in the
// list is its LD-ID, and its memory follows that of those in front of it.
type LDSpec struct {
	// Tiers of the memory section that it is home to.
	Tiers []string `yaml:"tiers" doc:"Ranges of the memory section whose part on this device it holds"`
	// Size of its memory; 0 is what its tiers need.
	Size units.Bytes `yaml:"size" doc:"Its part of the memory; 0B is what its tiers need"`
	// Heads that offer it; none: all.
	Heads []int `yaml:"heads" doc:"Heads of the device that offer it; none is all of them"`
	// Hosts that it is bound to; none: all that switches lead to it.
	Hosts []string `yaml:"hosts" doc:"Names of the roots that it is bound to; none is all that reach it"`
	// Min is the share of the device that it has under overload.
	Min float64 `yaml:"min" jsonschema:"minimum=0,maximum=1" doc:"Allocated share of the device's bandwidth when others want it too; 0 has none of its own"`
	// Max is the share of the memory's peak bandwidth that it never exceeds.
	Max float64 `yaml:"max" jsonschema:"minimum=0,maximum=1" doc:"Share of the memory's peak bandwidth that it never exceeds; 0 is no limit"`
}

// maxLogical is the LD-IDs that a message has room for.
//
// Source: CXL 3.1, section 2.4: an MLD has up to 16 logical devices.
const maxLogical = 16

// A logical is a logical device: a part of a device's memory. A device without
// the key lds is one.
type logical struct {
	device *Type3
	id     uint8 // LD-ID
	spec   LDSpec
	base   uint64 // in the device's memory
	queue  list   // lines in front of the memory
	inside int    // lines at it
	share
	count ldCount
}

// newLogicals makes the logical devices of a device.
func newLogicals(d *Type3) error {
	if len(d.spec.LDs) == 0 {
		d.lds = []*logical{{device: d}}
		return d.shares()
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
		d.lds = append(d.lds, &logical{device: d, id: uint8(i), spec: s})
	}
	if len(d.spec.LDs) > maxLogical {
		errs.Add(d.at.Get("lds").Errorf(nil, "%d logical devices (want at most %d)", len(d.spec.LDs), maxLogical))
	}
	errs.Add(d.shares())
	return errs.Err()
}

// offered tells whether a logical device is there for a root that comes by a head.
func (x *logical) offered(r *Root, head int, only []int) bool {
	return (len(x.spec.Heads) == 0 || slices.Contains(x.spec.Heads, head)) &&
		(len(x.spec.Hosts) == 0 || slices.Contains(x.spec.Hosts, r.Name())) &&
		(only == nil || slices.Contains(only, int(x.id)))
}

// name is that of its device, with the LD-ID if there is one.
func (x *logical) name() string {
	if len(x.device.spec.LDs) == 0 {
		return x.device.Name()
	}
	return fmt.Sprintf("%s (LD %d)", x.device.Name(), x.id)
}

// takes is the logical device of d that is home to a tier.
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
func (d *Type3) divide(x *system.Fusion, roots []*Root, given map[*logical]uint64) error {
	if len(d.spec.LDs) == 0 {
		return nil
	}
	var errs configs.Errors
	var tiers, hosts []string
	for _, t := range x.Tiers {
		if slices.Contains(t.Homes, system.Node(d)) {
			tiers = append(tiers, t.Name)
		}
	}
	for _, r := range roots {
		hosts = append(hosts, r.Name())
	}
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

// item is the i-th of a list, for messages; parts made without a configuration have
// none.
func item(v configs.Value, key string, i int) configs.Value {
	if list := v.Get(key).Items(); i < len(list) {
		return list[i]
	}
	return v.Get(key)
}
