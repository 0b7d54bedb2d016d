// Package sweep runs many experiments: the points of a grid of --set paths over a base
// configuration, all of them or those that a search method proposes.
//
//	s, err := sweep.Load("sweep.yaml", experiment.Options{})
//	s.Dir, s.Workers = "runs/sweep", 4
//	out, err := s.Run(ctx) // sweep.csv, sweep.json, ... in s.Dir
//
// Each point has an Identity, a hash of everything that its result depends on. A finished point is
// appended to a journal and not run again. A failed point is recorded, and the others still run.
// With seeds: or average: a sweep takes means over axes, with 95% intervals by Student's t, which
// assume normal errors and are rough for two or three seeds. tables: shows a metric by two axes.
// Columns have the units of the metrics.
//
// Files that choose points: load.go, condition.go, method.go, preflight.go. Files that run them:
// sharing.go, cluster.go, and package remote. Files that evaluate them: collect.go, average.go,
// effect.go, crosstab.go, objective.go, judge.go, confirm.go. service.go answers other programs.
//
// Left out: workers that share no folder.
package sweep
