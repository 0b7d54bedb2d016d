// Package experiment loads a configuration, checks it, and runs it as one simulation.
//
//	x, err := experiment.Load("system.yaml", experiment.Options{Set: []string{"Core.rows=64"}})
//	res, process, err := x.Run(ctx, nil)
//	err = res.WriteDir("runs/a", process)
//
// A Result is a pure function of the resolved configuration, the input files, the seed and the
// version: it has the same bytes under any engine, worker count and order of nodes in the file.
// Wall time, host and engine are in a Process. An interrupted run returns the results so far with
// status incomplete, a run that cannot go on with status stuck. Errors of the configuration have
// their places (IsBadInput). Metrics have a unit each (stats.Unit), and Process has seconds and
// bytes.
//
// Left out: many runs (package sweep), reports and figures (components/report).
package experiment
