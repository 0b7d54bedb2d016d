package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/explore"
	"github.com/causeway-sim/causeway/configs"
)

// sweepKeys are the keys of a sweep file.
var sweepKeys = []string{"base", "sweep", "set", "metrics", "where", "method", "objectives", "constraints", "seeds", "average", "labels", "tables", "illegal"}

// Load reads a sweep file:
//
//	base: resnet18.yaml         the configuration, relative to the sweep file
//	set: [workload.batch=4]     for all points
//	sweep: {Core.rows: [8, 16]} the axes, see DecodeGrid
//	metrics: [Core.utilization] columns of sweep.csv; all, if left out
//	where: Core.rows * Core.cols <= 4096   points that are left out, or a list
//	method: {name: lhs, points: 100}       which of the points are run; all, if left out
//	objectives: {total_time: min}          what is best, or a list of what is to be small
//	constraints: [total_time <= 5e6]       what a good point must meet
//	seeds: 5                    each point with the seeds 1 to 5, and their means in mean.csv
//	average: [Core.rows]        axes that means are taken over as well
//	tables: {t: {metric: Core.utilization, rows: Core.rows, columns: Core.dataflow}}
//	illegal: record             points that cannot be run are recorded as failed; stop, if left out
//	labels: {Core.rows: [small, large]}  what their values are called in tables
//
// axes are further axes in the syntax of --axis; an axis of the same path replaces that of the
// file. With axes, file may also be a configuration: then it is the base.
//
// Check finds the errors of points.
func Load(file string, o experiment.Options, axes ...string) (*Sweep, error) {
	v, err := readSweep(file)
	if err != nil {
		return nil, err
	}
	if v.Get("schema").Exists() && !v.Get("base").Exists() && len(axes) > 0 {
		return loadAxes(file, o, axes)
	}
	if n := v.Get("nodes"); n.Exists() && !v.Get("base").Exists() {
		return nil, n.Errorf(nil, "this is a configuration, not a sweep file (causeway run runs it; a sweep file has base: and sweep:, or --axis names what to vary)")
	}
	var errs configs.Errors
	for _, k := range v.Keys() {
		if !slices.Contains(sweepKeys, k) {
			errs.Add(v.UnknownKey(k, sweepKeys))
		}
	}
	texts := func(key string) (out []string) {
		list := v.Get(key)
		if list.Exists() && list.Kind() != configs.List {
			errs.Add(list.Errorf(nil, "expected a list of texts, for example [%s]", map[string]string{"set": "workload.batch=4", "metrics": "Core.utilization"}[key]))
		}
		for _, it := range list.Items() {
			s, err := it.String()
			errs.Add(err)
			out = append(out, s)
		}
		return out
	}
	set, metrics := texts("set"), texts("metrics")
	base, err := v.Get("base").String()
	if err != nil {
		errs.Add(v.Get("base").Errorf(nil, "a sweep needs base:, the configuration that it varies"))
	}
	s := &Sweep{Metrics: metrics, method: v.Get("method"), origin: newOrigin(file, o, axes)}
	gridErr := s.decodeAxes(v, axes)
	errs.Add(gridErr)
	errs.Add(s.decodeSearch(v))
	s.Illegal, err = decodeIllegal(v.Get("illegal"))
	errs.Add(err)
	for _, kv := range slices.Concat(set, o.Set) {
		if path, _, _ := strings.Cut(kv, "="); slices.Contains(s.Grid.Paths(), path) {
			errs.Add(v.Get("sweep").Errorf(nil, "--set %s has no effect: %s is an axis of this sweep", kv, path))
		}
	}
	if gridErr == nil {
		s.Average, err = decodeAverage(v, &s.Grid)
		errs.Add(err)
		errs.Add(decodeLabels(v.Get("labels"), s.Grid))
		errs.Add(decodeTables(v.Get("tables"), s))
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if !filepath.IsAbs(base) {
		base = filepath.Join(filepath.Dir(file), base)
	}
	if _, err := os.Stat(base); err != nil {
		return nil, v.Get("base").Errorf(nil, "no such file: %s", base)
	}
	o.Set, o.SetDir = slices.Concat(set, o.Set), filepath.Dir(file)
	s.over(base, o)
	return s, nil
}

// readSweep reads the text of a sweep file.
func readSweep(file string) (configs.Value, error) {
	src, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return configs.Value{}, fmt.Errorf("%s: no such file", file)
	}
	if err != nil {
		return configs.Value{}, err
	}
	v, err := configs.ParseValue(file, src)
	if err == nil && v.Kind() != configs.Map {
		err = v.Errorf(nil, "a sweep file is a mapping with base: and sweep:")
	}
	return v, err
}

