package spatial

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/nest/design"
	"github.com/causeway-sim/causeway/accelerators/nest/planner"
	"github.com/causeway-sim/causeway/accelerators/search"
	"github.com/causeway-sim/causeway/accelerators/systolic"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// works reports whether a node carries out a workload: it describes a machine and no
// problem.
func (s *Spec) works() bool {
	return len(s.Levels) > 0 && len(s.Problem.Dims) == 0 && s.InputFile == ""
}

// worker makes a node that carries out a workload: the engine and the vector unit of a
// systolic core around compute units whose products a nest maps.
func worker(env *system.Env, name string, s Spec, v configs.Value, tile bool) (system.Node, error) {
	var errs configs.Errors
	for _, key := range []string{"mapping", "mapping_file", "problem", "problem_file", "constraints_file", "ert_file", "art_file"} {
		if x := v.Get(key); x.Exists() {
			errs.Add(x.Errorf(nil, "has no effect: a mapping is searched for each layer of the workload (constraints of levels bound it)"))
		}
	}
	options := s.options(env, name, v, &errs)
	machine := func(word graph.DType) (*nest.Description, error) {
		x := s.Spec
		x.Behind = true
		if x.Compute.DType == "" {
			x.Compute.DType = word.Element().String()
		}
		x.Problem = design.Problem{Dims: map[string]int64{"N": 1}}
		if !v.Get("word").Exists() {
			x.Word = design.Bits(float64(word.Bits()))
		}
		in, err := design.Read(v, &x, hertz(&s))
		if err != nil {
			return nil, err
		}
		return &in.Description, nil
	}
	d, err := machine(graph.Int8)
	errs.Add(err)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if x := v.Get("search").Get("objective"); x.Exists() && !d.Energies && needsEnergies(s.Search.Objective) {
		return nil, x.Errorf(nil, "%v", unpriced(s.Search.Objective))
	}
	core, err := s.core(d, v)
	if err != nil {
		return nil, err
	}
	g := &fixedMappings{list: s.Layers, at: v.Get("layers"), used: make([]bool, len(s.Layers)), always: s.Search.Always}
	errs.Add(g.check())
	if err := errs.Err(); err != nil {
		return nil, err
	}
	options.Fixed = g.of
	options.Place = func(l int) configs.Value {
		if list := v.Get("levels").Items(); l < len(list) {
			return list[l]
		}
		return place(v)
	}
	p := planner.New(machine, options)
	typed := s.Compute.DType != "" || v.Get("compute").Get("area").Exists()
	words := newWidths(&s, d, v)
	words.found = append(words.found, outermost(&s, v)...)
	if tile {
		return &tiled{systolic.NewPlanned(name, env.Engine, core, p, s.priced(d, typed)), g, words}, nil
	}
	return &closed{systolic.NewPlannedAnalytic(name, env.Engine, core, p, s.priced(d, typed)), g, words}, nil
}

// tiled and closed are the nodes of both fidelities.
type (
	tiled struct {
		*systolic.Tile
		fixed *fixedMappings
		words *widths
	}
	closed struct {
		*systolic.Analytic
		fixed *fixedMappings
		words *widths
	}
)

// Prepare implements work.Executor.
func (t *tiled) Prepare(w work.Share) error {
	t.words.of(w.Graph)
	t.fixed.products(w.Graph)
	return t.Tile.Prepare(w)
}

// Prepare implements work.Executor.
func (c *closed) Prepare(w work.Share) error {
	c.words.of(w.Graph)
	c.fixed.products(w.Graph)
	return c.Analytic.Prepare(w)
}

// Warnings implements system.Warner.
func (t *tiled) Warnings() []string { return t.words.found }

// Warnings implements system.Warner.
func (c *closed) Warnings() []string { return c.words.found }

// Loaded implements system.Nester: a mapping of a layer that nothing has is
// wrong before the run.
func (t *tiled) Loaded() error { return t.fixed.unused() }

// Start implements work.Executor.
func (t *tiled) Start() error { return errors.Join(asBad(t.fixed.unused()), t.Tile.Start()) }

// Loaded implements system.Nester: a mapping of a layer that nothing has is
// wrong before the run.
func (c *closed) Loaded() error { return c.fixed.unused() }

// Start implements work.Executor.
func (c *closed) Start() error { return errors.Join(asBad(c.fixed.unused()), c.Analytic.Start()) }

// fixedMappings are the mappings of layers in a node's configuration.
type fixedMappings struct {
	list []LayerMapping
	at   configs.Value
	used []bool

	always bool     // layers are searched for although they are fixed
	names  []string // of the products of the workload
}

// products keeps the names of what a mapping may be for.
func (g *fixedMappings) products(in *graph.Graph) {
	for i := range in.Ops {
		if _, ok := in.Multiplied(&in.Ops[i]); ok && len(g.list) > 0 && !slices.Contains(g.names, in.Ops[i].Name) {
			g.names = append(g.names, in.Ops[i].Name)
		}
	}
}

