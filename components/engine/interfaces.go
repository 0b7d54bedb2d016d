package engine

// A Watcher is an engine that asks Waiters who waits for whom when nothing moves any
// more. Engines of others are none, and report less.
type Watcher interface{ Watch(Waiter) }

// A Counter is an engine that counts the events it has handled.
type Counter interface{ Events() uint64 }
