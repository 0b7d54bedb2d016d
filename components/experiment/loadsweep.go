package experiment

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/configs"
)

// sweepKeys are the keys of a sweep file.
var sweepKeys = []string{"base", "sweep", "set", "metrics", "seeds", "average", "labels", "tables"}

// LoadSweep reads a sweep file:
//
//	base: resnet18.yaml         the configuration, relative to the sweep file
//	set: [workload.batch=4]     for all points
//	sweep: {Core.rows: [8, 16]} the axes, see DecodeGrid
//	metrics: [Core.utilization] columns of sweep.csv; all, if left out
//	seeds: 5                    each point with the seeds 1 to 5, and their means in mean.csv
//	average: [Core.rows]        axes that means are taken over as well
//	tables: {t: {metric: Core.utilization, rows: Core.rows, columns: Core.dataflow}}
//	labels: {Core.rows: [small, large]}  what their values are called in tables
//
// What is wrong with its points is found by Check.
func LoadSweep(file string, o Options) (*Sweep, error) {
	src, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file", file)
	}
	if err != nil {
		return nil, err
	}
	v, err := configs.ParseValue(file, src)
	if err != nil {
		return nil, err
	}
	if v.Kind() != configs.Map {
		return nil, v.Errorf(nil, "a sweep file is a mapping with base: and sweep:")
	}
	if n := v.Get("nodes"); n.Exists() && !v.Get("base").Exists() {
		return nil, n.Errorf(nil, "this is a configuration, not a sweep file (causeway run runs it; a sweep file has base: and sweep:)")
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
		err = nil
	}
	s := &Sweep{Metrics: metrics}
	if v.Get("sweep").Exists() || !v.Get("seeds").Exists() { // seeds alone are an axis
		s.Grid, err = DecodeGrid(v.Get("sweep"))
		errs.Add(err)
	}
	for _, kv := range slices.Concat(set, o.Set) {
		if path, _, _ := strings.Cut(kv, "="); slices.Contains(s.Grid.Paths(), path) {
			errs.Add(v.Get("sweep").Errorf(nil, "--set %s has no effect: %s is an axis of this sweep", kv, path))
		}
	}
	if err == nil {
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
	s.fixedSets = len(set) + len(o.Set)
	o.Set, o.SetDir = slices.Concat(set, o.Set), filepath.Dir(file)
	l := NewLoader(o)
	s.Runner = &fileRunner{loader: l, base: base}
	return s, nil
}

// IsSweepFile reports whether a file describes a sweep: it has a base and axes or
// seeds. What cannot be read is none.
func IsSweepFile(file string) bool {
	src, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	v, err := configs.ParseValue(file, src)
	return err == nil && v.Kind() == configs.Map && v.Get("base").Exists() && (v.Get("sweep").Exists() || v.Get("seeds").Exists())
}
