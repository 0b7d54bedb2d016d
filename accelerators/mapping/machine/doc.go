// Package machine says what a mapping may know of a core: the array and its dataflow, the
// buffers, the vector unit, the rates of element types and the memory below the port. New turns
// a Core into the Machine on which one operator runs, and Ways lists the others that it may
// take (the GEMV path, parts of the array). A Planner maps products in place of an array.
//
// Times are in cycles of the core. Memory has nominal figures: it knows no banks, no other
// traffic and no caches. Bad arrays, dataflows and element types are errors.
package machine
