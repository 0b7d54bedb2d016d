// Package timing keeps when a channel of DRAM may get its next commands, by the constraints of a standard.
//
//	t := timing.New(grade, used)
//	at := t.Ready(standard.ACT, bank)  // first clock that the constraints allow
//	t.Issue(standard.ACT, bank, at)    // and from then on others wait for it
//	why := t.Limits()[t.By(standard.RD, bank)]  // tRCD, part of what is held for rows to open
//
// Time is in clocks of the command bus. A Table knows the channel, its ranks, bank groups and banks, but no
// rows and no requests: which command is due is decided by the Controller of memory/dram. A Limit names the
// constraint that keeps a command back, and a Hold is the kind of wait that it counts as.
//
// Names of commands and constraints are those of package standard. Power-down and self-refresh have times of
// their own, in package power. Nothing here returns an error: package standard refuses
// grades of more than MaxBanks banks in a channel, and Issue takes any clock, also one before Ready. A copy of a Table shares its Windows with it until Own.
package timing
