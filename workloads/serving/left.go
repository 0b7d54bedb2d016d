package serving

// A Left is the reason why sequences still wait when a step is scheduled.
type Left uint8

// The reasons.
const (
	None      Left = iota // none waits
	ForBlocks             // too few blocks for the next one to admit
	ForTokens             // the token budget of the step is used up
	ForPlaces             // the limit of running sequences is reached
	Lefts
)

// left is why sequences wait, after a step was filled up to so many tokens less than it may have.
func (e *Engine) left(budget int, preempted bool) Left {
	switch {
	case e.ready() == 0: // none that the scheduler knows of
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
