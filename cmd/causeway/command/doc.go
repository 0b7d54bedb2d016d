// Package command holds what all commands of causeway share: exit codes and the errors that
// carry them, the check of arguments, and the settings of how to run.
//
// # Left out
//
// The commands themselves, and how a command ends that goes on after Ctrl-C (package main).
package command
