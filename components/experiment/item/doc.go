// Package item explains the time of one layer, request, message or step of a run: the chain of
// causes from its end back to its begin, with their times. It runs the experiment with a listener
// to all tasks and their causes, and walks them with components/chain. The rows of layers.csv and
// requests.csv give the begin and end of the item, and divide the own time of a layer. The result
// of the run is not changed.
//
// Call Explain with a Loader and a Query. Left out: many items at once, and what would make an
// item faster (package explain).
//
// Times are whole picoseconds. The parts sum to the latency on every level; Explain checks that.
// An item that the run does not have is ErrUnknown.
package item
