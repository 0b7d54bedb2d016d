package player

import "fmt"

// Warnings implements system.Warner: what about the trace is in doubt, although it
// could be played.
func (c *Comp) Warnings() []string {
	var out []string
	if c.feed.objects {
		out = append(out, fmt.Sprintf("%s: sizes of objects do not count here, each access is to %s at its object's line (causeway trace mrc counts sizes)", c.spec.Trace, c.spec.Bytes))
	}
	if c.feed.unended == 0 {
		return out
	}
	return append(out, fmt.Sprintf("%s:%d: nothing ends the last line: if the trace was cut off there, its last request was another one", c.spec.Trace, c.feed.unended))
}
