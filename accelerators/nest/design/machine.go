package design

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
)

// machine reads levels and compute.
func (r *reader) machine(v configs.Value, s *Spec) {
	a, list := &r.in.Arch, v.Get("levels")
	if len(s.Levels) == 0 || len(s.Levels) > nest.MaxLevels {
		r.errs.Add(v.Errorf(nil, "has %d levels (want 1 to %d, outermost first)", len(s.Levels), nest.MaxLevels))
		return
	}
	r.in.Constraints = nest.Free(len(s.Levels), len(r.in.Problem.Dims))
	mesh := nest.Mesh{X: 1, Y: 1}
	word := s.Word
	if word.words != 0 || word.bits != math.Trunc(word.bits) {
		r.errs.Add(v.Get("word").Errorf(nil, "is the width of a word (want whole bits or bytes)"))
		word = Bits(8)
	}
	for i := range s.Levels {
		x, at := &s.Levels[i], item(list, i)
		if slices.Contains(r.level, x.Name) {
			r.errs.Add(at.Errorf(nil, "is a second level of this name"))
		}
		r.level = append(r.level, x.Name)
		l := r.storage(at, x, word)
		l.Mesh = mesh
		r.kept(at, x, i, &l)
		r.fanout(at.Get("fanout"), &x.Fanout, i, &l)
		mesh = nest.Mesh{X: bounded(mesh.X, x.Fanout.X), Y: bounded(mesh.Y, x.Fanout.Y)}
		r.constraints(at.Get("constraints"), &x.Constraints, i)
		r.sparse(at, x, i)
		a.Levels = append(a.Levels, l)
	}
	if slices.Contains(r.level, s.Compute.Name) {
		r.errs.Add(v.Get("compute").Errorf(nil, "%q is the name of a level too", s.Compute.Name))
	}
	c := &s.Compute
	a.Compute = nest.Compute{Name: c.Name, Mesh: mesh, Energy: pJ(c.Energy), GatedEnergy: pJ(c.GatedEnergy), Area: float64(c.Area)}
	r.in.Energies = r.in.Energies || c.Energy != 0
	r.in.Areas = r.in.Areas || c.Area != 0
	r.prices(v, s)
}

// bounded keeps a product within what Check can complain about.
func bounded(a, b int64) int64 {
	b = max(1, b)
	if a > 1<<31 || b > 1<<31 {
		return 1 << 32
	}
	return a * b
}

// storage reads what a level holds and how fast it moves.
func (r *reader) storage(v configs.Value, x *Level, word Amount) nest.Level {
	if !x.Word.IsZero() {
		if word = x.Word; word.words != 0 || word.bits != math.Trunc(word.bits) {
			r.errs.Add(v.Get("word").Errorf(nil, "is the width of a word (want whole bits or bytes)"))
			word = Bits(8)
		}
	}
	bits := int(word.bits)
	l := nest.Level{Name: x.Name, WordBits: bits, Block: 1, Cluster: max(1, x.Cluster), Buffering: max(1, x.Buffering), Utilization: x.Utilization}
	if !x.Capacity.IsZero() {
		if l.Words = math.Floor(x.Capacity.InWords(bits)); l.Words < 1 {
			r.errs.Add(v.Get("capacity").Errorf(nil, "is less than a word of %d bits", bits))
		}
	}
	if !x.Block.IsZero() {
		if l.Block = x.Block.InWords(bits); l.Block < 1 || l.Block != math.Trunc(l.Block) {
			r.errs.Add(v.Get("block").Errorf(nil, "is %g words of %d bits (want 1 or more, whole)", l.Block, bits))
		}
	}
	l.ReadBandwidth, l.WriteBandwidth, l.SharedBandwidth = x.Read.InWords(bits, r.hertz), x.Write.InWords(bits, r.hertz), x.Shared.InWords(bits, r.hertz)
	l.Area = float64(x.Area)
	l.Energy = x.Energy.actions()
	l.Metadata = nest.Metadata{Width: int(x.Metadata.Width.InBits(bits)), Bits: int(x.Metadata.Item.InBits(bits)), Depth: float64(x.Metadata.Accesses)}
	r.in.Energies = r.in.Energies || l.Energy != nest.Actions{}
	r.in.Areas = r.in.Areas || l.Area != 0
	return l
}

