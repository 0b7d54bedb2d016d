package experiment

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/configs"
)

// A share is what one worker does of one workload.
type share struct {
	worker, load int
	program      mapping.Program
	scratch      int      // graph of its scratch memory, -1 without
	late         bool     // a scheduler issues its jobs while the run goes on
	issuer       sim.Port // of jobs that were issued ahead and wait for others
}

// split maps the workloads onto their cores.
func (x *Experiment) split(a *assembly) ([]share, error) {
	var errs configs.Errors
	var out []share
	mapper := x.loader.mapper()
	defer x.loader.mappers.Put(mapper)
	for i, w := range a.loads {
		if v := w.At.Get("placement"); v.Exists() {
			errs.Add(v.Errorf(nil, "has no effect: there is no node of kind schedule or serve"))
			continue
		}
		at, names := x.coresFor(w)
		idx, err := a.pick(at, names)
		if err != nil {
			errs.Add(err)
			continue
		}
		if err := w.fuse(a, mapper, idx); err != nil {
			errs.Add(err)
			continue
		}
		programs, err := x.programs(a, mapper, w, idx, at)
		errs.Add(err)
		for j, p := range programs {
			out = append(out, share{worker: idx[j], load: i, program: p, scratch: -1})
		}
	}
	return out, errs.Err()
}

// mapper returns a mapper that nobody uses, if there is one with what it has found for
// other points: settings of the memory, say, do not change a mapping.
func (l *Loader) mapper() *mapping.Mapper {
	m, ok := l.mappers.Get().(*mapping.Mapper)
	if !ok || m.Known() > maxMappings {
		m = mapping.NewMapper()
	}
	return m
}

// maxMappings bounds what a mapper remembers, some hundred bytes each.
const maxMappings = 100_000

// programs is one program per worker in idx.
func (x *Experiment) programs(a *assembly, mapper *mapping.Mapper, w *workload, idx []int, at configs.Value) ([]mapping.Program, error) {
	var cores []mapping.Core
	for _, k := range idx {
		if err := w.skips(a.workers[k]); err != nil {
			return nil, err
		}
		if !mappable(a.workers[k]) {
			if len(idx) > 1 {
				return nil, at.Errorf(nil, "%s does not share work, and %d nodes are to share this (mapping.cores and a workload's cores name who does what)", a.workers[k].Name(), len(idx))
			}
			return []mapping.Program{mapping.Whole(w.Graph)}, nil
		}
		core := a.workers[k].(work.Mappable).Core(w.Spec.DType.DTypes)
		if len(a.jobs) > 0 { // it may give the core other operators in between
			core.OnChip = mapping.KeepNone
			if core.Norms {
				a.notes = append(a.notes, fmt.Sprintf("%s: vector.norms: beside has no effect: operators are issued one by one, and norms make their statistics themselves", a.workers[k].Name()))
				core.Norms = false
			}
		}
		cores = append(cores, core)
	}
	spec := x.mapping
	spec.Block = a.block(spec.Layout, w)
	if len(a.jobs) > 0 && spec.Split == "auto" && spec.Multicast == "" {
		spec.Multicast = "none" // cores that share an operator of a schedule do not run in step
	}
	section := x.doc.Root.Get("mapping")
	if err := cutNests(section, spec.Split, cores); err != nil {
		return nil, err
	}
	programs, err := mapper.Split(w.Graph, cores, spec)
	if err == nil {
		a.loneCore(section, w, cores)
		a.notes = append(a.notes, spec.LeftInRows(w.Graph, cores)...)
		a.notes = append(a.notes, idleNests(a, w, idx, cores, programs, spec.Split)...)
		a.notes = append(a.notes, idleNorms(a, w, idx, cores, programs)...)
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

// loneCore notes the keys that say how cores share operators where one core has them all.
func (a *assembly) loneCore(section configs.Value, w *workload, cores []mapping.Core) {
	for _, key := range []string{"split", "micro_batches", "multicast"} {
		v := section.Get(key)
		if len(cores) != 1 || !v.Exists() || v.Text() == "auto" {
			continue
		}
		if note := v.Errorf(nil, "has no effect on %s: one core carries it out", w.Name()).Error(); !slices.Contains(a.notes, note) {
			a.notes = append(a.notes, note)
		}
	}
}

// block is the side of the blocks of tiled tensors, one for all cores of a system: whoever
// reads a tensor reads it as it was written.
func (a *assembly) block(l mapping.Layouts, w *workload) (side int64) {
	if len(l) == 0 {
		return 0
	}
	for _, n := range a.workers {
		if mappable(n) {
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

// located points an error that does not say where at v.
func located(v configs.Value, err error) error {
	if err == nil || configs.PosOf(err) != (configs.Pos{}) {
		return err
	}
	return v.Errorf(nil, "%v", err)
}

// idleMapping reports the keys of the section mapping that say how operators are cut and
// shared out, where no node has its work cut: kinds gpu and roofline, timing kernel.
func (x *Experiment) idleMapping(a *assembly) error {
	section := x.doc.Root.Get("mapping")
	if !section.Exists() {
		return nil
	}
	if slices.ContainsFunc(a.workers, mappable) {
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

// mappable reports whether a worker's operators are cut by the mapper.
func mappable(w worker) bool {
	_, own := w.(work.Peer)
	_, ok := w.(work.Mappable)
	return ok && !own
}
