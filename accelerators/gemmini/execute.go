package gemmini

// Cycles of the array that its size does not give.
const (
	// readDelay is from the first row's read of the scratchpad to the array: the bank, four stages
	// of the read pipeline, and the register before the array.
	readDelay = 6
	// fewestRows of a step: two writes of an accumulator are at least four cycles apart.
	fewestRows = 4
	// tags of steps in the array; another step waits.
	maxTags = 6
)

// An executor feeds the array. A step is a compute together with the preload after it, a compute
// alone, or a preload alone.
type executor struct {
	queue fifo
	until int64 // the step ends
	on    bool
	pops  int
	// bank of inputs and of weights that the step reads, -1: none
	inputs, weights int
	// tail is the preload whose compute comes next.
	tail int
	tags int
}

// execute begins a step.
func (s *sim) execute() {
	x := &s.exec
	if x.on || x.queue.Len() == 0 {
		return
	}
	e := &s.station.entries[qExecute]
	first := &e[*x.queue.At(0)]
	rows, pops := 0, 0
	var inputs, preload *entry
	switch {
	case first.op == opPreload:
		if x.queue.Len() < 2 {
			return
		}
		preload, pops, rows = first, 1, fewestRows
	case x.queue.Len() >= 3 && e[*x.queue.At(1)].op == opPreload:
		inputs, preload, pops = first, &e[*x.queue.At(1)], 2
		rows = max(first.rows, fewestRows)
	default:
		inputs, pops, rows = first, 1, max(first.rows, fewestRows)
	}
	if preload != nil {
		if x.tags >= maxTags {
			return
		}
		x.tags++
		if preload.weights() {
			rows = s.m.Dim
		}
	}
	x.on, x.pops, x.until = true, pops, s.now+int64(rows)
	x.inputs, x.weights = -1, -1
	if inputs != nil {
		x.inputs = s.bank(inputs.first.lo)
	}
	if preload != nil && preload.weights() {
		x.weights = s.bank(preload.second.lo)
	}
	s.out.Busy += int64(rows)
	s.events.push(x.until, evFired, 0)
	s.changed = true
}

func (s *sim) bank(row int) int { return row / (s.m.ScratchpadRows / s.m.ScratchpadBanks) }

// fired ends a step: its compute is complete, and the results of its compute will be.
func (s *sim) fired() {
	x := &s.exec
	if x.until > s.now { // the step waited for writes of the same bank
		s.events.push(x.until, evFired, 0)
		return
	}
	x.on = false
	for ; x.pops > 0; x.pops-- {
		at := x.queue.Pop()
		if s.station.entries[qExecute][at].op == opPreload {
			x.tail = at
			continue
		}
		s.done[qExecute].Push(at)
		// down the rows, and out along the columns
		s.events.push(s.now+int64(2*s.m.Dim+1), evTag, 0)
		s.events.push(s.now+int64(readDelay+2*s.m.Dim+1), evResult, x.tail)
	}
}

// stall lengthens the step by rows that are written to a bank it reads.
func (s *sim) stall(bank, rows int) {
	if x := &s.exec; x.on && (x.inputs == bank || x.weights == bank) {
		x.until += int64(rows)
	}
}