// kept reads which tensors a level keeps. A mere fan-out keeps none and has neither
// capacity nor loops in time.
func (r *reader) kept(v configs.Value, x *Level, i int, l *nest.Level) {
	l.Keep, l.Bypass = r.mask(v.Get("keep"), x.Keep), r.mask(v.Get("bypass"), x.Bypass)
	if both := l.Keep & l.Bypass; both != 0 {
		r.errs.Add(v.Get("bypass").Errorf(nil, "level %s both keeps and bypasses %s", x.Name, r.list(both)))
	}
	c := &r.in.Constraints.Levels[i]
	c.Keep, c.Bypass = l.Keep, l.Bypass
	if len(r.tensor) == 0 || l.Bypass != r.all() {
		return
	}
	if !x.Capacity.IsZero() {
		r.errs.Add(v.Get("bypass").Errorf(nil, "level %s keeps nothing although it has a capacity (want a tensor kept; leave the capacity out of a mere fan-out)", x.Name))
	}
	for d := range c.Temporal.Factor {
		c.Temporal.Factor[d] = 1
	}
}

func (r *reader) list(m nest.Mask) string {
	var out []string
	for t, name := range r.tensor {
		if m.Has(t) {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}

// fanout reads what may run over the instances below.
func (r *reader) fanout(v configs.Value, f *Fanout, i int, l *nest.Level) {
	l.UnrollX, l.UnrollY = r.dims(v.Get("unroll_x"), f.UnrollX), r.dims(v.Get("unroll_y"), f.UnrollY)
	l.Forward = f.Forwarding
	l.NoMulticast = f.Multicast != nil && !*f.Multicast
	l.NoReduction = f.Reduction != nil && !*f.Reduction
	if max(f.X, f.Y) > 1 {
		return
	}
	for _, k := range []string{"unroll_x", "unroll_y", "multicast", "reduction", "forwarding"} {
		if x := v.Get(k); x.Exists() {
			r.errs.Add(x.Errorf(nil, "has no effect on a fan-out of one instance (give x or y)"))
		}
	}
}

// dims are the dimensions of a list; nil where there is no list.
func (r *reader) dims(v configs.Value, names []string) []int {
	if names == nil {
		return nil
	}
	out := []int{}
	for i, name := range names {
		if d, ok := r.dim(item(v, i), name); ok && d >= 0 {
			out = append(out, d)
		}
	}
	return out
}

// constraints reads what a search may propose.
func (r *reader) constraints(v configs.Value, c *Constraints, i int) {
	to := &r.in.Constraints.Levels[i]
	r.factors(v.Get("factors"), c.Factors, &to.Temporal)
	r.factors(v.Get("spatial"), c.Spatial, &to.Spatial)
	for k := len(c.Order) - 1; k >= 0; k-- {
		d, ok := r.dim(item(v.Get("order"), k), c.Order[k])
		switch {
		case !ok || d < 0:
		case slices.Contains(to.Temporal.Order, d):
			r.errs.Add(item(v.Get("order"), k).Errorf(nil, "%s is there twice", c.Order[k]))
		default:
			to.Temporal.Order = append(to.Temporal.Order, d)
		}
	}
}

// factors reads 8, <=8 and rest.
func (r *reader) factors(v configs.Value, m map[string]string, to *nest.LoopConstraints) {
	for _, name := range sorted(m) {
		d, ok := r.dim(v.Get(name), name)
		if !ok || d < 0 {
			continue
		}
		text, most := strings.CutPrefix(m[name], "<=")
		if text == "rest" && !most {
			to.Factor[d] = nest.Rest
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 40)
		switch {
		case err != nil || n < 1:
			r.errs.Add(v.Get(name).Errorf([]string{"8", "<=8", "rest"}, "%q is no factor", m[name]))
		case most:
			to.Most[d] = n
		default:
			to.Factor[d] = n
		}
	}
}

func (e *Energy) actions() nest.Actions {
	a := nest.Actions{Read: pJ(e.Read), Write: pJ(e.Write), Update: pJ(e.Write), Leak: pJ(e.Leak),
		GatedRead: pJ(e.GatedRead), GatedWrite: pJ(e.GatedWrite), GatedUpdate: pJ(e.GatedUpdate),
		MetaRead: pJ(e.MetaRead), MetaWrite: pJ(e.MetaWrite), MetaUpdate: pJ(e.MetaUpdate),
		GatedMetaRead: pJ(e.GatedMetaRead), GatedMetaWrite: pJ(e.GatedMetaWrite), GatedMetaUpdate: pJ(e.GatedMetaUpdate),
		Decompress: pJ(e.Decompress), Compress: pJ(e.Compress)}
	if e.Update != nil {
		a.Update = pJ(*e.Update)
	}
	return a
}

// pJ is an energy as it was written: joules in binary lose the last digit.
func pJ(e units.Energy) float64 {
	f, _ := strconv.ParseFloat(strconv.FormatFloat(float64(e)*1e12, 'g', 15, 64), 64)
	return f
}
