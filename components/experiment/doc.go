// Package experiment runs simulations: one run, and sweeps of many.
//
// A run takes a resolved configuration and returns a Result, which is a pure
// function of that configuration, the input files, the seed and the version:
// the same bytes under any engine, worker count or order of nodes in the file.
// What is not (wall time, host, engine) stands in Process, beside it. A run that
// is interrupted or cannot go on still returns what it has, marked incomplete.
//
// A sweep is a grid of --set paths over a base configuration. Each point is
// known by its Identity, a hash over everything its result depends on; finished
// points are appended to a journal and are not run again. With seeds: or average: it
// takes means over axes, with intervals by Student's t, which hold for normal errors
// and so are rough for two or three seeds; tables: shows a metric by two axes.
//
// Left out: optimisers, executors other than local workers, live charts.
package experiment
