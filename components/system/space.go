package system

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// DefaultInterleave is how many bytes stay on one of several memories that
// share a range, unless the range says otherwise.
//
// assumption: the default burst of a DMA engine, so that a burst is one request.
const DefaultInterleave = 4 << 10

// A tier is one range of addresses and the memories that are home to it.
type tier struct {
	name string
	// family is the name in placement rules: that of the range, which has a tier for each
	// of its memories where they are private.
	family     string
	base, size uint64
	interleave uint64
	homes      []*element
	at         Value
}

// last is the last address.
func (t *tier) last() uint64 { return t.base + (t.size - 1) }

// space is the address space of a system.
type space struct {
	tiers     []*tier // by base
	placement placement
	at        Value // the placement section
}

// rangeSpec is an item of the memory section.
type rangeSpec struct {
	// Tier is the range's name in placement rules.
	Tier string `yaml:"tier" jsonschema:"required" doc:"Name of the range in placement rules"`
	// Node is the memory, or an array of them.
	Node string `yaml:"node" jsonschema:"required" doc:"The memory or memories that are home to the range"`
	// Base is the first address; absent is 0, with one range only.
	Base *units.Bytes `yaml:"base" doc:"First address; may be left out with one range"`
	// Size in bytes; absent is all that the memories hold.
	Size *units.Bytes `yaml:"size" doc:"Size; by default all that the memories hold"`
	// Private gives each of several memories a range of its own.
	Private bool `yaml:"private" doc:"Each memory has a range of its own, as large as size says, one after the other; a workload's tensors go to the one that its nodes reach"`
	// Interleave is how many bytes stay on one of several memories, a power of
	// two; absent is DefaultInterleave.
	Interleave *units.Bytes `yaml:"interleave" doc:"Bytes that stay on one of several memories; 4KiB by default"`
}

// readMemory settles which memory is home to which addresses. It returns nil
// where that cannot be said.
func (b *build) readMemory() *space {
	sp := &space{at: b.doc.Root.Get("placement")}
	section := b.doc.Root.Get("memory")
	before := len(b.errs)
	if section.Exists() {
		b.readRanges(sp, section)
	} else {
		b.implied(sp, section)
	}
	b.readPlacement(sp, len(b.errs) == before)
	if len(b.errs) > before {
		return nil
	}
	return sp
}

// implied makes the one range of a system with one memory.
func (b *build) implied(sp *space, section Value) {
	all := b.root.memories("")
	switch {
	case len(all) == 0:
		return
	case len(all) > 1:
		var names []string
		for _, m := range all {
			names = append(names, m.name)
		}
		b.errs.Add(section.Errorf(nil, "there are %d memories (%s), so each needs a range: {tier, node, base, size}", len(all), list(names)))
		return
	}
	t := &tier{name: strings.ToLower(all[0].name), homes: all[0].homes, interleave: DefaultInterleave, at: all[0].homes[0].shown}
	t.family = t.name
	if b.sizeTier(t, rangeSpec{}, Value{}) {
		sp.tiers = []*tier{t}
	}
}

// memories groups the memories by the entry of the nodes list that made them.
func (sc *scope) memories(prefix string) []memories {
	var out []memories
	for _, e := range sc.order {
		m := memories{name: prefix + e.name}
		for _, el := range e.elements {
			if _, ok := el.node.(Home); ok {
				m.homes = append(m.homes, el)
			}
		}
		if len(m.homes) > 0 {
			out = append(out, m)
		}
	}
	for _, in := range sc.inside {
		out = append(out, in.memories(in.name+".")...)
	}
	slices.SortFunc(out, func(a, b memories) int { return configs.CompareNames(a.name, b.name) })
	return out
}

type memories struct {
	name  string
	homes []*element
}

func (b *build) readRanges(sp *space, section Value) {
	if section.Kind() != configs.List || len(section.Items()) == 0 {
		b.errs.Add(section.Errorf(nil, "memory is a list of ranges {tier, node, base, size}"))
		return
	}
	items := section.Items()
	for _, v := range items {
		var r rangeSpec
		if err := v.Decode(&r); err != nil {
			b.errs.Add(err)
			continue
		}
		t := &tier{name: r.Tier, family: r.Tier, at: v, interleave: DefaultInterleave}
		if r.Base == nil && len(items) > 1 {
			b.errs.Add(v.Get("base").Errorf(nil, "is missing: with several ranges each needs one"))
			continue
		}
		if r.Base != nil {
			t.base = uint64(*r.Base)
		}
		if i := slices.IndexFunc(sp.tiers, func(o *tier) bool { return o.family == t.name }); i >= 0 {
			// as of nodes
			b.errs.Add(v.Get("tier").Errorf(nil, "%q is here already, at %s", t.name, sp.tiers[i].at.Get("tier").Pos()))
			continue
		}
		if !b.findHomes(t, v.Get("node")) || !b.interleaveOf(t, r, v) {
			continue
		}
		if r.Private {
			sp.tiers = append(sp.tiers, b.private(t, r, v)...)
		} else if b.sizeTier(t, r, v) {
			sp.tiers = append(sp.tiers, t)
		}
	}
	b.checkRanges(sp)
}

// private is a tier for each memory of a range, one after the other.
func (b *build) private(t *tier, r rangeSpec, v Value) (out []*tier) {
	if r.Interleave != nil {
		b.errs.Add(v.Get("interleave").Errorf(nil, "has no effect: the memories are private"))
		return nil
	}
	base := t.base
	for i, h := range t.homes {
		one := &tier{name: fmt.Sprintf("%s[%d]", t.family, i), family: t.family, base: base, homes: []*element{h}, interleave: t.interleave, at: v}
		if !b.sizeTier(one, r, v) {
			return nil
		}
		base += one.size
		out = append(out, one)
	}
	return out
}

