// Package standard describes DRAM standards as data: commands, organisation, timings,
// currents and the constraints between commands.
//
// The folder grades has one YAML file per standard: constraints (level, preceding, following, clocks,
// window) as formulas, and per speed grade their values, the organisation and currents, each with
// its source. commands.yaml says what the commands of all standards do: the state of banks that they need and leave, states of
// a rank, delays. A standard may name levels, add commands with states of their own, and change delays; what the
// controller's own commands do is fixed. Find returns a built-in grade by its name, Read those of another file; With changes
// timings, and the constraints follow. All times are clocks of the command bus.
//
//	g, ok := standard.Find("ddr4_3200")
//
// Left out: scheduling (package dram) and checks of commands (package buslog). Read and With
// return errors for faulty descriptions and unknown timings.
package standard
