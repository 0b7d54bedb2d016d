// Package task is the one stream in which nodes say what they do: a task begins,
// passes steps, and ends. Timelines, Gantt charts, live views, logs and Akita's
// tracers read this stream and nothing else.
//
// A node holds a Source by value. Without a Stream every method of a Source is one
// comparison: nothing is counted, nothing allocates. A Stream joins the sources of a
// system and hands their events to listeners.
//
// # Tasks
//
// A task has an ID, the task that caused it (Parent), a Kind, a What within the kind,
// and a number of bytes where it moves some. The ID holds the number of the node, so
// tasks of different nodes never share one. A parent is known before its child, and
// may end before it: a tile has been computed before its results are stored. A parent
// on another node travels with the request, in memory.Hint.Task:
//
//	layer > tile > burst > access (cache) > memory (DRAM)
//
// # Causes
//
// A node may say what an interval of a task went to, and which task held it up (Explain):
// a core waits for a burst, a request for a step of its server. Only an Explainer gets
// these; without one nothing is found out. components/chain makes the chain of causes of
// one task of them.
//
// # Order
//
// Listeners get events by time, then by node, then by ID; begin before step before
// end. The order is the same under every engine: each node numbers its own tasks, and
// an instant is handed on when the engine has left it. A node reports an event at the
// current time or later (an analytic model knows its ends ahead), never earlier.
package task
