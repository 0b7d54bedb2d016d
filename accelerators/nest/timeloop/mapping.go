package timeloop

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/configs"
)

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// Types of entries of a mapping and of constraints.
var entryTypes = []string{"temporal", "spatial", "datatype", "bypass", "dataspace"}

// mapping reads the loops of each level. Levels that it does not name have none. What
// it does not say of a tensor is kept.
func (r *reader) mapping(v configs.Value) {
	if !v.Exists() {
		return
	}
	list := r.items(v)
	if len(list) == 0 {
		return
	}
	r.in.at.mapping = v
	m := &nest.Mapping{Levels: make([]nest.Placed, len(r.in.Arch.Levels))}
	all := nest.Mask(1)<<uint(len(r.tensors)) - 1
	for i := range m.Levels {
		m.Levels[i].Keep = all
		for _, fan := range r.fans {
			if fan == r.levels[i] {
				m.Levels[i].Keep = 0
			}
		}
	}
	seen := map[string]configs.Value{}
	for _, x := range list {
		l, kind, ok := r.entry(x, seen)
		if !ok {
			continue
		}
		p := &m.Levels[l]
		if kind == "bypass" {
			r.keys(x, "mapping", nil, "target", "type", "keep", "bypass")
			keep, bypass := r.mask(x.Get("keep")), r.mask(x.Get("bypass"))
			if both := keep & bypass; both != 0 {
				r.errs.Add(x.Errorf(nil, "both keeps and bypasses %s", r.names(both)))
			}
			p.Keep = p.Keep&^bypass | keep
			continue
		}
		r.keys(x, "mapping", nil, "target", "type", "factors", "permutation", "split")
		factors := r.factors(x.Get("factors"))
		order := r.order(x.Get("permutation"))
		for d := range r.dims {
			if !slices.Contains(order, d) {
				order = append(order, d)
			}
		}
		split := len(order)
		if s := x.Get("split"); s.Exists() {
			if kind != "spatial" {
				r.errs.Add(s.Errorf(nil, "has no place at temporal loops"))
			}
			split = int(r.whole(s, 0))
		}
		for i, d := range order {
			loop := nest.Loop{Dim: d, Factor: 1}
			if f, ok := factors[d]; ok {
				if f.op != '=' || f.n < 1 {
					r.errs.Add(x.Get("factors").Errorf(nil, "%s has to be 1 or more in a mapping", r.dims[d]))
					continue
				}
				loop.Factor = f.n
			}
			switch {
			case kind == "temporal":
				p.Temporal = append(p.Temporal, loop)
			case i < split:
				loop.Axis = nest.SpaceX
				p.Spatial = append(p.Spatial, loop)
			default:
				loop.Axis = nest.SpaceY
				p.Spatial = append(p.Spatial, loop)
			}
		}
	}
	r.residuals(v, m)
	r.in.Mapping = m
}

// entry finds the level and the kind of one entry.
func (r *reader) entry(x configs.Value, seen map[string]configs.Value) (level int, kind string, ok bool) {
	if x.Kind() != configs.Map {
		r.errs.Add(x.Errorf(nil, "is %s (want a mapping with target and type)", x.Kind()))
		return 0, "", false
	}
	target, at := x.Get("target"), x.Get("type")
	if !target.Exists() || !at.Exists() {
		r.errs.Add(x.Errorf(nil, "has no target or no type"))
		return 0, "", false
	}
	level, ok = r.pick(target, "level", r.targetLevel(target.Text()), r.levels[:len(r.levels)-1])
	kind = at.Text()
	if _, known := r.pick(at, "type of entry", kind, entryTypes); !known {
		ok = false
	}
	if kind == "datatype" || kind == "dataspace" {
		kind = "bypass"
	}
	if ok && seen != nil {
		key := r.levels[level] + " " + kind
		if first, dup := seen[key]; dup {
			r.errs.Add(x.Errorf(nil, "says %s of %s a second time (first at %s)", kind, r.levels[level], first.Pos()))
		}
		seen[key] = x
	}
	return level, kind, ok
}

// targetLevel is the level that a target names: a container names its fan-out.
func (r *reader) targetLevel(target string) string {
	name := bare(target)
	if fan, ok := r.fans[name]; ok {
		return fan
	}
	return name
}

// A factor is =n, or <=n in constraints; 0 is what others leave. last is the last
// iteration of an imperfect factor, 0 where it is not said.
type factor struct {
	op   byte // '=' or '<'
	n    int64
	last int64
}

