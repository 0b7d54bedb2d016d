// Package timeloop imports inputs of Timeloop v0.4: a folder or the files, with architecture, problem,
// and where they are there mapping, constraints and Accelergy's tables. Nothing is converted: the
// spatial node reads these files itself (accelerators/nest/timeloop), and the import finds out which
// file is what, and which keys have no effect.
//
// # Left out
//
// Templates, variables and expressions: they belong to the tool's front end, which writes
// parsed-processed-input.yaml; import that. Settings of the mapper beyond its algorithm and metric.
//
// # Source
//
// Timeloop's documentation of v0.4; github.com/Accelergy-Project/timeloop-accelergy-exercises,
// commit 2d55108.
package timeloop