// of is the first that matches a layer.
func (g *fixedMappings) of(op string) (planner.FixedMapping, bool) {
	for i := range g.list {
		if ok, _ := path.Match(g.list[i].Match, op); ok || g.list[i].Match == op {
			g.used[i] = true
			if g.always {
				return planner.FixedMapping{}, false
			}
			return planner.FixedMapping{At: g.item(i).Get("mapping"), Entries: g.list[i].Mapping}, true
		}
	}
	return planner.FixedMapping{}, false
}

func (g *fixedMappings) item(i int) configs.Value {
	if list := g.at.Items(); i < len(list) {
		return list[i]
	}
	return g.at
}

// check returns errors for invalid and for duplicate patterns.
func (g *fixedMappings) check() error {
	var errs configs.Errors
	for i := range g.list {
		for k := range i {
			if g.list[k].Match == g.list[i].Match {
				errs.Add(g.item(i).Get("match").Errorf(nil, "%q is there twice (layers[%d] has it)", g.list[i].Match, k))
				break
			}
		}
		if _, err := path.Match(g.list[i].Match, ""); err != nil {
			errs.Add(g.item(i).Get("match").Errorf(nil, "%q is no pattern", g.list[i].Match))
		}
	}
	return errs.Err()
}

// unused finds mappings of layers that the workload lacks.
func (g *fixedMappings) unused() error {
	var errs configs.Errors
	for i, used := range g.used {
		if !used {
			errs.Add(g.item(i).Get("match").Errorf(g.names, "no product of the workload is called %q that no entry before matches", g.list[i].Match))
		}
	}
	return errs.Err()
}

// asBad marks an error that is found while the node runs.
func asBad(err error) error {
	if err != nil {
		return badInput{err}
	}
	return nil
}

// options are those of the searches.
func (s *Spec) options(env *system.Env, name string, v configs.Value, errs *configs.Errors) planner.Options {
	o := planner.Options{Rules: nest.Rules(s.Rules), Objective: s.Search.Objective,
		Search: search.Options{Algorithm: s.Search.Algorithm, Evaluations: s.Search.Evaluations, Seed: env.Rand(name).Uint64()}}
	checkSearch(s, v, errs)
	if !v.Get("search").Get("objective").Exists() {
		o.Objective = "" // energy times time needs energies
	}
	if !v.Get("search").Get("evaluations").Exists() {
		o.Search.Evaluations = perLayer
		if o.Search.Algorithm == search.Gradient {
			o.Search.Evaluations = alongDerivatives
		}
	}
	return o
}

// perLayer is how many mappings of a layer are evaluated.
//
// assumption: with 4,000 ResNet-50 and BERT-base on 16 x 16 units before 25.6 GB/s take
// within 0.2% of the cycles that they take with 50,000.
const perLayer = 4_000

// alongDerivatives is how many mappings a search along derivatives evaluates where none are asked
// for: with so many it finds no worse than the best of 10,000 random ones in 292 layers of four
// networks (TestGradient of accelerators/nest/planner).
const alongDerivatives = 100

// checkSearch returns errors for keys of search without an effect.
func checkSearch(s *Spec, v configs.Value, errs *configs.Errors) {
	if !slices.Contains([]int{2024, 2025}, s.Rules) {
		errs.Add(v.Get("rules").Errorf([]string{"2024", "2025"}, "rules of %d are not known", s.Rules))
	}
	if !slices.Contains(nest.Objectives, s.Search.Objective) {
		errs.Add(v.Get("search").Get("objective").Errorf(nest.Objectives, "%q is no objective", s.Search.Objective))
	}
	o := search.Options{Algorithm: s.Search.Algorithm, Evaluations: s.Search.Evaluations}
	if !slices.Contains(search.Algorithms, o.Algorithm) {
		errs.Add(v.Get("search").Get("algorithm").Errorf(search.Algorithms, "%q is no algorithm", o.Algorithm))
	} else if err := o.Check(); err != nil {
		errs.Add(v.Get("search").Get("evaluations").Errorf(nil, "%v", err))
	}
}

// core is the engine and the vector unit around the units. Operands of the vector unit
// stream through the outermost level on the chip, a third of it each.
func (s *Spec) core(d *nest.Description, v configs.Value) (systolic.Spec, error) {
	a := &d.Arch
	x := systolic.DefaultSpec()
	x.Clock, x.DMA, x.Vector.Lanes = s.Clock, s.DMA, s.Vector.Lanes
	x.Rows, x.Cols = int(a.Compute.Mesh.Y), int(a.Compute.Mesh.X)
	third := units.Bytes(1 << 30)
	for l := 1; l < len(a.Levels); l++ {
		if lv := &a.Levels[l]; lv.Words > 0 {
			third = max(2, units.Bytes(lv.Words*float64(lv.WordBits)/8/3))
			break
		}
	}
	x.SRAM = machine.SRAM{Ifmap: third, Filter: third, Ofmap: third}
	if len(a.Levels) < 2 {
		return x, v.Get("levels").Errorf(nil, "is one level, which is the memory at the port (want levels on the chip after it)")
	}
	if err := x.Check(); err != nil {
		return x, place(v).Errorf(nil, "%v", fmt.Errorf("the machine cannot carry out a workload: %w", err))
	}
	return x, nil
}
