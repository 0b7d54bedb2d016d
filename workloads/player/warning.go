package player

import "fmt"

// Warnings implements system.Warner: what about the trace is in doubt, although it
// could be played.
func (c *Comp) Warnings() []string {
	if c.feed.unended == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s:%d: nothing ends the last line: if the trace was cut off there, its last request was another one", c.spec.Trace, c.feed.unended)}
}
