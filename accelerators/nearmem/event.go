package nearmem

import "github.com/causeway-sim/causeway/components/calendar"

// kind is what happens.
type kind uint8

const (
	evDeviceStart kind = iota // the launch has come
	evTask                    // a device unit has done a task
	evPrepared                // a DMA request of some results is ready to go
	evArrived                 // some results lie in the ring
	evSeen                    // the host learns of some results
	evHead                    // a head has come to the device
	evCompleted               // the host learns that the kernel is done (rp, bs)
	evLoaded                  // all results have come (rp, bs)
	evHostTask                // a host unit has done a task
	evLine                    // a request for a line has passed the device's layers (flits)
	evFirmware                // the doorbell is there (flits)
	evDoorbell                // arguments are there, the doorbell may be rung (flits)
	evPoll                    // a poll leaves the host (flits)
	evPolled                  // it is at the device (flits)
	evNothing                 // an answer that says nothing (flits)
)

// An event is one of these.
type event struct {
	value int64
	task  int32 // or a number of results
	unit  int32
	kind  kind
}

// plan lets an event happen at a time. Equal times go in the order of kinds and then
// in that of planning.
func (m *machine) plan(at uint64, e event) {
	m.planned++
	m.events.Push(calendar.Entry[event]{At: at, Order: uint64(e.kind)<<56 | m.planned, What: e})
}

// A queue is a first-in first-out list of tasks that is used again and again.
type queue struct {
	items []int32
	first int
}

func (q *queue) push(x int32) { q.items = append(q.items, x) }
func (q *queue) len() int     { return len(q.items) - q.first }
func (q *queue) peek() int32  { return q.items[q.first] }
func (q *queue) clear()       { q.items, q.first = q.items[:0], 0 }

func (q *queue) pop() int32 {
	x := q.items[q.first]
	q.first++
	if q.first == len(q.items) {
		q.clear()
	}
	return x
}
