package deadlock

import (
	"github.com/causeway-sim/causeway/noc/routing"
)

import "github.com/causeway-sim/causeway/noc/topology"

// choices is a View that answers every question in every way, one run of Next
// after the other: a queue is empty or endless, a draw is each of its values.
type choices struct {
	router   int
	script   []int // answers
	of       []int // number of answers to each question
	asked    int
	promised bool // something was said to be ready
	sensed   bool // the state of a router was asked for
	beyond   bool // that of a router in another group
	groups   topology.Grouped
	exact    bool // no question is answered together with others
}

// endless is longer than any threshold, and short enough to be weighed with hop
// counts.
const endless = 1 << 24

func (c *choices) reset() { c.script, c.of, c.asked = c.script[:0], c.of[:0], 0 }

// advance moves on to the next combination of answers, false after the last.
func (c *choices) advance() bool {
	c.script, c.of = c.script[:c.asked], c.of[:c.asked]
	c.asked = 0
	for i := len(c.script) - 1; i >= 0; i-- {
		if c.script[i]++; c.script[i] < c.of[i] {
			c.script, c.of = c.script[:i+1], c.of[:i+1]
			return true
		}
	}
	return false
}

// Together implements Exhaustive.
func (c *choices) Together() bool { return !c.exact }

// Pick implements Exhaustive.
func (c *choices) Pick(n int, fit func(i int) bool) (int, bool) {
	i := c.state(n + 1)
	ok := i < n && fit(i)
	c.promised = c.promised || ok
	return i, ok
}

// Intn implements View.
func (c *choices) Intn(n int) int {
	if c.asked == len(c.script) {
		c.script, c.of = append(c.script, 0), append(c.of, n)
	}
	c.asked++
	return c.script[c.asked-1]
}

// Router implements View, as all below.
func (c *choices) Router() int             { return c.router }
func (c *choices) Queue(int) int           { return c.state(2) * endless }
func (c *choices) QueueClass(int, int) int { return c.state(2) * endless }
func (c *choices) Rate(int) int            { return c.state(2) * routing.RateWindow }

// Flying is a part of a queue that is empty or endless anyway.
func (c *choices) Flying(int) int {
	c.sensed = true
	return 0
}

func (c *choices) Remote(router, _ int) int {
	c.ask(router)
	return c.state(2) * endless
}

func (c *choices) Notice(router, _ int) bool {
	c.ask(router)
	return c.state(2) == 1
}

// ask records the router whose state is read.
func (c *choices) ask(router int) {
	if c.groups != nil && c.groups.Group(router) != c.groups.Group(c.router) {
		c.beyond = true
	}
}

// state answers a question about a router.
func (c *choices) state(n int) int {
	c.sensed = true
	return c.Intn(n)
}

func (c *choices) Ready(int, int) bool {
	yes := c.state(2) == 1
	c.promised = c.promised || yes
	return yes
}

func (c *choices) Capacity(topology.Class) int { return 1 << 10 }
func (c *choices) Latency(topology.Class) int  { return 1 }
