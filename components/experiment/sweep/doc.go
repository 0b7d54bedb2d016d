// Package sweep runs many experiments: the points of a grid of --set paths over a base
// configuration, all of them or those that a method of search asks for.
//
// Each point is known by its Identity, a hash over everything its result depends on;
// finished points are appended to a journal and are not run again. With seeds: or average:
// a sweep takes means over axes, with intervals by Student's t, which hold for normal
// errors and so are rough for two or three seeds; tables: shows a metric by two axes.
//
// What the points are: grid.go, flag.go, condition.go, method.go, preflight.go. Where they
// run: sharing.go, remote.go, cluster.go, service.go. What they come to: collect.go,
// average.go, effect.go, crosstab.go, objective.go, judge.go, confirm.go.
//
// Left out: executors other than processes that share a folder.
package sweep
