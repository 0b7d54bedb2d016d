// Package power says what energy the kernels of a GPU take, what power that is, and how far a
// chip above its power limit slows down. It is arithmetic on counts, without events.
//
//	c := power.Chip{Figures: f, Idle: 205, Active: 250, SMs: 148, Clock: 2.062e9, Limit: 1200}
//	parts := c.Dynamic(power.Counts{MACs: 1e12, Type: "bf16", Near: 1e10, Far: 5e9, Busy: 1e-3})
//	watts := c.Watts(parts, 1.1e-3, 1) // at the full clock
//	share := c.Hold(at)                // the share of the full clock at which the limit is kept; at runs the kernel at a share
//
// Nothing here returns an error. A type without an entry in Figures.MAC has the energy of fp16, and
// a Limit below Least, which the chip takes with nothing to do, has no meaning.
//
// # Events
//
// Every multiply-accumulate takes the energy of its type, registers and the operands' way out of
// shared memory included. Every operation of the vector units takes one figure, with its
// instruction. Every byte between the L2 and an SM takes three: the L2 with the wires to the SM,
// a write to shared memory and a read. Every byte of memory takes that of the memory's kind, and
// every byte of a link that of the link. An SM that works takes energy for each cycle: instructions
// are fetched, scheduled and wait. A chip takes Idle watts always, and Active watts more while a
// kernel runs: clock trees, and all that is awake.
//
// # Voltage, clock and limit
//
// Dynamic energy goes with the square of the voltage. The voltage goes with the clock in GHz on a
// straight line down to a floor (Voltage), which is that of the chip that figures were fitted on: a B200,
// whose full clock is a tenth lower, has the lower voltage of that clock. A chip above its limit goes at the
// clock at which its power is the limit; its time and its energy are those at that clock. A kernel alone
// has a clock of its own (Throttle). Kernels of a workload that repeats have one (Pace).
//
// # Fitted values
//
// See Fitted for the values and the rows. Figures without rows are published ones; see figures.go.
//
// # Left out
//
// Temperature: leakage is that of the chip that was measured, under load. Data: operands are
// random, and zeros take as much. Clocks of the memory do not change. Fans, hosts and converters
// are not part of a chip.
package power
