package gemmini

// The state machines that unroll a loop: clear the accumulators, load weights, load inputs,
// execute, store.
const (
	uClear = iota
	uWeights
	uInputs
	uExecute
	uStore
	units
)

// queueOf is the queue that a state machine's commands go to.
var queueOf = [units]uint8{qLoad, qLoad, qLoad, qExecute, qStore}

// A slot is one of the two loops that are unrolled at a time.
type slot struct {
	loop               Loop
	configured         bool
	started, completed [units]bool
}

// A unit is one state machine.
type unit struct {
	slot    int
	busy    bool
	config  bool  // its configuration comes first
	after   int64 // first cycle in which it may send
	preload bool  // execute: the preload of this step comes next
	it      [5]int
	half    int // half of the accumulators
}

// An unroller turns loops into commands.
type unroller struct {
	m     *Machine
	slots [2]slot
	head  int
	units [units]unit
	half  [units]int // half of the accumulators that the next loop of a unit takes
	used  [queues]int
}

// free says whether a loop may be configured.
func (u *unroller) free() *slot {
	for _, i := range [2]int{u.head, 1 - u.head} {
		if s := &u.slots[i]; !s.configured {
			return s
		}
	}
	return nil
}

func (u *unroller) empty() bool { return !u.slots[0].configured && !u.slots[1].configured }

// start gives every idle unit its next loop, and frees loops that all units have done.
func (u *unroller) start(now int64) (changed bool) {
	for i := range u.units {
		x := &u.units[i]
		if x.busy {
			continue
		}
		if s := &u.slots[x.slot]; s.configured && s.started[i] && !s.completed[i] {
			s.completed[i], changed = true, true
		}
	}
	if h := &u.slots[u.head]; h.configured && allTrue(&h.completed) {
		*h = slot{}
		u.head = 1 - u.head
		changed = true
	}
	for i := range u.units {
		x := &u.units[i]
		if x.busy {
			continue
		}
		at := u.head
		if u.slots[at].started[i] {
			at = 1 - at
		}
		s := &u.slots[at]
		if !s.configured || s.started[i] || !u.mayStart(s, i) {
			continue
		}
		s.started[i], changed = true, true
		*x = unit{slot: at, busy: true, preload: true, half: u.half[i], after: now + 1}
		if s.stores() {
			u.half[i] = 1 - u.half[i]
		}
		u.begin(x, s, i)
	}
	return changed
}

func allTrue(b *[units]bool) bool {
	for _, x := range b {
		if !x {
			return false
		}
	}
	return true
}

func (s *slot) stores() bool {
	if s.loop.IsConv {
		return s.loop.Conv.Output != 0
	}
	return s.loop.Matmul.C != 0
}

// mayStart: execution follows the loads, stores follow execution.
func (u *unroller) mayStart(s *slot, i int) bool {
	switch i {
	case uExecute:
		return s.started[uClear] && s.started[uWeights] && s.started[uInputs]
	case uStore:
		return s.started[uExecute]
	}
	return true
}

// begin sets a unit to its first command, or to idle where it has none.
func (u *unroller) begin(x *unit, s *slot, i int) {
	if s.loop.IsConv {
		c := &s.loop.Conv
		x.config = i <= uInputs
		switch i {
		case uClear:
			x.busy = c.Clear
		case uInputs:
			x.it[1], x.it[2] = -c.Up, -c.Left
		case uStore:
			x.busy = c.Output != 0
		}
		return
	}
	switch i {
	case uClear:
		x.busy = false
	case uStore:
		x.busy = s.loop.Matmul.C != 0
	}
}

// other says that a unit does not work on the loop of x, or has sent all of it.
func (u *unroller) other(i int, x *unit) bool { return u.units[i].slot != x.slot || !u.units[i].busy }

// full is the number of commands of a queue at which its state machines wait.
func (u *unroller) full(q uint8) bool {
	switch q {
	case qLoad:
		return u.used[q] >= u.m.Loads
	case qExecute:
		return u.used[q] >= u.m.Executes
	}
	return u.used[q] >= u.m.Stores
}

// send is the next command, of the unit with the highest priority that has one.
func (u *unroller) send(now int64) (c command, ok bool) {
	for _, i := range [3]int{uStore, uExecute, uClear} {
		if u.ready(now, i) {
			return u.take(i), true
		}
	}
	first, second := uWeights, uInputs
	w, x := &u.units[uWeights], &u.units[uInputs]
	if !u.slots[w.slot].loop.IsConv && w.busy && x.busy {
		switch {
		case w.slot != x.slot:
			if x.slot == u.head {
				first, second = uInputs, -1
			} else {
				second = -1
			}
		case !(x.it[0] > w.it[0] || w.it[0] == 0 && w.it[1] == 0):
			first, second = uInputs, -1
		default:
			second = -1
		}
	}
	for _, i := range [2]int{first, second} {
		if i >= 0 && u.ready(now, i) {
			return u.take(i), true
		}
	}
	return command{}, false
}

// ready says whether a unit has a command that may go.
func (u *unroller) ready(now int64, i int) bool {
	x := &u.units[i]
	if !x.busy || x.after > now || u.full(queueOf[i]) {
		return false
	}
	s := &u.slots[x.slot]
	if s.loop.IsConv {
		return u.readyConv(x, i)
	}
	return u.readyMatmul(x, s, i)
}

func (u *unroller) readyConv(x *unit, i int) bool {
	switch i {
	case uExecute:
		return u.other(uClear, x) && u.other(uWeights, x) && u.other(uInputs, x)
	case uStore:
		return u.other(uExecute, x)
	}
	// Loads of the next loop wait while execution waits for its own.
	e := &u.units[uExecute]
	if s := &u.slots[e.slot]; e.busy && e.slot != x.slot && s.started[uExecute] {
		return s.completed[uClear] && s.completed[uWeights] && s.completed[uInputs]
	}
	return true
}

func (u *unroller) readyMatmul(x *unit, s *slot, i int) bool {
	switch i {
	case uExecute:
		k, j, n := x.it[0], x.it[1], x.it[2]
		a, b := &u.units[uInputs], &u.units[uWeights]
		aAhead := u.other(uInputs, x) || a.it[0] > k || a.it[0] == k && a.it[1] > n
		bAhead := u.other(uWeights, x) || b.it[0] > k || a.it[0] == k && b.it[1] > j
		return aAhead && bAhead
	case uStore:
		t, e := &s.loop.Matmul, &u.units[uExecute]
		if u.other(uExecute, x) {
			return true
		}
		last := x.it[0] + min(u.blocks(t.J), t.J-x.it[0])
		return e.it[0] == t.K-1 && (e.it[1] >= last || e.it[1] == last-1 && e.it[2] > x.it[1])
	}
	return true
}

// blocks of a row that one load or store moves.
func (u *unroller) blocks(n int) int { return min(n, max(1, u.m.MaxBytes/u.m.Dim)) }

// take is the unit's command; the unit goes on.
func (u *unroller) take(i int) command {
	x := &u.units[i]
	u.used[queueOf[i]]++
	if x.config {
		x.config = false
		return command{op: opConfig, queue: qLoad}
	}
	s := &u.slots[x.slot]
	var c command
	if s.loop.IsConv {
		c = u.conv(x, &s.loop.Conv, i)
	} else {
		c = u.matmul(x, &s.loop.Matmul, i)
	}
	c.queue = queueOf[i]
	return c
}