// decodeAxes reads sweep:, and the axes of the command line.
func (s *Sweep) decodeAxes(v configs.Value, axes []string) error {
	var errs configs.Errors
	if v.Get("sweep").Exists() || !v.Get("seeds").Exists() && len(axes) == 0 { // seeds alone are an axis
		var err error
		s.Grid, err = grid.Decode(v.Get("sweep"))
		errs.Add(err)
	}
	errs.Add(s.Grid.Extend(axes))
	return errs.Err()
}

// decodeSearch reads which points are run, and which are good.
func (s *Sweep) decodeSearch(v configs.Value) error {
	var errs configs.Errors
	var err error
	s.methodName, err = decodeMethod(s.method)
	errs.Add(err)
	s.where, err = decodeWhere(v.Get("where"))
	errs.Add(err)
	s.constraints, err = decodeWhere(v.Get("constraints"))
	errs.Add(err)
	s.Objectives, err = decodeObjectives(v.Get("objectives"))
	errs.Add(err)
	if s.adaptive() && len(s.Objectives) == 0 {
		errs.Add(s.method.Errorf(nil, "a search needs objectives:, for example [total_time, energy]"))
	}
	for _, a := range s.Grid {
		for _, p := range a.Paths {
			if s.adaptive() && slices.Contains(choosesWorkload, p) && len(a.Values) > 1 {
				errs.Add(s.method.Errorf(nil, "a search compares all points, and %s sets unlike workloads (methods random and lhs keep them apart; or one sweep for each)", p))
			}
		}
	}
	if slices.Contains(explore.OneObjective, s.methodName) && len(s.Objectives) > 1 {
		errs.Add(v.Get("objectives").Errorf(nil, "method %s has one objective (nsga2 has several)", s.methodName))
	}
	for _, key := range []string{"seeds", "average"} {
		if s.methodName != "grid" && v.Get(key).Exists() {
			errs.Add(v.Get(key).Errorf(nil, "means need all points of the grid, of which method %s takes some", s.methodName))
		}
	}
	return errs.Err()
}

// choosesWorkload are the paths by which a configuration names its workload.
var choosesWorkload = []string{"workload", "workload.model", "workload.file", "workload.ops"}

// over makes the sweep one over a configuration file.
func (s *Sweep) over(base string, o experiment.Options) {
	s.fixedSets, s.base, s.fixed = len(o.Set), base, o.Set
	r := &fileRunner{loader: experiment.NewLoader(o), base: base}
	s.Runner = r
	s.root = func() (configs.Value, error) { return r.loader.Root(base) }
}

// loadAxes is a sweep over a configuration, all of whose axes come from outside.
func loadAxes(file string, o experiment.Options, axes []string) (*Sweep, error) {
	s := &Sweep{origin: newOrigin(file, o, axes)}
	if err := s.Grid.Extend(axes); err != nil {
		return nil, err
	}
	for _, kv := range o.Set {
		if path, _, _ := strings.Cut(kv, "="); slices.Contains(s.Grid.Paths(), path) {
			return nil, fmt.Errorf("--set %s has no effect: %s is an axis of this sweep", kv, path)
		}
	}
	s.over(file, o)
	return s, nil
}

// IsFile reports whether a file describes a sweep: it has a base, and axes or seeds. It is false
// for a file that cannot be read.
func IsFile(file string) bool {
	src, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	v, err := configs.ParseValue(file, src)
	return err == nil && v.Kind() == configs.Map && v.Get("base").Exists() && (v.Get("sweep").Exists() || v.Get("seeds").Exists())
}
