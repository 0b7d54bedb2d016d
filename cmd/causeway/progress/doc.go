// Package progress shows how far a run or a sweep is: a Meter prints a line on a terminal, and
// Write writes a file into the folder of results, which `causeway serve` shows.
//
// # Left out
//
// What a run or a sweep has found.
package progress
