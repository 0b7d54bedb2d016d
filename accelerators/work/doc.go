// Package work is the boundary between whoever hands out a workload and the
// cores that carry it out: what a core is given (Share), what a core offers
// (Worker), and what cores tell each other (Signal).
//
// It holds no model. accelerators/systolic and accelerators/roofline implement
// Worker; accelerators/sequencer passes Signals on.
package work
