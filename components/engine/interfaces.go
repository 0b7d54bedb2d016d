package engine

// A Watcher is an engine that calls its Waiters when no event is left, to report who waits for
// whom. Akita's engines are not Watchers unless they are adopted.
type Watcher interface{ Watch(Waiter) }

// A Counter is an engine that counts the events it has handled.
type Counter interface{ Events() uint64 }
