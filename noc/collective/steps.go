package collective

import (
	"errors"
	"fmt"
	"math"
)

// errSteps is the error of an algorithm without steps.
var errSteps = errors.New("steps has no effect: its sends belong to no steps (used by: ring, ring_bi, ring_bi_odd, ring_2d, multitree, double_binary_tree)")

// The values of Pipeline.Steps.
const (
	StepsFree    = "free"    // a send begins when its data are there
	StepsOrdered = "ordered" // and when every send of the steps before it has begun
	StepsStrict  = "strict"  // and when every send of the steps before it has ended
)

// stepped reports whether the sends of a rank keep to the order of steps.
func (p Pipeline) stepped() bool { return p.Steps == StepsOrdered || p.Steps == StepsStrict }

func (p Pipeline) checkSteps() error {
	switch p.Steps {
	case "", StepsFree:
		return nil
	case StepsOrdered, StepsStrict:
		switch {
		case p.Active > 0:
			return fmt.Errorf("active is %d and steps is %s (want active 0: a step has sends of all chunks)", p.Active, p.Steps)
		case p.Blocking:
			return fmt.Errorf("blocking has no effect with steps %s, which order the sends", p.Steps)
		}
		return nil
	}
	return fmt.Errorf("unknown steps %q (want one of: %s, %s, %s)", p.Steps, StepsFree, StepsOrdered, StepsStrict)
}

// step sets the step of the following sends in their chunk. Chunks are stride steps apart.
func (c *chunk) step(k int) {
	c.b.stepped = true
	c.b.at = int32(k + c.index*c.stride)
}

// phase sets the step, in its chunk, of the first step along lines from here on.
func (c *chunk) phase(begin int) { c.phased, c.begin = true, begin }

// mark sets the step along a line, for algorithms that count these.
func (c *chunk) mark(step int) {
	if c.phased {
		c.step(c.begin + step)
	}
}

// gatherSteps puts the steps that spread sums after all those that make them, where the
// two are apart.
func (b *builder) gatherSteps() {
	last, first := int32(-1), int32(math.MaxInt32)
	for r, ops := range b.s.Ops {
		for i := range ops {
			switch {
			case ops[i].Kind != Send:
			case b.later[r][i]:
				first = min(first, ops[i].Step)
			default:
				last = max(last, ops[i].Step)
			}
		}
	}
	for r, ops := range b.s.Ops {
		for i := range ops {
			if ops[i].Kind == Send && b.later[r][i] {
				ops[i].Step += last + 1 - first
			}
		}
	}
}

// checkSteps returns an error for an operation that waits for a later step than its own, whose
// step could not end.
func (s *Schedule) checkSteps() error {
	if s.Steps != StepsOrdered && s.Steps != StepsStrict {
		return nil
	}
	sent := map[int32]int32{} // step of each message
	for _, ops := range s.Ops {
		for i := range ops {
			if ops[i].Kind == Send {
				sent[ops[i].Tag] = ops[i].Step
			}
		}
	}
	for r, ops := range s.Ops {
		need := make([]int32, len(ops)) // the latest step that an operation waits for
		for i := range ops {
			op := &ops[i]
			for _, a := range op.After {
				need[i] = max(need[i], need[a])
			}
			switch op.Kind {
			case Send:
				if need[i] > op.Step {
					return fmt.Errorf("schedule %s: rank %d: operation %d (send) of step %d waits for step %d", s.Name, r, i, op.Step, need[i])
				}
				need[i] = op.Step
			case Recv, Reduce:
				need[i] = max(need[i], sent[op.Tag])
			}
		}
	}
	return nil
}
