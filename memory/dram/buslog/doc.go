// Package buslog records the commands of a DRAM and checks that they are legal.
//
// A Log holds the commands of a device, channel by channel, and writes them as lines of clock,
// command, rank, group, bank, row and column. CheckLog reads such a file. A Checker verifies the
// commands of one channel against the constraints of a standard.Grade and the states of the
// banks. It shares no code with the controller that issues the commands.
//
//	err := buslog.NewChecker(grade).Check(record)
//
// Times are clocks of the command bus. Left out: data, and the order of requests. Errors name
// file and line, and wrap ErrIllegal for an illegal command.
package buslog
