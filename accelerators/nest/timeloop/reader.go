package timeloop

import (
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/configs"
)

// A Source is the text of one file.
type Source struct {
	Name string // in messages
	Text []byte
	// Replaces says that a section here takes the place of one in a source before.
	Replaces bool
}

// An Input is what Timeloop's files say.
type Input struct {
	nest.Description
	// Unused lists the keys that were read and have no effect on counts, cycles or
	// energy.
	Unused []string
	// Unknown are attributes that Timeloop does not know, in the order of the files. It ignores
	// them, and so does the reader. They are of a class of Accelergy's, or misspelt.
	Unknown []Unknown

	at places
}

// Unknown is an unknown attribute.
type Unknown struct {
	Key     string
	Place   string // file:line:column
	Nearest string // the known one that looks most like it, "" if none does
}

// places are where things stand, for errors about their values.
type places struct {
	levels  []configs.Value // storage, then compute
	mapping configs.Value
	problem configs.Value
	arch    configs.Value
}

// A reader collects what is wrong.
type reader struct {
	in     *Input
	errs   configs.Errors
	unused map[string]bool

	dims    []string
	tensors []string
	levels  []string          // without the range in brackets; compute is the last
	fans    map[string]string // of a container: the level that is its fan-out
	inline  []inline          // constraints that nodes hold
}

// Read reads files together, as if they were one: architecture, problem, mapping or
// constraints, sparse optimisations, tables of energy and area. The error holds
// everything that is wrong, with its place.
func Read(sources ...Source) (*Input, error) {
	r := &reader{in: &Input{}, unused: map[string]bool{}}
	sections := map[string]configs.Value{}
	first := configs.Value{}
	for _, s := range sources {
		v, err := configs.ParseTagged(s.Name, s.Text, nodeTags...)
		if err != nil {
			r.errs.Add(err)
			continue
		}
		if v.Kind() != configs.Map {
			r.errs.Add(v.Errorf(nil, "is %s (want a mapping with keys such as architecture, problem, mapping)", v.Kind()))
			continue
		}
		if !first.Exists() {
			first = v
		}
		for _, k := range v.Keys() {
			x := v.Get(k)
			switch {
			case slices.Contains(without, k):
				r.note(k)
			case !slices.Contains(known, k):
				r.errs.Add(v.UnknownKey(k, known))
			case empty(x):
			case sections[k].Exists() && s.Replaces:
				r.note(k + " of " + sections[k].Pos().File + " (replaced)")
				sections[k] = x
			case sections[k].Exists():
				r.errs.Add(x.Errorf(nil, "is given twice (first at %s)", sections[k].Pos()))
			default:
				sections[k] = x
			}
		}
	}
	if r.errs != nil {
		return nil, r.errs.Err()
	}
	for _, k := range []string{"architecture", "problem"} {
		if !sections[k].Exists() {
			r.errs.Add(first.Errorf(nil, "has no %s", k))
		}
	}
	if r.errs != nil {
		return nil, r.errs.Err()
	}
	r.in.at.arch, r.in.at.problem = sections["architecture"], sections["problem"]
	r.architecture(sections["architecture"])
	r.problem(sections["problem"])
	if r.errs == nil { // what follows names levels, dimensions and tensors
		r.in.Constraints = nest.Free(len(r.in.Arch.Levels), len(r.dims))
		for _, k := range []string{"architecture_constraints", "mapspace_constraints", "mapspace"} {
			r.constraints(sections[k])
		}
		r.inlined()
		r.sparse(sections["sparse_optimizations"])
		r.energies(sections["ERT"])
		r.areas(sections["ART"])
		r.mapping(sections["mapping"])
	}
	r.check()
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	for k := range r.unused {
		r.in.Unused = append(r.in.Unused, k)
	}
	slices.Sort(r.in.Unused)
	return r.in, nil
}

// Top-level keys: those that are read, and those whose content says how Timeloop is
// run or how its energies are estimated, which tables of energy replace.
var (
	known = []string{"architecture", "problem", "mapping", "architecture_constraints", "mapspace_constraints", "mapspace",
		"sparse_optimizations", "ERT", "ART"}
	without = []string{"dumped_by_timeloop_front_end", "compound_components", "components", "mapper", "globals", "variables",
		"ERT_summary", "ART_summary", "model"}
)

func empty(v configs.Value) bool {
	return v.Kind() == configs.Null || v.Kind() == configs.List && len(v.Items()) == 0 || v.Kind() == configs.Map && len(v.Keys()) == 0
}

// note lists a key that has no effect.
func (r *reader) note(path string) { r.unused[path] = true }

