package serving

// A Left says why sequences are left waiting when a step is scheduled.
type Left uint8

// The reasons.
const (
	None      Left = iota // none waits
	ForBlocks             // there are no blocks for the one that is admitted next
	ForTokens             // the step has all tokens that one may have
	ForPlaces             // as many sequences run as may
	Lefts
)

// left is why sequences wait, after a step was filled up to so many tokens less than it may have.
func (e *Engine) left(budget int, preempted bool) Left {
	switch {
	case len(e.waiting) == 0:
		return None
	case preempted:
		return ForBlocks
	case len(e.running) >= e.spec.Sequences:
		return ForPlaces
	case budget == 0 || !e.spec.Chunked && e.waiting[e.next()].known() > budget:
		return ForTokens
	}
	return ForBlocks
}
