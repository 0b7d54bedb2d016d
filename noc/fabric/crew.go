package fabric

import (
	"sync"
	"sync/atomic"
)

// A crew shares the parts of a network among workers, for one window. Each begins with
// parts of its own, whose state its core's cache holds from the window before, and then
// helps others. Which worker simulates a part changes nothing.
type workerCrew struct {
	parts    []*part
	from, to int64
	offered  bool
	next     []counter // of each worker: its next part
	busy     atomic.Int32
	mu       sync.Mutex
	ended    sync.Cond
	failed   any // a panic
}

// counter fills a line of a processor's cache, so that workers do not share it.
type counter struct {
	n atomic.Int32
	_ [60]byte
}

// run simulates a window and returns when all parts have.
func (c *workerCrew) run(parts []*part, from, to int64, offered bool, workers int) {
	if len(c.next) != workers {
		c.next = make([]counter, workers)
		c.ended.L = &c.mu
	}
	c.parts, c.from, c.to, c.offered = parts, from, to, offered
	for w := range c.next {
		c.next[w].n.Store(int32(c.first(w)))
	}
	c.busy.Store(int32(workers))
	for w := 1; w < workers; w++ {
		go c.work(w)
	}
	c.work(0)
	c.wait()
	if c.failed != nil {
		panic(c.failed)
	}
}

// spins is how often run looks for the end of the others, who are about to end, too: some
// microseconds, and then it lets others have the core.
const spins = 5000

func (c *workerCrew) wait() {
	for range spins {
		if c.busy.Load() == 0 {
			return
		}
	}
	c.mu.Lock()
	for c.busy.Load() > 0 {
		c.ended.Wait()
	}
	c.mu.Unlock()
}

// end counts a worker that has no more to do, and tells run if it is the last.
func (c *workerCrew) end() {
	if c.busy.Add(-1) == 0 {
		c.mu.Lock()
		c.ended.Signal()
		c.mu.Unlock()
	}
}

// first is the first part of a worker.
func (c *workerCrew) first(w int) int { return w * len(c.parts) / len(c.next) }

// work simulates parts until none is left.
func (c *workerCrew) work(w int) {
	defer c.end()
	defer func() {
		if e := recover(); e != nil {
			c.mu.Lock()
			c.failed = e
			c.mu.Unlock()
		}
	}()
	for k := range c.next {
		of := (w + k) % len(c.next)
		for end := c.first(of + 1); ; {
			i := int(c.next[of].n.Add(1)) - 1
			if i >= end {
				break
			}
			c.parts[i].run(c.from, c.to, c.offered)
		}
	}
}
