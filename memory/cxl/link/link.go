package link

import (
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// A Sink receives departures and arrivals. It may call Push, PushIO and Release; from Departed,
// of other links only. A message is valid during the call.
type Sink interface {
	// Departed is called when the header of a message is packed; the message no longer waits for
	// the link.
	Departed(m *flit.Message, at int64)
	// Arrived is called when a message is complete, its data included.
	Arrived(m *flit.Message, at Times)
	// ArrivedIO is called when a packet of CXL.io is complete.
	ArrivedIO(d flit.Direction, ref uint32, at Times)
}

// Times are those of one message, in ps.
type Times struct {
	Start int64 // of the flit with its header
	Sent  int64 // last bit of its last flit, at its first sending
	At    int64 // complete at the receiver: Sent + Latency, plus replays
}

// Counters counts the events of one direction.
type Counters struct {
	Flits    uint64 // with messages or packets, replays not counted
	Control  uint64 // with only credits and Acks
	Replayed uint64
	Frames   uint64 // RETRY.Frame, .Req and .Ack
	Wrong    uint64 // received with errors
	Replays  uint64 // began
	Busy     uint64 // ps of flits on the wire, rounded down
	Messages [flit.Classes]uint64
	Data     uint64 // bytes of lines that arrived
	IO       uint64 // bytes of packets of CXL.io that arrived
	// ReplayWait is the flit times, summed over Replays, from the start of a wrong
	// flit to the start of its replay: N of the package's doc, times Replays.
	ReplayWait float64
	// Extra is the flit times lost to the retry of the other direction, outside replays of this
	// one: its requests, and waits for Acks with a full retry buffer.
	Extra   float64
	Respent [flit.Classes]uint64 // credits spent again, see RoundTrip
	Starved [flit.Classes]uint64 // flits packed while the oldest message of a class had no credit
}

// A Link is both directions of a link.
type Link struct {
	Count [2]Counters

	half     [2]half
	num, den int64
	whole    int64 // num/den and the rest: the time of a flit
	rest     int64
	ackEvery uint64
	retries  uint64 // Config.Retry
	latency  int64  // Config.Latency
	now      int64
	soon     int64 // Due, unless stale; on a calm link, when something happens on it
	waits    int   // messages that wait or whose arrival is not reported, on a calm link
	stale    bool
	exact    bool // nothing is put off, see Due
	sink     Sink
	arrivals ArrivalSink  // of a calm link
	waste    flit.Content // of the flit that it packs
	cfg      Config
	done     incoming // the message that Sink.Arrived gets
}

// half is one direction: its sender at one end, its receiver at the other.
type half struct {
	wake     int64              // when there may be something to send
	round    int32              // turn of wake, on a calm link
	waits    int                // messages that wait, on a calm link: one, if no data are to be sent, else in the packer
	alone    bool               // one is the only message that waits, on a calm link; the packer has none
	owes     bool               // data of messages whose headers have left are to be sent, on a calm link
	wire     **stats.TimeSeries // bytes of flits; nil, or of nil: no observer wants them
	short    bool               // it waits for what the other direction brings, on a calm link
	untold   int                // those whose headers have left and whose arrival is not reported, on a calm link
	sent     uint64
	free, at int64 // the direction is free from free + at/den on
	ready    int64 // the first picosecond in which it is
	front    int64 // arrival of the first flit under way
	deadline int64 // of the answer to a request for replay; Never: none is waited for
	loud     int64 // arrival of the first flit that is not quiet
	peer     *half // the other direction
	count    *Counters
	idle     bool // at wake, nothing will be found to send
	hungry   bool // something waits for what flits of the other direction bring
	dropping bool
	way      flit.Direction
	flight   ring.Of[flying] // empty on links without errors: there the flits from expected on are under way

	oldest  uint64 // not acknowledged
	next    uint64 // to be given
	replay  uint64 // next to be sent; equal to next unless in a replay
	wrongAt int64  // start of the flit that the replay begins with
	asking  int    // RETRY.Frame to be sent before a request for the other direction; -1: none is wanted
	answer  int    // RETRY.Frame to be sent before the answer to a request; -1: none is wanted
	blocked int64  // since when the retry buffer is full; -1: it is not

	// receiver
	expected  uint64
	acked     uint64            // flits before it were acknowledged
	owed      int               // sum of unsettled
	owing     uint16            // classes of them, a bit each
	unsettled [flit.Classes]int // credits of this direction that are to go back
	open      ring.Of[incoming]

	flights []flight // under way on a calm link, by sequence number modulo its length
	buffer  []stored // by sequence number modulo its length, a power of two; grows up to Config.Retry
	packer  *flit.Packer
	credits [flit.Classes]int
	spent   [flit.Classes]creditTimes
	one     flit.Message
	io      ring.Of[packet]
	turn    int // flits in a row of who is at it: positive cache and mem, negative io
	errors  gaps
}

type kind uint8

const (
	numbered kind = iota // has a sequence number
	frame
	request // of a replay, from seq on
	reply   // to a request
)

// stored is a flit that may have to be sent again.
type stored struct {
	flit.Content
	at         int64 // arrival, on links without errors
	first, end int64 // of the first time it was sent
	flitReturns
	quiet bool     // see flying
	io    []packet // that end in it
}

// flitReturns is the credits and Acks of a flit.
type flitReturns struct {
	ack     uint64    // flits of the other direction before it are acknowledged
	back    [4]repaid // one of a field at most
	repays  uint8     // how many of them
	control bool      // the flit has nothing else
}

// repaid is credits that go back in a flit.
type repaid struct {
	class flit.Class
	n     uint8
}

// kept is the place of a flit that is not acknowledged.
func (h *half) kept(seq uint64) *stored { return &h.buffer[seq&uint64(len(h.buffer)-1)] }

// place is that of the next flit.
func (h *half) place() *stored {
	if n := uint64(len(h.buffer)); h.next-h.oldest == n {
		old := h.buffer
		h.buffer = make([]stored, max(4, 2*n))
		for seq := h.oldest; seq < h.next; seq++ {
			*h.kept(seq) = old[seq&(n-1)]
		}
	}
	return h.kept(h.next)
}

type packet struct {
	ref   uint32
	size  int
	bytes int // left to be sent
	start int64
}

// flying is a flit in flight.
type flying struct {
	at    int64 // arrival
	start int64
	seq   uint64
	kind  kind
	wrong bool
	plain bool // numbered and not wrong
	// quiet: it brings no message to its end and makes no Ack due, only credits and Acks
	quiet bool
}

// incoming is a message whose data are not complete.
type incoming struct {
	flit.Message
	start int64
	told  bool // ahead, on a calm link
	frees bool // the receiver gives the buffer back at once
}

// New makes a link. The error is that of Config.Check.
func New(cfg Config, sink Sink) (*Link, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	l := &Link{cfg: cfg, sink: sink, soon: Never}
	l.num, l.den = cfg.period()
	l.whole, l.rest = l.num/l.den, l.num%l.den
	l.ackEvery, l.retries = uint64(cfg.AckEvery), uint64(cfg.Retry)
	l.latency = cfg.Latency
	for d := range l.half {
		h := &l.half[d]
		h.peer, h.count, h.way = &l.half[1-d], &l.Count[d], flit.Direction(d)
		classes := flit.Direction(d)
		if cfg.Both {
			classes = flit.Either
		}
		h.packer = flit.NewPacker(cfg.Mode, classes, cfg.Limits)
		h.credits = cfg.Credits
		h.packer.Credits = &h.credits
		h.wake, h.deadline, h.loud, h.front = Never, Never, Never, Never
		h.asking, h.answer, h.wrongAt, h.blocked = -1, -1, -1, -1
		h.errors = newGaps(cfg.Wrong(flit.Direction(d)), cfg.Seed, uint64(d))
		l.exact = l.exact || h.errors.on
	}
	return l, nil
}

// Exact postpones nothing: Due is Next. It must be the first call.
func (l *Link) Exact() { l.exact, l.stale = true, true }

// Config returns the configuration.
func (l *Link) Config() Config { return l.cfg }

// Push adds a message at time now, in the direction of its class. In Push, PushIO and Release no
// Run has passed now, and the caller calls Next before it runs further.
func (l *Link) Push(now int64, m flit.Message) { l.PushOn(m.Class.Direction(), now, m) }

// PushOn is Push in a direction, for a link with Both.
func (l *Link) PushOn(d flit.Direction, now int64, m flit.Message) {
	h := &l.half[d]
	h.packer.Push(m)
	l.rouse(h, now)
}

// rouse lets a direction look for something to send.
func (l *Link) rouse(h *half, now int64) {
	if h.idle { // it would have looked before in vain
		h.wake, h.idle = now, false
	}
	h.wake = min(h.wake, now)
	if t := max(h.wake, h.ready); t < l.soon {
		l.soon = t
	}
}

// PushIO adds a packet of CXL.io of so many bytes, see flit.Mode.IOSize.
func (l *Link) PushIO(now int64, d flit.Direction, bytes int, ref uint32) {
	h := &l.half[d]
	h.io.Push(packet{ref: ref, size: bytes, bytes: bytes, start: -1})
	l.rouse(h, now)
}

// Release frees the buffer of a received message, so that its credit returns.
func (l *Link) Release(now int64, c flit.Class) { l.ReleaseOn(c.Direction(), now, c) }

// ReleaseOn is Release of a message of direction d, for a link with Both.
func (l *Link) ReleaseOn(d flit.Direction, now int64, c flit.Class) {
	h := &l.half[d]
	h.unsettled[c]++
	h.owing |= 1 << c
	h.owed++
	l.rouse(&l.half[1-d], now)
}

// Waiting returns the messages of a class that are not sent.
func (l *Link) Waiting(c flit.Class) int { return l.WaitingOn(c.Direction(), c) }

// WaitingOn is Waiting in one direction.
func (l *Link) WaitingOn(d flit.Direction, c flit.Class) int {
	h := &l.half[d]
	if h.alone && h.one.Class == c {
		return 1
	}
	return h.packer.Queued(c)
}

// Unsettled returns the credits of a class that are released and have not returned.
func (l *Link) Unsettled(c flit.Class) int { return l.UnsettledOn(c.Direction(), c) }

// UnsettledOn is Unsettled of one direction.
func (l *Link) UnsettledOn(d flit.Direction, c flit.Class) int {
	h, back := &l.half[d], &l.half[1-d]
	n := h.unsettled[c]
	for seq := back.expected; seq < back.next; seq++ {
		s := back.returnsOf(seq)
		for _, r := range s.back[:s.repays] {
			if r.class == c {
				n += int(r.n)
			}
		}
	}
	return n
}

// returnsOf is the content of a flit in flight.
func (h *half) returnsOf(seq uint64) *flitReturns {
	if len(h.flights) > 0 {
		return &h.flown(seq).flitReturns
	}
	return &h.kept(seq).flitReturns
}

// Credits returns the sender's credits of a class.
func (l *Link) Credits(c flit.Class) int { return l.CreditsOn(c.Direction(), c) }

// CreditsOn is Credits of one direction.
func (l *Link) CreditsOn(d flit.Direction, c flit.Class) int { return l.half[d].credits[c] }

// Next returns the time of the next event without further calls.
func (l *Link) Next() int64 {
	t := int64(Never)
	for d := range l.half {
		h := &l.half[d]
		t = min(t, h.front, h.deadline, max(h.wake, h.ready))
	}
	return t
}

// Due is like Next, for callers of RunDue: it skips flits with only credits and Acks that no
// message waits for. Times of messages are the same.
func (l *Link) Due() int64 {
	if l.stale {
		l.stale = false
		if l.exact {
			l.soon = l.Next()
		} else {
			l.soon = min(l.half[0].due(), l.half[1].due())
		}
	}
	return l.soon
}

// due is Due of a direction.
func (h *half) due() int64 {
	t := min(h.loud, h.deadline)
	if h.peer.hungry {
		t = min(t, h.front)
	}
	if !h.idle {
		t = min(t, max(h.wake, h.ready))
	}
	return t
}

// Run simulates up to and including time until. At equal times arrivals precede departures, and
// the direction to the device precedes that to the host.
func (l *Link) Run(until int64) {
	for {
		t := l.Next()
		if t > until {
			return
		}
		l.step(t)
	}
}

// RunDue is like Run, but postpones flits without messages, and returns Due. A later Run
// simulates them.
func (l *Link) RunDue(until int64) int64 {
	t := l.Due()
	for ; t <= until; t = l.Due() {
		l.step(t)
	}
	return t
}

// step does what is due at t.
func (l *Link) step(t int64) {
	l.now, l.stale = t, true
	down, up := &l.half[flit.Down], &l.half[flit.Up]
	if down.front <= t {
		l.take(down, t)
	}
	if up.front <= t {
		l.take(up, t)
	}
	if h := down; h.deadline <= t || h.wake <= t && h.ready <= t {
		l.give(h, t)
	}
	if h := up; h.deadline <= t || h.wake <= t && h.ready <= t {
		l.give(h, t)
	}
}

// take has flits of a direction arrive. There is one.
func (l *Link) take(h *half, t int64) {
	if !l.exact {
		l.takeCalm(h, t)
		return
	}
	for h.front <= t {
		f := h.flight.At(0)
		h.flight.Drop()
		if h.front = Never; h.flight.Len() > 0 {
			h.front = h.flight.At(0).at
		}
		if f.plain && f.seq == h.expected && !h.dropping && h.wrongAt < 0 {
			l.accept(h, f.seq)
		} else {
			l.arrive(h, *f)
		}
	}
	if h.loud <= t {
		h.listen()
	}
}

// takeCalm is take on a link without errors: all flits arrive as they were sent.
func (l *Link) takeCalm(h *half, t int64) {
	for h.front <= t {
		l.accept(h, h.expected)
		if h.front = Never; h.expected < h.next {
			h.front = h.kept(h.expected).at
		}
	}
	if h.loud > t {
		return
	}
	h.loud = Never
	for seq := h.expected; seq < h.next; seq++ {
		if s := h.kept(seq); !s.quiet {
			h.loud = s.at
			return
		}
	}
}

// give has a flit of a direction depart.
func (l *Link) give(h *half, t int64) {
	if h.deadline <= t {
		h.deadline = Never
		l.requestReplay(h)
	}
	switch {
	case h.wake > t || h.ready > t:
	case h.idle:
		h.wake = Never
	default:
		l.depart(h, t)
	}
}

// listen finds the first flit in flight that is not quiet.
func (h *half) listen() {
	h.loud = Never
	for i := range h.flight.Len() {
		if f := h.flight.At(i); !f.quiet {
			h.loud = f.at
			return
		}
	}
}
