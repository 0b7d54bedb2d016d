// Package launch says how kernels of a GPU are launched, and what that costs.
//
//	launch: graph
//	launch: {mode: eager, other: 3us}
//
// In a graph the host launches all kernels at once, and the GPU pays the gap between two nodes
// (Cost.Graph). Launched one by one (eager) a kernel begins when the one before it has ended and
// the host has launched it. The host needs Cost.Launch for each and runs ahead as long as the GPU
// is busy, so that its time shows only where kernels are shorter. Between kernels that wait in the
// stream lies Cost.Stream.
//
// Times by type of operator are what a kernel takes before its work begins as a node of a graph:
// a gap of Measured is part of them, and of all constants of libraries, whose tables were measured
// in graphs. Another gap replaces that part and is never added to it.
//
// # Left out
//
// The end of the stream's queue (1,024 launches), the launch of the graph itself, and threads that
// launch side by side.
package launch
