package mapping

// A Token is what cores tell each other: core Core has done its share of
// operator Op.
type Token struct{ Op, Core int32 }

// A Job is one operator, or one core's share of it.
type Job struct {
	Op      int   // index in Graph.Ops
	Fused   []int // operators applied to the results on their way out, in order
	Plan    *Plan
	Waits   []Token // must have been signalled before the job starts
	Signals []Token // given when the last store of the job is answered
}

// A Program is what one core does, job after job.
type Program struct {
	Core    int
	Jobs    []Job
	Scratch int64 // bytes of scratch memory the core needs for spilled partial sums
}
