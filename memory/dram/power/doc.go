// Package power has the low-power states of the ranks of a DRAM channel, and the energy of its chips.
//
// A Rule says when a rank goes to power-down or self-refresh: so long after its last access. Ranks follow the states;
// Next is the command that a rank needs next and the first clock for it, by the constraints of the standard that
// have such a command on either side. Counts are what the energy depends on: commands, clocks with rows open, and
// clocks in each state.
//
//	p, err := power.New(grade, power.Rule{After: 100, Close: true}, 1)
//	cmd, at, ok := p.Next(0, work, open, now)
//
// A rank in power-down wakes for a burst and for each refresh that is due, and goes back after that refresh. In
// self-refresh it refreshes itself. When it leaves, one refresh is due at once, and the next an interval later. It goes from
// power-down to self-refresh by way of an exit.
//
// Left out: postponed refreshes, temperature, deep power-down, self-refresh of a part of the banks, frequency changes, and the
// time in which the command pins are still on (tCPDED).
//
// Sources: JEDEC standards, named in each file of package standard; Micron TN-40-07 and TN-46-03; Chandrasekar et al.,
// DRAMPower, and its version 5 for power-down and self-refresh.
package power
