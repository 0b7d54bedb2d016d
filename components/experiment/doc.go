// Package experiment runs simulations.
//
// A run takes a resolved configuration and returns a Result, which is a pure
// function of that configuration, the input files, the seed and the version:
// the same bytes under any engine, worker count or order of nodes in the file.
// What is not (wall time, host, engine) is in Process, apart from the Result. A run that
// is interrupted or cannot go on still returns what it has, marked incomplete.
//
// Package sweep runs many experiments.
package experiment
