// Package standard describes DRAM standards as data: commands, organisation, timings,
// currents and the constraints between commands.
//
// The folder grades has one file per standard, JSON with comments: constraints (level,
// preceding, following, clocks, window) as formulas, and per speed grade their values, the
// organisation and currents, each with its source. Find returns a grade by its name; With
// changes its timings, and the constraints follow. All times are clocks of the command bus.
//
// Left out: what a controller does with a grade (package dram), and whether commands obey it
// (package buslog).
package standard
