// Package result is what a run has found, and the files that it is written to.
//
// A [Result] has metrics, tables, the tree of causes and the sentence that names what most time
// went to. [Result.WriteDir] writes its folder: result.json last, so that a folder with one is
// whole. [Headlines] are the metrics that a reader asks for first, as the kinds of the nodes
// declare them; a [Goal] is the one that says how good a run is. [Identity] names a run by
// version, configuration and inputs.
//
// The package runs nothing and draws nothing: see experiment and report.
package result
