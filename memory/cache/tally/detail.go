package tally

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// tally counts the accesses of one kind, tensor, core or slice.
type tally struct{ accesses, hits, bypasses uint64 }

// Detail counts accesses by tensor, kind of tensor, core or slice, and declares their metrics. The metrics
// of a tensor or a core are declared at its first access.
type Detail struct {
	group  *stats.Group
	kinds  []*tally // by role; nil: not asked for
	slices []*tally
	tensor []*tally // of tensors without a name, by hint's tensor; 0 is none
	named  map[*memory.Tensor]*tally
	names  map[string]*tally // tensors of one name count together
	core   []*tally
	by     struct{ tensor, core bool }
}

// NewDetail makes a Detail with the divisions in by, such as tensor or core; nil for an empty list.
func NewDetail(by []string, sliceCount int) *Detail {
	if len(by) == 0 {
		return nil
	}
	d := &Detail{named: map[*memory.Tensor]*tally{}, names: map[string]*tally{}}
	if slices.Contains(by, "kind") {
		d.kinds = make([]*tally, graph.Output+2)
	}
	if slices.Contains(by, "slice") {
		d.slices = make([]*tally, sliceCount)
	}
	d.by.tensor, d.by.core = slices.Contains(by, "tensor"), slices.Contains(by, "core")
	return d
}

// Declare declares the metrics that do not depend on accesses: those of kinds and slices.
func (d *Detail) Declare(g *stats.Group) {
	d.group = g
	for i := range d.kinds {
		name := "unknown"
		if i > 0 {
			name = graph.Role(i - 1).String()
		}
		d.kinds[i] = d.tally("kind_"+name, "to tensors of kind "+name)
	}
	for i := range d.slices {
		d.slices[i] = d.tally(fmt.Sprintf("slice_%d", i), fmt.Sprintf("to slice %d", i))
	}
}

// Note counts an access with its hint, slice and result.
func (d *Detail) Note(h *memory.Hint, slice int, r *tagstore.Result) {
	if d.kinds != nil {
		k := 0
		if h != nil && h.Tensor != 0 {
			k = int(h.Kind) + 1
		}
		d.kinds[k].add(r)
	}
	if d.slices != nil {
		d.slices[slice].add(r)
	}
	if d.by.tensor {
		switch {
		case h == nil:
			d.at(&d.tensor, 0, "tensor").add(r)
		case h.About != nil && h.About.Name != "":
			d.called(h.About).add(r)
		default:
			d.at(&d.tensor, int(h.Tensor), "tensor").add(r)
		}
	}
	if d.by.core {
		k := 0
		if h != nil {
			k = int(h.Core)
		}
		d.at(&d.core, k, "core").add(r)
	}
}

// called is the tally of a tensor that has a name.
func (d *Detail) called(t *memory.Tensor) *tally {
	if n := d.named[t]; n != nil {
		return n
	}
	n := d.names[t.Name]
	if n == nil {
		n = d.tally("tensor_"+plain(t.Name), "to tensor "+t.Name)
		d.names[t.Name] = n
	}
	d.named[t] = n
	return n
}

// plain is a name as part of the name of a metric. Two that come out alike, or
// like a number, would be one metric: the hash of the name tells them apart.
func plain(name string) string {
	changed := false
	s := strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == '/' || r == '_' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' {
			return r
		}
		changed = true
		return '_'
	}, name)
	if _, err := strconv.Atoi(s); changed || err == nil || s == "none" {
		h := fnv.New32a()
		_, _ = h.Write([]byte(name))
		s += fmt.Sprintf("_%08x", h.Sum32())
	}
	return s
}

// at is the tally of a number, made if it is the first.
func (d *Detail) at(list *[]*tally, k int, what string) *tally {
	for len(*list) <= k {
		*list = append(*list, nil)
	}
	if (*list)[k] == nil {
		name, text := fmt.Sprintf("%s_%d", what, k), fmt.Sprintf("of %s %d", what, k)
		if what == "tensor" {
			name, text = fmt.Sprintf("tensor_%d", k-1), fmt.Sprintf("to tensor %d", k-1)
			if k == 0 {
				name, text = "tensor_none", "to no known tensor"
			}
		}
		(*list)[k] = d.tally(name, text)
	}
	return (*list)[k]
}

func (t *tally) add(r *tagstore.Result) {
	t.accesses++
	if r.Hit {
		t.hits++
	}
	if r.Bypassed {
		t.bypasses++
	}
}
