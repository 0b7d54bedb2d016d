package serving

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/units"
)

// A State is the state of a request.
type State uint8

// The states of a request.
const (
	Coming  State = iota // it has not arrived
	Waiting              // for its first step, or for another after a preemption
	Running              // it has blocks
	Held                 // it has blocks and its computation has ended: another engine fetches them
	Done                 // it has all its tokens
	Refused              // it needs more blocks than there are
	Killed               // its client went away
)

func (s State) String() string {
	return [...]string{"coming", "waiting", "running", "held", "done", "refused", "killed"}[s]
}

// A Sequence is a request with its progress.
type Sequence struct {
	*Request
	State     State
	Computed  int // entries computed or in progress
	Got       int // tokens that came
	Preempted int
	Hits      int        // tokens whose entries were found in existing blocks
	Scheduled units.Time // begin of its first step; valid once Begun
	First     units.Time // its first token; valid if Got > 0
	Last      units.Time // its last token so far
	Begun     bool

	index   int
	issued  int    // tokens that came or are on the way
	done    int    // entries of Computed whose steps have ended
	high    int    // entries that have been computed, lost ones included
	swapped int    // blocks in host memory
	lost    bool   // entries that existed have been lost
	unseen  bool   // it has arrived, and the scheduler does not know of it
	step    uint64 // the first one after its arrival
	blocks  []int32
	named   int      // blocks whose contents are known by now
	hashes  []uint64 // of full blocks, as far as they were asked for
}

// known is the tokens whose entries may be computed by now.
func (q *Sequence) known() int { return q.Prompt + min(q.issued, q.Output-1) }

// A Part is the work of one sequence in a step.
type Part struct {
	Sequence *Sequence
	Tokens   int     // that are computed
	Entries  int     // keys and values before them
	Sample   bool    // it yields a token
	Blocks   []int32 // of those entries and tokens, in order
}

// Single reports whether a part computes one token and yields the next.
func (p *Part) Single() bool { return p.Tokens == 1 && p.Sample }

// A Step is a batch.
type Step struct {
	Number int
	Parts  []Part // of running sequences, then of admitted ones
	Tokens int
	In     int    // blocks read from host memory before it
	Out    int    // blocks written to host memory
	Moves  []Move // during the step
	Left   Left   // why sequences still wait

	prompts bool
}

// Totals are counts of an Engine since its start. Tokens excludes steps lost to a failure. Asked
// counts tokens of sequences admitted without blocks, Hits those of them whose entries were found,
// and Recomputed those that had been computed before.
type Totals struct {
	Steps, Tokens, Preemptions, Hits, Asked, Recomputed, In, Out uint64
	// Promoted counts blocks moved to an earlier tier, Demoted blocks moved to a later one;
	// Dropped counts moves of blocks that were freed before the move ended.
	Promoted, Demoted, Dropped uint64
}

// An Engine is the state of a server. It is not safe for concurrent use.
type Engine struct {
	Totals
	spec    Spec
	admits  Admission
	yields  Preemption
	rules   Rules
	traits  Traits
	all     []Sequence
	waiting []*Sequence
	running []*Sequence
	held    []*Sequence
	pool    *pool
	mover   mover
	host    int  // blocks taken
	wrote   int  // of them, those that no step has counted: an attempt without tokens moved them
	under   int  // steps scheduled and not completed
	tokens  int  // of them
	open    int  // requests that have arrived and have not ended
	balance bool // prompts wait for those of other engines
}

// New makes an engine for requests, of which none has arrived.
func New(s Spec, requests []Request) (*Engine, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	e := &Engine{spec: s, admits: s.Admit.New(), yields: s.Preempt.New(), rules: s.Rules.New(), all: make([]Sequence, len(requests))}
	for i := range requests {
		if err := requests[i].check(); err != nil {
			return nil, fmt.Errorf("serving: request %d: %w", i, err)
		}
		e.all[i] = Sequence{Request: &requests[i], index: i}
	}
	e.traits = e.rules.Traits()
	if err := linked(requests); err != nil {
		return nil, err
	}
	if len(s.Blocks) == 0 {
		e.spec.Blocks = []int{s.Need(requests)}
	}
	e.pool = newPool(e.spec.Blocks, s.Prefix)
	e.mover = newMover(e.pool, &e.spec)
	return e, nil
}

// Need returns the number of blocks for all requests at once, without sharing.
func (s *Spec) Need(requests []Request) (blocks int) {
	for i := range requests {
		blocks += (requests[i].entries() + s.Block - 1) / s.Block
	}
	return min(blocks, MaxBlocks)
}

// blocksOf is the number of blocks for a number of entries.
func (e *Engine) blocksOf(entries int) int { return (entries + e.spec.Block - 1) / e.spec.Block }

// Sequences returns the state of all requests, in the order of New.
func (e *Engine) Sequences() []Sequence { return e.all }

// Sequence returns the state of request i.
func (e *Engine) Sequence(i int) *Sequence { return &e.all[i] }

// Open is the number of requests that have arrived and have not ended.
func (e *Engine) Open() int { return e.open }

// Running is the number of running sequences.
func (e *Engine) Running() int { return len(e.running) }