// factors reads C1 M8, C=1,M=8, C<=4, P5,3 (five iterations, three the last time), or
// a list of such.
func (r *reader) factors(v configs.Value) map[int]factor {
	out := map[int]factor{}
	if !v.Exists() || v.Kind() == configs.Null {
		return out
	}
	text := v.Text()
	if v.Kind() == configs.List {
		var parts []string
		for _, x := range v.Items() {
			parts = append(parts, r.text(x))
		}
		text = strings.Join(parts, " ")
	}
	rest := strings.TrimLeft(text, " ,\t\n")
	for rest != "" {
		name, tail := r.dimension(rest)
		d := slices.Index(r.dims, name)
		f := factor{op: '='}
		if after, ok := strings.CutPrefix(tail, "<="); ok {
			f.op, tail = '<', after
		} else {
			tail = strings.TrimPrefix(tail, "=")
		}
		var ok bool
		f.n, tail, ok = digits(strings.TrimLeft(tail, " "))
		if d < 0 || !ok {
			word, _, _ := strings.Cut(rest, " ")
			e := v.Errorf(r.dims, "%q is no factor of a dimension", word)
			e.Nearest = configs.Nearest(strings.TrimRight(word, "=<0123456789,"), r.dims)
			r.errs.Add(e)
			return out
		}
		if last, after, ok := digits(strings.TrimPrefix(tail, ",")); ok && strings.HasPrefix(tail, ",") {
			f.last, tail = last, after
		}
		if _, dup := out[d]; dup {
			r.errs.Add(v.Errorf(nil, "has two factors of %s", name))
		}
		out[d] = f
		rest = strings.TrimLeft(tail, " ,\t\n")
	}
	return out
}

// dimension cuts the longest name of a dimension off, after which a number stands.
func (r *reader) dimension(s string) (name, rest string) {
	for _, d := range r.dims {
		if len(d) > len(name) && strings.HasPrefix(s, d) {
			if t := strings.TrimLeft(s[len(d):], "=< "); t != "" && t[0] >= '0' && t[0] <= '9' {
				name = d
			}
		}
	}
	return name, strings.TrimLeft(s[len(name):], " ")
}

func digits(s string) (n int64, rest string, ok bool) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	n, err := strconv.ParseInt(s[:i], 10, 41)
	return n, s[i:], err == nil
}

// order reads dimensions, innermost first: MCRS, or with longer names M, C, or a list.
func (r *reader) order(v configs.Value) []int {
	if !v.Exists() || v.Kind() == configs.Null {
		return nil
	}
	var words []string
	if v.Kind() == configs.List {
		for _, x := range v.Items() {
			words = append(words, r.text(x))
		}
	} else {
		words = strings.FieldsFunc(v.Text(), func(c rune) bool { return c == ' ' || c == ',' })
	}
	var out []int
	for _, w := range words {
		for w != "" {
			best := -1
			for d, name := range r.dims {
				if strings.HasPrefix(w, name) && (best < 0 || len(name) > len(r.dims[best])) {
					best = d
				}
			}
			if best < 0 {
				e := v.Errorf(r.dims, "%q is no dimension", w)
				e.Nearest = configs.Nearest(w, r.dims)
				r.errs.Add(e)
				return out
			}
			if slices.Contains(out, best) {
				r.errs.Add(v.Errorf(nil, "has %s twice", r.dims[best]))
				return out
			}
			out = append(out, best)
			w = w[len(r.dims[best]):]
		}
	}
	return out
}

// mask reads a list of data spaces.
func (r *reader) mask(v configs.Value) nest.Mask {
	var m nest.Mask
	for _, x := range r.items(v) {
		if t, ok := r.pick(x, "data space", x.Text(), r.tensors); ok {
			m |= 1 << uint(t)
		}
	}
	return m
}

// residuals holds the last iterations that a mapping says of imperfect factors
// against those that the size of the dimension gives.
func (r *reader) residuals(v configs.Value, m *nest.Mapping) {
	for _, x := range v.Items() {
		l := slices.Index(r.levels, r.targetLevel(x.Get("target").Text()))
		if kind := x.Get("type").Text(); l < 0 || l >= len(m.Levels) || kind != "temporal" && kind != "spatial" {
			continue
		}
		spatial := x.Get("type").Text() == "spatial"
		for d, f := range r.factors(x.Get("factors")) {
			if f.last == 0 || d >= len(r.in.Problem.Dims) {
				continue
			}
			step := int64(1) // inside this loop
			for i := len(m.Levels) - 1; i >= l; i-- {
				for k, loops := range [2][]nest.Loop{m.Levels[i].Spatial, m.Levels[i].Temporal} {
					if i == l && (spatial || k == 1) {
						continue
					}
					for _, y := range loops {
						if y.Dim == d && step < 1<<40 {
							step *= y.Factor
						}
					}
				}
			}
			if want := (r.in.Problem.Dims[d].Size-1)/step%max(f.n, 1) + 1; want != f.last {
				r.errs.Add(x.Get("factors").Errorf(nil, "%s ends with %d of %d iterations; its size of %d makes that %d", r.dims[d], f.last, f.n, r.in.Problem.Dims[d].Size, want))
			}
		}
	}
}
