// Package coherent adds times to the state machines of memory/cxl/coherence, and sends their
// messages as lines over a memory/cxl/transit network. New and the Add methods make a System.
// Times are picoseconds. An unexpected message panics.
//
// A System has the coherent part of each node: a Host (the root's cache of lines of coherent
// devices), a Device (the coherence engine, DCOH, of a device with hdm: d or db), a HomeAgent (of
// a root whose local memory devices cache), an Agent (a Type 2 device's cache of its host's
// memory). A node passes it arriving messages and answers of the memory, and takes its Jobs for
// the memory.
//
// For links and switches a message is a line; Line.Note is its number here. A host's read is
// counted as one line whose breakdown has the parts of its messages. Its wait for other hosts, or
// for the snoop filter, is in part Device; its wait for another access to the same line is in
// part Host.
//
// Source: Compute Express Link 3.1, chapter 3. Left out, as in memory/cxl/coherence:
// snoops of several lines at once (BISnp Blk), speculative reads, poison and other errors.
package coherent