// Waiting is the number of waiting sequences.
func (e *Engine) Waiting() int { return len(e.waiting) }

// Blocks returns the number of blocks in use, its maximum so far, and the number of all blocks.
func (e *Engine) Blocks() (used, peak, all int) {
	return e.pool.used, e.pool.peak, len(e.pool.blocks)
}

// Check returns an error if a block is lost or has two owners, or a count of requests is wrong.
func (e *Engine) Check() error {
	if err := e.pool.check(); err != nil {
		return err
	}
	users := make([]int, len(e.pool.blocks))
	open := 0
	for i := range e.all {
		q := &e.all[i]
		for _, b := range q.blocks {
			users[b]++
		}
		if len(q.blocks) > 0 && q.State != Running && q.State != Held && !(q.State == Waiting && q.Computed > 0) {
			return fmt.Errorf("request %d is %s and has %d blocks", i, q.State, len(q.blocks))
		}
		if q.State == Waiting || q.State == Running {
			open++
		}
		if q.Got > q.Output || q.issued > q.Output || q.Got > q.issued {
			return fmt.Errorf("request %d got %d of %d tokens, %d issued", i, q.Got, q.Output, q.issued)
		}
	}
	for b := range users {
		if users[b] != e.pool.blocks[b].users {
			return fmt.Errorf("block %d has %d users and counts %d", b, users[b], e.pool.blocks[b].users)
		}
	}
	if open != e.open {
		return fmt.Errorf("%d requests are open, %d are counted", open, e.open)
	}
	return nil
}

// Arrive adds request i to the queue. A request that can never have enough blocks is refused.
func (e *Engine) Arrive(i int) State {
	q := &e.all[i]
	if q.State != Coming {
		panic(fmt.Sprintf("serving: request %d arrives and is %s", i, q.State))
	}
	if e.blocksOf(q.entries()) > len(e.pool.blocks) || !e.spec.Chunked && q.Prompt > e.spec.Tokens {
		q.State = Refused
		return Refused
	}
	q.State, q.unseen, q.step = Waiting, e.traits.Polls || e.spec.Lag > 0, e.Steps
	e.open++
	e.waiting = append(e.waiting, q)
	return Waiting
}

// Kill ends a request whose client has disconnected. Tokens in progress are dropped.
func (e *Engine) Kill(i int) {
	q := &e.all[i]
	switch q.State {
	case Waiting, Running:
		e.open--
	case Held, Coming:
	default:
		return
	}
	e.drop(q)
	q.State = Killed
}

// drop takes a sequence out of the lists and gives its blocks back.
func (e *Engine) drop(q *Sequence) {
	is := func(x *Sequence) bool { return x == q }
	e.waiting = slices.DeleteFunc(e.waiting, is)
	e.running = slices.DeleteFunc(e.running, is)
	e.unhold(q)
	e.release(q)
	e.host -= q.swapped
	q.swapped = 0
}

func (e *Engine) release(q *Sequence) {
	e.pool.give(q.blocks)
	q.blocks, q.named = nil, 0
}

// Fail discards the memory of the server and the steps in progress. Running sequences wait again,
// before those that waited. Tokens that clients have received are kept.
func (e *Engine) Fail() {
	e.Tokens -= uint64(e.tokens)
	e.under, e.tokens = 0, 0
	for i := range e.all {
		q := &e.all[i]
		q.issued = q.Got
		if q.State == Waiting && q.swapped > 0 { // the steps that are lost had not computed its last entries
			q.Computed = q.done
			e.host -= q.swapped - e.blocksOf(q.done)
			q.swapped = e.blocksOf(q.done)
		}
		if q.State == Waiting && q.swapped == 0 {
			q.lost = q.lost || len(q.blocks) > 0
			q.Computed = 0
			e.release(q)
		}
	}
	for len(e.running) > 0 {
		e.preempt(e.running[len(e.running)-1], false)
	}
	e.lose()
	e.pool.reset()
}

// Complete reports the end of the oldest scheduled step, and returns the sequences that got a
// token; those that are Done or Held got their last one. Sequences of the step without a token
// that are Held have recomputed their entries.
func (e *Engine) Complete(now units.Time, s *Step) (got []*Sequence) {
	e.under--
	e.tokens -= s.Tokens
	e.arrived(s)
	for i := range s.Parts {
		p := &s.Parts[i]
		q := p.Sequence
		end := p.Entries + p.Tokens
		e.Recomputed += uint64(max(min(end, q.high)-p.Entries, 0))
		q.high = max(q.high, end)
		if end <= q.Computed { // else they were given up while the step was under way
			q.done = end
		}
		if q.again(end) {
			e.hold(q)
		}
		if !p.Sample || q.State != Running && q.State != Waiting {
			continue
		}
		if q.Got == 0 {
			q.First = now
		}
		q.Got++
		q.Last = now
		got = append(got, q)
		if q.Got == q.Output {
			if q.Keep {
				if q.State == Running { // else its blocks went while the step was under way: they are computed again
					e.hold(q)
				}
				continue
			}
			e.open--
			e.drop(q)
			q.State = Done
		}
	}
	return got
}
