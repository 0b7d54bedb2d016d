// Package command holds what all commands of causeway share: exit codes, errors with an exit code,
// the check of arguments, and the settings that say how to run.
//
// # Left out
//
// The commands themselves. Package main also ends a command that does not return after Ctrl-C.
package command
