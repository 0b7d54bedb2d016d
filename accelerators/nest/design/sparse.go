package design

import (
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/configs"
)

var formats = map[string]nest.Format{"offsets": nest.OffsetPairs, "coordinates": nest.Coordinates,
	"run_length": nest.RunLength, "bitmask": nest.Bitmask, "plain_bitmask": nest.PlainBitmask}

// sparse reads formats and savings of level i.
func (r *reader) sparse(v configs.Value, x *Level, i int) {
	if len(x.Formats)+len(x.Savings) == 0 {
		return
	}
	if r.in.Sparse == nil {
		r.in.Sparse = &nest.Sparse{}
	}
	s := r.in.Sparse
	for len(s.Formats) <= i {
		s.Formats = append(s.Formats, make([][]nest.Rank, len(r.tensor)))
	}
	for k := range x.Formats {
		f, at := &x.Formats[k], item(v.Get("formats"), k)
		t, ok := r.pick(at.Get("tensor"), "tensor", f.Tensor, r.tensor)
		if !ok {
			continue
		}
		if s.Formats[i][t] != nil {
			r.errs.Add(at.Errorf(nil, "gives %s a second format here", f.Tensor))
		}
		for j := range f.Ranks {
			s.Formats[i][t] = append(s.Formats[i][t], r.rank(item(at.Get("ranks"), j), &f.Ranks[j]))
		}
	}
	for k := range x.Savings {
		r.saving(item(v.Get("savings"), k), &x.Savings[k], i)
	}
}

func (r *reader) rank(v configs.Value, x *Rank) nest.Rank {
	out := nest.Rank{Format: formats[x.Format], MetaBits: int(x.Item.InBits(1)), PayloadBits: int(x.Payload.InBits(1))}
	for i, name := range x.Flatten {
		if d, ok := r.dim(item(v.Get("flatten"), i), name); ok && d >= 0 {
			out.Flatten |= 1 << uint(d)
		}
	}
	return out
}

func (r *reader) saving(v configs.Value, x *Saving, level int) {
	out := nest.Saving{Level: level, Skip: x.How == "skip"}
	for i := range x.Options {
		o, at := &x.Options[i], item(v.Get("options"), i)
		t, ok := r.pick(at.Get("target"), "tensor", o.Target, r.tensor)
		leaders := r.mask(at.Get("where"), Names{Names: o.Where})
		switch {
		case !ok:
		case leaders == 0:
			r.errs.Add(at.Errorf(nil, "has no tensor in where"))
		case leaders.Has(t):
			r.errs.Add(at.Get("where").Errorf(nil, "%s is left out where itself is zero", o.Target))
		default:
			out.Options = append(out.Options, nest.Option{Target: t, Leaders: leaders})
		}
	}
	r.in.Sparse.Savings = append(r.in.Sparse.Savings, out)
}
