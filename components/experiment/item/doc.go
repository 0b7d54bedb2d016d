// Package item explains one layer or one request of a run: the chain of causes that leads
// from its end back to its begin, with the places on the timeline. A recorder listens to the
// tasks of all nodes and to what they say held them up; components/chain walks through them;
// the rows of layers.csv and requests.csv say where the item begins and ends, and divide what
// a layer did on its own. Results are not changed by who listens.
//
// Times are whole picoseconds. The parts sum to the latency on every level, which Explain
// checks before it returns.
package item
