// Package coherent gives times to the machines of memory/cxl/coherence and lets their
// messages travel as lines of a memory/cxl/transit network.
//
// A System has, for each node, the side that takes part in coherence: a Host (the root's
// cache for lines of coherent devices), a Device (the coherence engine, DCOH, of a device
// with hdm: d or db), a HomeAgent (of a root whose local memory devices cache), an Agent (the
// cache of a Type 2 device for its host's memory). Nodes hand over what arrives and what
// the memory answers, and ask for the jobs that are to go to the memory.
//
// A message is a line as far as links and switches know: Line.Note is its number here. A
// read of a host is counted as one line whose breakdown has the parts of its messages: what
// a line waits for other hosts, or for a place in the snoop filter, is in the part Device; what it
// waits for another access of the same line, in Host.
//
// Source: Compute Express Link 3.1, chapter 3. Left out: see memory/cxl/coherence.
package coherent