// findHomes finds the memories that v names.
func (b *build) findHomes(t *tier, v Value) bool {
	r, err := parseRef(v.Text())
	switch {
	case err != nil:
		b.errs.Add(v.Errorf(nil, "%s", err))
		return false
	case r.port.name != "":
		b.errs.Add(v.Errorf(nil, "%s is a port; a range names the memory", r))
		return false
	}
	have := func() []string { // for messages
		var out []string
		for _, m := range b.root.memories("") {
			out = append(out, m.name)
		}
		return out
	}
	els, ok := b.nodesOf(b.root, r.nodes, v, have)
	for _, el := range els {
		if el.node == nil {
			return false
		}
		if _, home := el.node.(Home); !home {
			b.errs.Add(unknown(v, r.nodes[0].name, have(), "%s is no memory", el.name))
			return false
		}
	}
	t.homes = els
	return ok && len(els) > 0
}

// nodesOf lists the elements that steps lead to, into groups if need be.
func (b *build) nodesOf(sc *scope, steps []refStep, at Value, have func() []string) ([]*element, bool) {
	e := sc.names[steps[0].name]
	if e == nil {
		b.errs.Add(unknown(at, at.Text(), have(), "no node %q", steps[0].name))
		return nil, false
	}
	pick, ok := b.pick(steps[0], e.counted, e.len(), "node", at)
	if !ok || e.len() == 0 {
		return nil, false
	}
	var out []*element
	for _, i := range pick {
		switch {
		case len(e.elements) > 0 && len(steps) == 1:
			out = append(out, e.elements[i])
		case len(e.groups) > 0 && len(steps) > 1:
			in, ok := b.nodesOf(e.groups[i], steps[1:], at, have)
			if !ok {
				return nil, false
			}
			out = append(out, in...)
		default:
			b.errs.Add(unknown(at, at.Text(), have(), "%s is no memory", at.Text()))
			return nil, false
		}
	}
	return out, true
}

func (b *build) interleaveOf(t *tier, r rangeSpec, v Value) bool {
	if r.Interleave == nil {
		return true
	}
	n := uint64(*r.Interleave)
	switch {
	case n == 0 || n&(n-1) != 0:
		b.errs.Add(v.Get("interleave").Errorf(nil, "%s is no power of two", *r.Interleave))
		return false
	case len(t.homes) == 1:
		b.errs.Add(&configs.Error{Pos: v.KeyPos("interleave"), Path: v.Get("interleave").Path(), Msg: "has no effect: " + t.homes[0].name + " is one memory"})
		return false
	}
	t.interleave = n
	return true
}

// sizeTier settles the size of a range and checks that its memories hold it.
func (b *build) sizeTier(t *tier, r rangeSpec, v Value) bool {
	n := uint64(len(t.homes))
	least := uint64(math.MaxUint64) // of the memories that have a size
	for _, h := range t.homes {
		if s := h.node.(Home).Home(); s > 0 {
			least = min(least, s)
		}
	}
	round := n * t.interleave
	if n == 1 {
		round = 1
	}
	if r.Size == nil {
		// memories without a size of their own hold all addresses that are left
		t.size = (math.MaxUint64 - t.base) / round * round
		if least != math.MaxUint64 {
			t.size = min(least, math.MaxUint64/n) * n / round * round
		}
		if t.size == 0 {
			b.errs.Add(t.at.Errorf(nil, "memories of %s are too small to take turns every %s", units.Bytes(least), units.Bytes(t.interleave)))
			return false
		}
	} else {
		t.size = uint64(*r.Size)
		if t.size == 0 {
			b.errs.Add(v.Get("size").Errorf(nil, "a range of no bytes"))
			return false
		}
		if t.size%round != 0 {
			b.errs.Add(v.Get("size").Errorf(nil, "%s is no multiple of %s (%d memories taking turns every %s)", *r.Size, units.Bytes(round), n, units.Bytes(t.interleave)))
			return false
		}
	}
	if t.base+(t.size-1) < t.base {
		b.errs.Add(v.Errorf(nil, "the range ends beyond the 64-bit address space"))
		return false
	}
	return true
}

// checkRanges compares the ranges with each other and with the memories.
func (b *build) checkRanges(sp *space) {
	byBase := slices.Clone(sp.tiers)
	slices.SortStableFunc(byBase, func(x, y *tier) int {
		return cmp.Or(cmp.Compare(x.base, y.base), strings.Compare(x.name, y.name))
	})
	used := map[*element]uint64{}
	for i, t := range byBase {
		if i > 0 && byBase[i-1].last() >= t.base {
			o := byBase[i-1]
			b.errs.Add(t.at.Errorf(nil, "tier %s (%#x to %#x) overlaps tier %s (%#x to %#x)", t.name, t.base, t.last(), o.name, o.base, o.last()))
		}
		for _, h := range t.homes {
			used[h] += t.size / uint64(len(t.homes))
			if s := h.node.(Home).Home(); s > 0 && used[h] > s && !extended(h.node, used[h]) {
				at := t.at
				if v := at.Get("size"); v.Exists() {
					at = v
				}
				b.errs.Add(at.Errorf(nil, "%s holds %s, the ranges give it %s: addresses without a home", h.name, units.Bytes(s), units.Bytes(used[h])))
				break
			}
		}
	}
	sp.tiers = byBase
	takeTurns(byBase)
}

// extended reports whether a memory without a configured size has grown to hold size
// bytes.
func extended(n Node, size uint64) bool {
	x, ok := n.(Extender)
	return ok && x.Extend(size) == nil
}
