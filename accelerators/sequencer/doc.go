// Package sequencer passes signals between cores that share a workload: when a
// core has done its share of an operator, every core with a job that needs it is
// told.
//
// A signal takes one cycle from the core to the sequencer and one from the
// sequencer to each core that waits for it (more, where the clocks or the links
// differ): the sequencer passes on in the cycle in which it hears. A core that
// nobody waits for sends nothing that goes further.
//
// Left out: a limit on signals per cycle other than the wire's own buffers, and
// what a real design would need to broadcast them.
//
// The cores are linked to it by one wire, and their programs made known by
// Listen:
//
//	s := sequencer.New("Sequencer", engine, clock.GHz)
//	for i, core := range cores {
//		core.Follow(s.Port())
//		s.Listen(core.Sync(), shares[i].ID, shares[i].Program)
//	}
package sequencer
