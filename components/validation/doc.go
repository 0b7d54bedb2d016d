// Package validation holds published numbers against simulated ones.
//
// A study is a folder with configurations and a published.yaml: where the
// numbers come from, which runs produce ours, and point by point what was
// published, in what unit, with which tolerance and under which label. Labels
// are never mixed: "exact" for closed forms, specifications and peer runs,
// "measured" for real hardware, "headline" where the source's parameters are not
// all public, "reconstruction" where the rule itself is not.
//
// A simulated value is read from the result of a run of the shipped nodes, never
// computed here.
//
// A measurement is a table of times: its rows are phases of one run, or, with each, runs
// of their own. Bounds limit errors over sets of rows, or ask for the order of pairs.
//
// Left out: a search for parameters that would meet a number.
package validation
