// Package standard describes DRAM standards as data: commands, organisation, timings,
// currents and the constraints between commands.
//
// The folder grades has one file per standard, JSON with comments: constraints (level, preceding,
// following, clocks, window) as formulas, and per speed grade their values, the organisation and
// currents, each with its source. Find returns a grade by its name; With changes its timings, and
// the constraints follow. All times are clocks of the command bus.
//
//	g, ok := standard.Find("ddr4_3200")
//
// Left out: scheduling (package dram) and checks of commands (package buslog). Read and With
// return errors for faulty descriptions and unknown timings.
package standard
