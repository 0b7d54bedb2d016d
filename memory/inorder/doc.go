// Package inorder is the frame of a memory that answers in the order of arrival: port, queue of
// answers, metrics. A Timing gives the time of each request; memory/ideal, memory/curve and
// memory/scratchpad have one each.
//
// In a memory cycle the component first takes all requests at its port, in the order of arrival,
// then sends the answers that are due, as far as the wire takes them. It has events only in
// cycles in which a request arrives or an answer is due. A cache that is its only requester hands its
// requests over directly (memory/direct).
//
// Counters that are read in an instant include its requests and answers, whichever event comes first.
//
// Left out: data, unless Keep is called, and a check of addresses, which only an Addressed timing
// uses. Requests to one address stay in order, since all do.
//
// New with a Timing makes one. A message that is no memory request panics.
package inorder
