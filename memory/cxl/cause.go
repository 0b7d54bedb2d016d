package cxl

import (
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
	slices.SortStableFunc(t.Parts, func(a, b *cause.Tree) int {
		switch {
		case a.Time > b.Time:
			return -1
		case a.Time < b.Time:
			return 1
		}
		return 0
	})
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
