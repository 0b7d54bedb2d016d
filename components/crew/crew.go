// Package crew shares numbered tasks among goroutines, again and again: the same tasks in each
// round, so that a worker finds in its core's cache what its tasks left there. Which worker does a
// task changes nothing if tasks are independent. No round allocates once the number of workers
// stays.
//
//	var c crew.Crew
//	c.Run(len(parts), 4, func(i int) { parts[i].run() }) // keep one func for all rounds
//
// Longest estimates what a round would take on more cores.
package crew

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Crew shares tasks among workers. Each begins with tasks of its own, and then helps others.
type Crew struct {
	tasks  int
	do     func(task int)
	next   []counter // of each worker: its next task
	busy   atomic.Int32
	mu     sync.Mutex
	ended  sync.Cond
	failed any // a panic
}

// counter fills a line of a processor's cache, so that workers do not share it.
type counter struct {
	n atomic.Int32
	_ [60]byte
}

// Run calls do for each task from 0 on, by so many workers, and returns when all have ended. A
// panic of a task is raised again here.
func (c *Crew) Run(tasks, workers int, do func(task int)) {
	if len(c.next) != workers {
		c.next = make([]counter, workers)
		c.ended.L = &c.mu
	}
	c.tasks, c.do = tasks, do
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

// spins is how often Run looks for the end of the others, who are about to end, too: some
// microseconds, and then it lets others have the core.
const spins = 5000

func (c *Crew) wait() {
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

// end counts a worker that has no more to do, and tells Run if it is the last.
func (c *Crew) end() {
	if c.busy.Add(-1) == 0 {
		c.mu.Lock()
		c.ended.Signal()
		c.mu.Unlock()
	}
}

// first is the first task of a worker.
func (c *Crew) first(w int) int { return w * c.tasks / len(c.next) }

// work does tasks until none is left.
func (c *Crew) work(w int) {
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
			c.do(i)
		}
	}
}

// Longest is the time of the core that ends last, if each takes the next task when it is done with
// one. times are those of the tasks.
func Longest(times []time.Duration, cores int) time.Duration {
	busy := make([]time.Duration, cores)
	for _, d := range times {
		busy[slices.Index(busy, slices.Min(busy))] += d
	}
	return slices.Max(busy)
}
