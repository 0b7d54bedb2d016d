package cxl

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// Causes implements system.Causal. It divides the time with requests in flight in proportion to
// the parts of lines, and waits for links by link.
func (r *Root) Causes() *cause.Tree {
	c := &r.count
	t := cause.New(r.Name(), cause.Fabric).Of("lines of " + cause.Base(r.Name()))
	busy := float64(c.busy.Sum) / 1000
	total := float64(c.total[0] + c.total[1])
	if busy == 0 || total == 0 {
		return t
	}
	for p := range transit.Parts {
		v := float64(c.parts[0][p] + c.parts[1][p])
		part := t.Add(transit.PartNames[p][0], transit.PartNames[p][1], busy*v/total)
		switch p {
		case transit.LinkQueue:
			r.queues(part, v)
		case transit.DRAM, transit.DRAMQueue:
			part.Below(r.onlyMemory())
		}
		if i := slices.Index(devicePart[:], p); i >= 0 {
			r.places(part, i, v)
		}
	}
	return t
}

// queues divides the time that lines wait for links among the links.
func (r *Root) queues(t *cause.Tree, whole float64) {
	waits := r.fabric.Waits(r.index)
	sum := 0.0
	for _, w := range waits {
		sum += float64(w)
	}
	whole = max(whole, sum) // lines that were lost have waited too, and are in no part
	for i, w := range waits {
		h := r.fabric.Hops[i/2]
		if w > 0 {
			t.AddAt("link", h.Names[i%2]+" to "+h.Names[1-i%2], "", t.Time*float64(w)/whole)
		}
	}
	slices.SortStableFunc(t.Parts, func(a, b *cause.Tree) int { return cmp.Compare(b.Time, a.Time) })
	t.Parts = t.Parts[:min(len(t.Parts), named)]
}

// devicePart are the parts of the latency of a line that are spent at its device.
var devicePart = [atDevice]transit.Part{transit.Device, transit.DeviceQueue, transit.DRAMQueue, transit.DRAM}

const atDevice = 4

// places divides the time that lines spend at devices among them, where there are several.
func (r *Root) places(t *cause.Tree, i int, whole float64) {
	if r.fabric.Devices < 2 {
		return
	}
	for d, at := range r.count.at {
		if x, ok := r.fabric.Sinks[d].(*Type3); ok && at[i] > 0 {
			t.AddAt("at", x.Name(), "", t.Time*float64(at[i])/whole)
		}
	}
}

// named bounds the links that a tree of causes names for one root.
const named = 4

// onlyMemory is the memory inside of the fabric's only device, "" where there are several.
func (r *Root) onlyMemory() string {
	if r.fabric.Devices != 1 {
		return ""
	}
	if d, ok := r.fabric.Sinks[0].(*Type3); ok {
		return d.Name() + ".Memory"
	}
	return ""
}

// Causes implements system.Causal: of the accelerator of a Type 2 device, nothing of others. The
// time in which it has requests under way is divided as their latencies are, each by the longest
// kind of wait that its lines met.
func (d *Type3) Causes() *cause.Tree {
	if d.dev == nil {
		return nil
	}
	c := &d.dev.count
	t := cause.New(d.Name(), cause.Fabric).Of("requests at port dev of " + cause.Base(d.Name()))
	busy, total := float64(c.busy.Sum)/1000, float64(c.latency)
	if busy == 0 || total == 0 {
		return t
	}
	for w, words := range [waits]string{
		inCache: "on their way to the cache of the device and in it", forMemory: "in the memory of the device",
		inOrder: "waiting for accesses to the same line", forHost: "waiting for a host to answer (snoops, lines of its memory)",
	} {
		part := t.Add([waits]string{"cache", "memory", "order", "host"}[w], words, busy*float64(c.waited[w])/total)
		if wait(w) == forMemory {
			part.Below(d.Name() + ".Memory")
		}
	}
	return t
}
