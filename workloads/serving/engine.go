package serving

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/units"
)

// A State is what became of a request.
type State uint8

// The states of a request.
const (
	Coming  State = iota // it has not arrived
	Waiting              // for its first step, or for another after a preemption
	Running              // it has blocks
	Held                 // it has blocks, and is computed no more: another engine fetches them
	Done                 // it has all its tokens
	Refused              // it needs more blocks than there are
	Killed               // its client went away
)

func (s State) String() string {
	return [...]string{"coming", "waiting", "running", "held", "done", "refused", "killed"}[s]
}

// A Sequence is a request and how far it is.
type Sequence struct {
	*Request
	State     State
	Computed  int // entries that are computed, or on the way
	Got       int // tokens that came
	Preempted int
	Hits      int        // tokens whose entries were found in blocks of others or its own
	Scheduled units.Time // its first step; meaningful once Begun
	First     units.Time // its first token; meaningful if Got > 0
	Last      units.Time // the last one that came
	Begun     bool

	index   int
	issued  int  // tokens that came or are on the way
	done    int  // entries of Computed whose steps have ended
	high    int  // entries that have been computed, lost ones included
	swapped int  // blocks in host memory
	lost    bool // entries that were there already are not any more
	blocks  []int32
	named   int      // blocks whose contents are known by now
	hashes  []uint64 // of full blocks, as far as they were asked for
}

// known is the tokens whose entries may be computed by now.
func (q *Sequence) known() int { return q.Prompt + min(q.issued, q.Output-1) }

// A Part is what one sequence does in a step.
type Part struct {
	Sequence *Sequence
	Tokens   int     // that are computed
	Entries  int     // keys and values before them
	Sample   bool    // a token comes out
	Blocks   []int32 // with those entries and tokens, in order
}

// Single reports whether a part computes one token, and another comes out.
func (p *Part) Single() bool { return p.Tokens == 1 && p.Sample }

// A Step is a batch.
type Step struct {
	Number int
	Parts  []Part // those that ran before, then those that were admitted
	Tokens int
	In     int    // blocks that come from host memory before it
	Out    int    // blocks that go there
	Moves  []Move // that are carried out during the step
	Left   Left   // why sequences wait that it has no place for
}

// Totals are counts of an Engine since its beginning. Tokens are those of steps that were not
// lost to a failure. Asked are tokens of sequences that were admitted without blocks, and Hits
// those of them whose entries were found; Recomputed are those of them that had been computed before.
type Totals struct {
	Steps, Tokens, Preemptions, Hits, Asked, Recomputed, In, Out uint64
	// Promoted are blocks that went to a tier before theirs, Demoted those that went to one
	// after it; Dropped are of neither: they were no longer needed when they had gone.
	Promoted, Demoted, Dropped uint64
}

// An Engine is the state of a server. It is not safe for several goroutines.
type Engine struct {
	Totals
	spec    Spec
	admits  Admission
	yields  Preemption
	all     []Sequence
	waiting []*Sequence
	running []*Sequence
	held    []*Sequence
	pool    *pool
	mover   mover
	host    int // blocks taken
	under   int // steps scheduled and not completed
	tokens  int // of them
	open    int // requests that have arrived and have not ended
}

// New makes a server to which no request has come yet.
func New(s Spec, requests []Request) (*Engine, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	e := &Engine{spec: s, admits: s.Admit.New(), yields: s.Preempt.New(), all: make([]Sequence, len(requests))}
	for i := range requests {
		if err := requests[i].check(); err != nil {
			return nil, fmt.Errorf("serving: request %d: %w", i, err)
		}
		e.all[i] = Sequence{Request: &requests[i], index: i}
	}
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

// Need is how many blocks requests take that are all there at once, each with blocks of its own.
func (s *Spec) Need(requests []Request) (blocks int) {
	for i := range requests {
		blocks += (requests[i].entries() + s.Block - 1) / s.Block
	}
	return min(blocks, MaxBlocks)
}

// blocksOf is how many blocks hold so many entries.
func (e *Engine) blocksOf(entries int) int { return (entries + e.spec.Block - 1) / e.spec.Block }

// Sequences are all requests, in the order in which New got them.
func (e *Engine) Sequences() []Sequence { return e.all }

// Sequence is request i.
func (e *Engine) Sequence(i int) *Sequence { return &e.all[i] }

// Open is how many requests have arrived and have not ended.
func (e *Engine) Open() int { return e.open }

// Running and Waiting are how many sequences run and wait.
func (e *Engine) Running() int { return len(e.running) }

// Waiting is how many sequences wait.
func (e *Engine) Waiting() int { return len(e.waiting) }

// Blocks is how many blocks have users, how many had at the most, and how many there are.
func (e *Engine) Blocks() (used, peak, all int) {
	return e.pool.used, e.pool.peak, len(e.pool.blocks)
}

// Check reports blocks that are lost or have two owners, and requests that are counted
// wrong.
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

// Arrive lets request i come. One that can never have enough blocks is refused.
func (e *Engine) Arrive(i int) State {
	q := &e.all[i]
	if q.State != Coming {
		panic(fmt.Sprintf("serving: request %d arrives and is %s", i, q.State))
	}
	if e.blocksOf(q.entries()) > len(e.pool.blocks) || !e.spec.Chunked && q.Prompt > e.spec.Tokens {
		q.State = Refused
		return Refused
	}
	q.State = Waiting
	e.open++
	e.waiting = append(e.waiting, q)
	return Waiting
}

// Kill ends a request whose client has gone. Tokens under way are dropped.
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

// Fail lets the server lose its memory, and the steps under way: sequences that ran wait
// for another turn, before those that waited. What clients have got they keep.
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

// Complete notes that the step that was scheduled first of those under way has ended, and
// returns the sequences that got a token: those that are Done or Held then got their last.
// Sequences of the step that got none and are Held have their entries again.
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
