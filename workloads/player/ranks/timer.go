package ranks

// A timer is something that happens in a later cycle.
type timer struct {
	cycle, order uint64
	what         timerKind
	at           token
	msg          *Message
}

type timerKind uint8

const (
	computed timerKind = iota // a computation ends
	moved                     // a load or store ends
	left                      // a message has passed its sender's interface
	passed                    // a message has passed its receiver's interface
	reduced                   // a sum or a copy of a collective is made
	arrived                   // a message of a rank to itself
)

// timers is a heap: by cycle, then in the order they were set.
type timers struct {
	heap  []timer
	order uint64
}

func (t *timers) less(i, j int) bool {
	a, b := &t.heap[i], &t.heap[j]
	return a.cycle < b.cycle || a.cycle == b.cycle && a.order < b.order
}

func (t *timers) set(x timer) {
	t.order++
	x.order = t.order
	t.heap = append(t.heap, x)
	for i := len(t.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if !t.less(i, up) {
			break
		}
		t.heap[i], t.heap[up] = t.heap[up], t.heap[i]
		i = up
	}
}

func (t *timers) pop() timer {
	top, last := t.heap[0], len(t.heap)-1
	t.heap[0] = t.heap[last]
	t.heap[last] = timer{}
	t.heap = t.heap[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= last {
			break
		}
		if c+1 < last && t.less(c+1, c) {
			c++
		}
		if !t.less(c, i) {
			break
		}
		t.heap[i], t.heap[c] = t.heap[c], t.heap[i]
		i = c
	}
	return top
}
