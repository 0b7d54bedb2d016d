// Package sweeps is the command `causeway sweep`: it runs the points of a sweep here or by Slurm
// (sweep, resume), says how far a sweep is (status), writes its tables (collect), lists its points
// (list) and confirms the best ones at another fidelity (--confirm). Command makes it; the errors of
// a command have an exit code (package command).
//
// # Left out
//
// What a sweep is, and how points are chosen and recorded: package sweep of components/experiment.
package sweeps