// check holds the parts against each other and against what any nest must be.
func (r *reader) check() {
	if r.errs != nil {
		return
	}
	for i := range r.in.Arch.Levels {
		l, c := &r.in.Arch.Levels[i], &r.in.Constraints.Levels[i]
		if x := c.Keep & c.Bypass; x != 0 {
			r.errs.Add(r.in.at.levels[i].Errorf(nil, "constraints both keep and bypass %s here", r.names(x)))
		}
		l.Keep, l.Bypass = c.Keep, c.Bypass
	}
	// A mapping may keep other tensors than the constraints of a search say: Timeloop's
	// model reads no constraints.
	if r.in.Mapping != nil {
		for i := range r.in.Arch.Levels {
			r.in.Arch.Levels[i].Keep, r.in.Arch.Levels[i].Bypass = 0, 0
		}
	}
	for _, err := range configs.Each(r.in.Problem.Check()) {
		r.errs.Add(r.in.at.problem.Errorf(nil, "%v", err))
	}
	for _, err := range configs.Each(r.in.Arch.Check(len(r.tensors))) {
		r.errs.Add(r.placeOf(err.Error()).Errorf(nil, "%v", err))
	}
}

// placeOf is the level that a message is about.
func (r *reader) placeOf(msg string) configs.Value {
	for i, name := range r.levels {
		if strings.HasPrefix(msg, "level "+name+" ") || strings.HasPrefix(msg, "level "+name+":") {
			return r.in.at.levels[i]
		}
	}
	return r.in.at.arch
}

func (r *reader) names(m nest.Mask) string {
	var out []string
	for t, name := range r.tensors {
		if m.Has(t) {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}

// Legal finds what is wrong with a mapping that was read, at its place.
func (in *Input) Legal(n *nest.Nest) error {
	var errs configs.Errors
	for _, err := range configs.Each(n.Legal(in.Mapping)) {
		at := in.at.mapping
		if f, ok := err.(*nest.Fault); ok && f.Level >= 0 && f.Level < len(in.at.levels) {
			if x := in.target(f.Level); x.Exists() {
				at = x
			}
		}
		errs.Add(at.Errorf(nil, "%v", err))
	}
	return errs.Err()
}

// target is the first entry of the mapping about a level.
func (in *Input) target(level int) configs.Value {
	name := in.Arch.Compute.Name
	if level < len(in.Arch.Levels) {
		name = in.Arch.Levels[level].Name
	}
	for _, x := range in.at.mapping.Items() {
		if bare(x.Get("target").Text()) == name {
			return x
		}
	}
	return configs.Value{}
}

// bare is a name without its path and without its range: A.B[1..4] is B.
func bare(name string) string {
	if i := strings.IndexByte(name, '['); i >= 0 {
		name = name[:i]
	}
	return name[strings.LastIndexByte(name, '.')+1:]
}

// text, number and whole read a scalar and complain where it is none.
func (r *reader) text(v configs.Value) string {
	switch v.Kind() {
	case configs.List, configs.Map, configs.Null:
		r.errs.Add(v.Errorf(nil, "is %s (want text)", v.Kind()))
	}
	return v.Text()
}

func (r *reader) number(v configs.Value) float64 {
	f, err := v.Float()
	r.errs.Add(err)
	if err == nil && (f < 0 || f > 1e300) {
		r.errs.Add(v.Errorf(nil, "is %g (want 0 or more)", f))
	}
	return f
}

func (r *reader) whole(v configs.Value, least int64) int64 {
	i, err := v.Int()
	r.errs.Add(err)
	if err == nil && (i < least || i > 1<<40) {
		r.errs.Add(v.Errorf(nil, "is %d (want %d to 2^40)", i, least))
	}
	return max(i, least)
}

// items is a list; absent and null are none.
func (r *reader) items(v configs.Value) []configs.Value {
	if k := v.Kind(); v.Exists() && k != configs.List && k != configs.Null {
		r.errs.Add(v.Errorf(nil, "is %s (want a list)", k))
	}
	return v.Items()
}

// keys goes through a mapping: what is not in any of the lists is an error.
func (r *reader) keys(v configs.Value, where string, unused []string, used ...string) {
	if v.Kind() != configs.Map {
		r.errs.Add(v.Errorf(nil, "is %s (want a mapping)", v.Kind()))
		return
	}
	for _, k := range v.Keys() {
		switch {
		case slices.Contains(used, k):
		case slices.Contains(unused, k):
			r.note(where + "." + k)
		default:
			r.errs.Add(v.UnknownKey(k, slices.Concat(used, unused)))
		}
	}
}

// pick finds a name in a list.
func (r *reader) pick(v configs.Value, what, name string, among []string) (int, bool) {
	if i := slices.Index(among, name); i >= 0 {
		return i, true
	}
	e := v.Errorf(among, "%s is no %s", name, what)
	e.Nearest = configs.Nearest(name, among)
	r.errs.Add(e)
	return 0, false
}
