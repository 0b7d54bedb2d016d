package nearmem

// account is where the time of both sides went. Each side is in one state at a
// time, so its parts add up to the total.
type account struct {
	device [deviceStates]uint64 // ps
	host   [hostStates]uint64
	// blocked is the time in which results waited for room in the ring.
	blocked uint64
}

// States of the device.
const (
	deviceBusy   = iota // at least one unit works
	deviceLaunch        // no kernel: the host has not launched the next
	deviceDone          // the kernel is done, its results are not consumed
	deviceStates
)

// States of the host.
const (
	hostBusy     = iota // at least one unit works
	hostLoad            // loads results
	hostSeen            // results are there and it does not know yet
	hostDevice          // the device computes
	hostTransfer        // the device is done, results are on their way
	hostLaunch          // a launch is on its way
	hostStates
)

// advance moves the clock and books the time since the last event.
func (m *machine) advance(now uint64) {
	dt := now - m.now
	m.now = now
	if dt == 0 || m.stage == done {
		return
	}
	m.acct.device[m.deviceState()] += dt
	m.acct.host[m.hostState()] += dt
	if m.pressed() {
		m.acct.blocked += dt
	}
}

// pressed reports whether results wait that the ring has no room for.
func (m *machine) pressed() bool {
	d := &m.dev
	return d.ready.len() > 0 && m.prod.Free() < m.slots(m.current())
}

func (m *machine) deviceState() int {
	switch {
	case m.dev.running > 0:
		return deviceBusy
	case m.dev.started:
		return deviceDone
	}
	return deviceLaunch
}

func (m *machine) hostState() int {
	switch {
	case m.hst.running > 0:
		return hostBusy
	case m.stage == loading:
		return hostLoad
	case m.stage == starting:
		return hostLaunch
	case m.hst.unseen > 0:
		return hostSeen
	case m.dev.running > 0:
		return hostDevice
	}
	return hostTransfer
}

// counters are of the whole run.
type counters struct {
	launches, tasks, hostTasks         uint64
	requests, heads, polls, interrupts uint64
	results, streamed                  uint64 // bytes
	fill                               uint64 // slots, most
	deviceBusy, hostBusy               uint64 // ps of units
}

// A row is a phase that has run, for layers.csv.
type row struct {
	name       string
	start, end uint64
	from       account
	counted    counters
	ended      bool
}

func (r *row) close(m *machine) {
	var d account
	for i := range d.device {
		d.device[i] = m.acct.device[i] - r.from.device[i]
	}
	for i := range d.host {
		d.host[i] = m.acct.host[i] - r.from.host[i]
	}
	d.blocked = m.acct.blocked - r.from.blocked
	r.from, r.end, r.ended = d, m.now, true
	r.counted = counters{launches: m.count.launches - r.counted.launches, results: m.count.results - r.counted.results}
}
