package timeloop

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/configs"
)

var rankFormats = map[string]nest.Format{
	"UOP": nest.OffsetPairs, "uop": nest.OffsetPairs, "CP": nest.Coordinates, "cp": nest.Coordinates,
	"RLE": nest.RunLength, "rle": nest.RunLength, "B": nest.Bitmask, "b": nest.Bitmask, "bitmask": nest.Bitmask,
	"UB": nest.PlainBitmask, "ub": nest.PlainBitmask,
}

// sparse reads formats, gating and skipping. A problem with densities is evaluated as
// a sparse one even without.
func (r *reader) sparse(v configs.Value) {
	dense := true
	for i := range r.in.Problem.Tensors {
		dense = dense && r.in.Problem.Tensors[i].Density.Distribution == nest.Dense
	}
	if !v.Exists() || empty(v) {
		if !dense {
			r.in.Sparse = &nest.Sparse{}
		}
		return
	}
	s := &nest.Sparse{Formats: make([][][]nest.Rank, len(r.in.Arch.Levels))}
	for l := range s.Formats {
		s.Formats[l] = make([][]nest.Rank, len(r.tensors))
	}
	list := v
	if v.Kind() == configs.Map {
		r.keys(v, "sparse_optimizations", nil, "version", "targets")
		list = v.Get("targets")
	}
	for _, x := range r.items(list) {
		r.keys(x, "sparse_optimizations.targets", nil, "name", "representation_format", "action_optimization", "compute_optimization")
		at := x.Get("name")
		l, ok := r.pick(at, "level", bare(at.Text()), r.levels)
		if c := x.Get("compute_optimization"); c.Exists() && !empty(c) {
			r.errs.Add(c.Errorf(nil, "gating and skipping at compute alone is not modelled: give it to a storage level"))
		}
		if !ok {
			continue
		}
		if l == len(r.in.Arch.Levels) {
			for _, k := range []string{"representation_format", "action_optimization"} {
				if f := x.Get(k); f.Exists() {
					r.errs.Add(f.Errorf(nil, "compute keeps no tensor"))
				}
			}
			continue
		}
		r.formats(x.Get("representation_format"), s.Formats[l])
		r.actions(x.Get("action_optimization"), l, s)
	}
	r.in.Sparse = s
}

// formats reads the ranks of compressed tensors at one level, outermost first.
func (r *reader) formats(v configs.Value, to [][]nest.Rank) {
	if !v.Exists() || v.Kind() == configs.Null {
		return
	}
	r.keys(v, "representation_format", nil, "data_spaces")
	for _, x := range r.items(v.Get("data_spaces")) {
		r.keys(x, "representation_format.data_spaces", nil, "name", "ranks", "rank_application_order")
		r.mustBe(x.Get("rank_application_order"), "outer_to_inner", "ranks are laid over loops from outside")
		t, ok := r.pick(x.Get("name"), "data space", x.Get("name").Text(), r.tensors)
		var ranks []nest.Rank
		for _, y := range r.items(x.Get("ranks")) {
			r.keys(y, "representation_format.ranks", nil, "format", "flattened_rankIDs", "flattened-rankIDs", "metadata_word_bits", "payload_word_bits")
			f := y.Get("format")
			k, known := rankFormats[f.Text()]
			if !known {
				r.errs.Add(f.Errorf([]string{"UOP", "CP", "RLE", "B", "UB"}, "%q is no format", f.Text()))
			}
			rank := nest.Rank{Format: k}
			for _, name := range []string{"flattened_rankIDs", "flattened-rankIDs"} {
				rank.Flatten |= r.flattened(y.Get(name))
			}
			if b := y.Get("metadata_word_bits"); b.Exists() {
				rank.MetaBits = int(r.whole(b, 1))
			}
			if b := y.Get("payload_word_bits"); b.Exists() {
				rank.PayloadBits = int(r.whole(b, 1))
			}
			ranks = append(ranks, rank)
		}
		if ok {
			if to[t] != nil {
				r.errs.Add(x.Errorf(nil, "gives %s a second format here", r.tensors[t]))
			}
			to[t] = ranks
		}
	}
}

// flattened reads a list of lists of dimensions, of which all may be one rank.
func (r *reader) flattened(v configs.Value) nest.Mask {
	var m nest.Mask
	lists := r.items(v)
	if len(lists) > 1 {
		r.errs.Add(v.Errorf(nil, "has %d rules for one rank (want one)", len(lists)))
	}
	for _, l := range lists {
		names := []configs.Value{l}
		if l.Kind() == configs.List {
			names = l.Items()
		}
		for _, x := range names {
			if d, ok := r.pick(x, "dimension", x.Text(), r.dims); ok {
				m |= 1 << uint(d)
			}
		}
	}
	return m
}

// actions reads gating and skipping at one level.
func (r *reader) actions(v configs.Value, level int, s *nest.Sparse) {
	for _, x := range r.items(v) {
		r.keys(x, "action_optimization", nil, "type", "options")
		kind := x.Get("type")
		if !slices.Contains([]string{"gating", "skipping"}, kind.Text()) {
			r.errs.Add(kind.Errorf([]string{"gating", "skipping"}, "%q is not modelled", kind.Text()))
		}
		a := nest.Saving{Level: level, Skip: kind.Text() == "skipping"}
		for _, o := range r.items(x.Get("options")) {
			r.keys(o, "action_optimization.options", nil, "target", "condition_on", "condition-on")
			t, ok := r.pick(o.Get("target"), "data space", o.Get("target").Text(), r.tensors)
			on := o.Get("condition_on")
			if !on.Exists() {
				on = o.Get("condition-on")
			}
			leaders := r.mask(on)
			switch {
			case !ok:
			case leaders == 0:
				r.errs.Add(o.Errorf(nil, "is conditioned on nothing"))
			case leaders.Has(t):
				r.errs.Add(on.Errorf(nil, "%s is conditioned on itself", r.tensors[t]))
			default:
				a.Options = append(a.Options, nest.Option{Target: t, Leaders: leaders})
			}
		}
		s.Savings = append(s.Savings, a)
	}
}
