// Package progress shows how far a run or a sweep is: a Meter prints a line on a terminal, and
// Write writes a file into the folder of results, which `causeway serve` shows. Cancellable ends a run or a sweep when its page asks for that.
//
// # Left out
//
// Results. Files are written without an error to the caller: a failed write is repeated half a
// second later.
package progress
