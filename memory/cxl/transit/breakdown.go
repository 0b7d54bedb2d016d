package transit

import "github.com/causeway-sim/causeway/memory/cxl/link"

// A Part is a part of a line's latency.
type Part uint8

// The parts of a line's latency.
const (
	Host        Part = iota // core, caches, page walk; waiting for a place among the outstanding
	Port                    // bridge and protocol layers of the root port, towards the device
	LinkQueue               // for credits and for slots in flits, at all links
	Serial                  // the flits of the message, at all links
	Retry                   // replays
	Wire                    // the time of flight on all links
	Switching               // through switches, waiting for the next link not counted
	Device                  // protocol layers of the device, and its snoops of other hosts
	DeviceQueue             // waiting at the device for a place at its memory
	DRAMQueue               // from the memory's port to its queues
	DRAM                    // from the queues to the answer
	Return                  // protocol layers and bridge towards the host
	Parts
)

// PartNames are the names of the parts in metrics, and their descriptions.
var PartNames = [Parts][2]string{
	{"host", "in core, caches and page walk, and waiting for a place among the outstanding lines"},
	{"port", "in bridge and root port, towards the device"},
	{"link_queue", "waiting for credits and for slots in flits"},
	{"serialization", "in flits being sent"},
	{"retry", "lost to replays"},
	{"wire", "on the way between ports"},
	{"switch", "in switches"},
	{"device", "in protocol layers of the device"},
	{"device_queue", "in the queue of the device, waiting for a place at its memory"},
	{"dram_queue", "in front of the memory's queues"},
	{"dram_service", "in the memory, queues included"},
	{"return", "in root port and bridge, towards the host"},
}

// A Breakdown is a line's latency so far, by part, in ps.
type Breakdown struct {
	Mark  int64 // end of the parts so far
	Start int64
	Parts [Parts]int64
	Log   *[]Stay // intervals, in a run that explains tasks; else nil
}

// A Stay is an interval of a line's latency, in ps.
type Stay struct {
	Part     Part
	Link     int32 // index of the hop, for those on links; -1: none
	From, To int64
}

// note appends the interval to the log of the line.
func (b *Breakdown) note(p Part, link int32, from, to int64) {
	if to > from {
		*b.Log = append(*b.Log, Stay{p, link, from, to})
	}
}

// Begin clears the parts and starts at t.
func (b *Breakdown) Begin(t int64) { b.Start, b.Mark = t, t }

// Add adds the time from Mark to t to a part.
func (b *Breakdown) Add(p Part, t int64) {
	if b.Log != nil {
		b.note(p, -1, b.Mark, t)
	}
	b.Parts[p] += t - b.Mark
	b.Mark = t
}

// Travel divides the time up to a message's arrival into the parts of a link.
func (b *Breakdown) Travel(at *link.Times, latency int64, link int32) {
	if b.Log != nil {
		b.note(LinkQueue, link, b.Mark, at.Start)
		b.note(Serial, link, at.Start, at.Sent)
		b.note(Retry, link, at.Sent, at.At-latency)
		b.note(Wire, link, at.At-latency, at.At)
	}
	b.Parts[LinkQueue] += at.Start - b.Mark
	b.Parts[Serial] += at.Sent - at.Start
	b.Parts[Retry] += at.At - latency - at.Sent
	b.Parts[Wire] += latency
	b.Mark = at.At
}

// AddAll adds the parts of another breakdown.
func (b *Breakdown) AddAll(parts *[Parts]int64) {
	for p, v := range parts {
		if b.Log != nil {
			b.note(Part(p), -1, b.Mark, b.Mark+v)
		}
		b.Parts[p] += v
		b.Mark += v
	}
}

// AddMemory divides the time since a line was sent to a memory into queue and service. accepted
// is the time at which the memory took it into its queues, 0 if unknown.
func (b *Breakdown) AddMemory(accepted, t int64) {
	if accepted > 0 {
		b.Add(DRAMQueue, min(t, max(b.Mark, accepted)))
	}
	b.Add(DRAM, t)
}
