// Package task is the stream of events in which nodes report their work: a task begins, passes
// steps, and ends. Timelines, live views, logs and Akita's tracers read this stream only.
//
//	stream := task.NewStream(engine, []task.Reporter{core, llc, mem}, listener)
//	err := engine.Run()
//	stream.Close()
//
// A node holds a Source by value. Without a Stream a method of a Source costs one comparison and
// allocates nothing. A Stream merges the sources of a system and passes their events to listeners.
// Times are Akita's, in seconds. Left out: metrics (components/stats) and the content of messages.
//
// # Tasks
//
// A task has an ID, the task that caused it (Parent), a Kind, a text (What), and the bytes that it
// moves. The ID contains the number of the node, so IDs are unique. A parent begins before its
// child and may end before it: a tile is computed before its results are stored. A request carries
// the ID of its parent on another node in memory.Hint.Task:
//
//	layer > tile > burst > access (cache) > memory (DRAM)
//
// # Causes
//
// A node may report the reason for an interval of a task, and the task that it waited for
// (Explain): a core waits for a burst, a request for a step of its server. Only an Explainer
// receives causes; without one nodes do not compute them. components/chain builds the chain of
// causes of one task from them.
//
// # Order
//
// Listeners receive events ordered by time, then node, then ID, then phase (begin, step, end). The
// order is the same under every engine: each node numbers its own tasks, and the events of an
// instant are delivered after the engine has left it. A node reports an event for the current time
// or later (an analytic model knows its ends in advance); an earlier time panics.
package task
