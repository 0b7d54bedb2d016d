package player

import (
	"fmt"
	"io"
)

// Warnings implements system.Warner: doubts about a trace that could be read.
func (c *Comp) Warnings() []string {
	var out []string
	if c.feed.objects {
		out = append(out, fmt.Sprintf("%s: sizes of objects do not count here, each access is to %s at its object's line (causeway trace mrc counts sizes)", c.spec.Trace, c.spec.Bytes))
	}
	if n := c.feed.empty; n > 0 && c.feed.sized {
		out = append(out, fmt.Sprintf("%s: %d requests of 0 B are played as %s (key bytes)", c.spec.Trace, n, c.spec.Bytes))
	}
	if c.feed.fault == io.EOF && c.feed.handed == 0 && c.spec.Trace != "" { // read to its end, not cut off or yet to begin
		out = append(out, fmt.Sprintf("%s: no requests", c.spec.Trace))
	}
	if c.feed.unended == 0 {
		return out
	}
	return append(out, fmt.Sprintf("%s:%d: nothing ends the last line: if the trace was cut off there, its last request was another one", c.spec.Trace, c.feed.unended))
}
