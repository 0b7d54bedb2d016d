package plan

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/layout"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/configs"
)

// A Share is the part of one workload that one worker executes.
type Share struct {
	Worker, Load int
	Program      mapping.Program
	Scratch      int      // graph of its scratch memory, -1 without
	Late         bool     // a scheduler issues its jobs during the run
	Issuer       sim.Port // of jobs issued before the run that wait for others
}

// split maps the workloads onto their cores.
func (a *Assignment) split() ([]Share, error) {
	var errs configs.Errors
	var out []Share
	mapper := a.Mappers.Get()
	defer a.Mappers.Put(mapper)
	for i, w := range a.Loads {
		if v := w.At.Get("placement"); v.Exists() {
			errs.Add(v.Errorf(nil, "has no effect: there is no node of kind schedule or serve"))
			continue
		}
		at, names := a.coresFor(w)
		idx, err := a.Pick(at, names)
		if err != nil {
			errs.Add(err)
			continue
		}
		if err := w.Fuse(a, mapper, idx); err != nil {
			errs.Add(err)
			continue
		}
		programs, err := a.programs(mapper, w, idx, at)
		errs.Add(err)
		for j, p := range programs {
			out = append(out, Share{Worker: idx[j], Load: i, Program: p, Scratch: -1})
		}
	}
	return out, errs.Err()
}

// programs is one program per worker in idx.
func (a *Assignment) programs(mapper *mapping.Mapper, w *Workload, idx []int, at configs.Value) ([]mapping.Program, error) {
	var cores []machine.Core
	for _, k := range idx {
		if err := w.Skips(a.Workers[k]); err != nil {
			return nil, err
		}
		if !Mappable(a.Workers[k]) {
			if len(idx) > 1 {
				return nil, at.Errorf(nil, "%s does not share work, and %d nodes are to share this (mapping.cores and a workload's cores name who does what)", a.Workers[k].Name(), len(idx))
			}
			return []mapping.Program{mapping.Whole(w.Graph)}, nil
		}
		core := a.Workers[k].(work.Mappable).Core(w.Spec.DType.DTypes)
		if len(a.Jobs) > 0 { // it may give the core other operators in between
			core.OnChip = machine.KeepNone
			if core.Norms {
				a.Notes = append(a.Notes, fmt.Sprintf("%s: vector.norms: beside has no effect: operators are issued one by one, and norms make their statistics themselves", a.Workers[k].Name()))
				core.Norms = false
			}
		}
		cores = append(cores, core)
	}
	spec := a.Spec
	spec.Block = a.block(spec.Layout, w)
	if len(a.Jobs) > 0 && spec.Split == "auto" && spec.Multicast == "" {
		spec.Multicast = "none" // cores that share an operator of a schedule do not run in step
	}
	section := a.Doc.Root.Get("mapping")
	if err := cutNests(section, spec.Split, cores); err != nil {
		return nil, err
	}
	programs, err := mapper.Split(w.Graph, cores, spec)
	if err == nil {
		a.loneCore(section, w, cores)
		a.Notes = append(a.Notes, spec.LeftInRows(w.Graph, cores)...)
		a.Notes = append(a.Notes, idleNests(a, w, idx, cores, programs, spec.Split)...)
		a.Notes = append(a.Notes, idleNorms(a, w, idx, cores, programs)...)
		return programs, nil
	}
	var errs configs.Errors
	for _, e := range configs.Each(err) {
		if section.Exists() {
			errs.Add(locateIn(ruleOf(section, e), "mapping", e))
		} else {
			errs.Add(w.At.Locate(e))
		}
	}
	return nil, errs.Err()
}

// loneCore notes keys for sharing operators among cores that have no effect on one core.
func (a *Assignment) loneCore(section configs.Value, w *Workload, cores []machine.Core) {
	for _, key := range []string{"split", "micro_batches", "multicast"} {
		v := section.Get(key)
		if len(cores) != 1 || !v.Exists() || v.Text() == "auto" {
			continue
		}
		if note := v.Errorf(nil, "has no effect on %s: one core carries it out", w.Name()).Error(); !slices.Contains(a.Notes, note) {
			a.Notes = append(a.Notes, note)
		}
	}
}

// block is the side of the blocks of tiled tensors, one for all cores of a system: each core
// reads a tensor in the layout in which it was written.
func (a *Assignment) block(l layout.Layouts, w *Workload) (side int64) {
	if len(l) == 0 {
		return 0
	}
	for _, n := range a.Workers {
		if Mappable(n) {
			c := n.(work.Mappable).Core(w.Spec.DType.DTypes)
			side = max(side, int64(c.Array.Rows), int64(c.Array.Cols))
		}
	}
	return side
}

// ruleOf is the rule of the mapping section that an error about a layer ("conv1:
// ...") comes from, else the section.
func ruleOf(section configs.Value, err error) configs.Value {
	layer, _, _ := strings.Cut(err.Error(), ": ")
	if strings.HasPrefix(layer, "mapping.") { // it names its place itself
		return section
	}
	for _, r := range section.Get("layers").Items() {
		if ok, _ := path.Match(r.Get("match").Text(), layer); ok || r.Get("match").Text() == layer {
			return r
		}
	}
	return section
}

// locateIn points an error whose text begins with a path (mapping.layers[2].tile:
// ...) at the value of that path, or at what of it exists.
func locateIn(section configs.Value, name string, err error) error {
	where, msg, ok := strings.Cut(err.Error(), ": ")
	rest, ours := strings.CutPrefix(where, name+".")
	if !ok || !ours {
		return section.Locate(err)
	}
	at := section
	for part := range strings.SplitSeq(rest, ".") {
		key, index, _ := strings.Cut(strings.TrimSuffix(part, "]"), "[")
		next := at.Get(key)
		if i, err := strconv.Atoi(index); err == nil && i < len(next.Items()) {
			next = next.Items()[i]
		}
		if !next.Exists() {
			break
		}
		at = next
	}
	return at.Errorf(nil, "%s", msg)
}

// CheckMapping returns an error for keys of the section mapping that have no effect, because no
// node is mapped by the mapper: kinds gpu and roofline, timing kernel.
func (a *Assignment) CheckMapping() error {
	section := a.Doc.Root.Get("mapping")
	if !section.Exists() {
		return nil
	}
	if slices.ContainsFunc(a.Workers, Mappable) {
		return idleObjective(section, a)
	}
	var errs configs.Errors
	for _, key := range []string{"split", "micro_batches", "multicast", "objective", "rules", "fuse", "layout", "layers"} {
		if v := section.Get(key); v.Exists() {
			errs.Add(v.Errorf(nil, "has no effect: no node has its operators cut into tiles (systolic with timing physical does)"))
		}
	}
	return errs.Err()
}

// Mappable reports whether the mapper tiles the operators of a worker.
func Mappable(w worker) bool {
	_, own := w.(work.Peer)
	_, ok := w.(work.Mappable)
	return ok && !own
}
