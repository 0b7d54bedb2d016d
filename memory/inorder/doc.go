// Package inorder is the shell of a memory that answers in the order of
// arrival: the port, the queue of answers, the metrics. How long a request
// takes is the business of a Timing; memory/ideal and memory/curve have one
// each.
//
// In a memory cycle the component first takes every request that waits at its
// port, in the order of arrival, then sends every answer that is due, as far as
// the wire takes them. It has events only in cycles in which a request arrives
// or an answer is due, and none of them allocates once the queue has grown.
//
// Left out: data. Answers to reads carry none, writes leave none behind.
// Addresses are not looked at but by a Timing that is Addressed: a request that has reached the memory is
// at home there. Same-address order follows from the order of arrival.
package inorder
