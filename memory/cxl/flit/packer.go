package flit

import (
	"math/bits"

	"github.com/causeway-sim/causeway/components/ring"
)

// A Packer packs the messages of one direction into flits. A Packer packs by the rules of the
// package doc.
//
// A Packer allocates nothing once its queues have grown.
type Packer struct {
	// Credits, if not nil, are the credits by class; a header takes one of its class.
	Credits *[Classes]int

	mode      Mode
	direction Direction
	limits    Limits
	first     Class
	end       Class
	queues    [Classes]ring.Of[waiting]
	classes   uint16 // with messages in their queues, a bit each
	waiting   int
	data      ring.Of[rest]
	owed      int // slots of data whose headers are sent
	order     uint64
	most      [Classes]int // messages that may go into a group of slots
	left      [Classes]int // of them, those that still may
}

type waiting struct {
	order uint64
	Message
}

// rest is a line that is being sent.
type rest struct {
	line  *Line
	next  uint8 // slot
	slots uint8
}

// NewPacker makes a packer of one direction.
func NewPacker(m Mode, d Direction, l Limits) *Packer {
	p := &Packer{mode: m, direction: d, limits: l}
	p.first, p.end = d.classes()
	for c, n := range l {
		if p.most[c] = int(n); n == 0 {
			p.most[c] = 1 << 30
		}
	}
	return p
}

// Push adds a message, whose class must exist in the packer's direction and mode; else it panics.
// Fields that its layout does not have are dropped.
func (p *Packer) Push(m Message) {
	if m.Class < p.first || m.Class >= p.end || len(layouts[p.mode.layout()][m.Class]) == 0 {
		panic("flit: no " + m.Class.String() + " in this direction and mode")
	}
	p.queues[m.Class].Push(waiting{p.order, m})
	p.classes |= 1 << m.Class
	p.order++
	p.waiting++
}

// Waiting returns the messages whose headers are not sent.
func (p *Packer) Waiting() int { return p.waiting }

// Owed returns the data slots to send for headers already sent.
func (p *Packer) Owed() int { return p.owed }

// Queued returns the messages of a class whose headers are not sent.
func (p *Packer) Queued(c Class) int { return p.queues[c].Len() }

// Ready reports whether Pack would make a flit that is not empty.
func (p *Packer) Ready() bool { return p.owed > 0 || p.waiting > 0 && p.payable() }

// payable reports whether a message that waits has a credit.
func (p *Packer) payable() bool {
	if p.Credits == nil {
		return true
	}
	for b := p.classes; b != 0; b &= b - 1 {
		if p.Credits[bits.TrailingZeros16(b)] > 0 {
			return true
		}
	}
	return false
}

// Starved adds one to the count of every class with messages but without credits.
func (p *Packer) Starved(count *[Classes]uint64) {
	for b := p.classes; b != 0; b &= b - 1 {
		if c := bits.TrailingZeros16(b); p.Credits != nil && p.Credits[c] == 0 {
			count[c]++
		}
	}
}

// Pack fills f with the next flit, and reports whether it is not empty.
func (p *Packer) Pack(f *Flit) bool {
	f.reset()
	return p.pack(&f.Content, &f.Slots)
}

// Fill is like Pack, without slots.
func (p *Packer) Fill(c *Content) bool {
	c.Reset()
	if p.mode <= Flit256 && (p.waiting == 0 || p.waiting == 1 && p.owed == 0) {
		return p.fillOne(c)
	}
	return p.pack(c, nil)
}

// fillOne is Fill if at most one message waits, or none after the data of others, in modes whose
// first slot takes any message: the message takes that slot, and its data the next ones.
func (p *Packer) fillOne(f *Content) bool {
	if !p.Ready() {
		return false
	}
	room := p.mode.Slots() - 1
	if p.waiting == 1 {
		c := Class(bits.TrailingZeros16(p.classes))
		p.left[c] = 1
		p.send(f, c)
	} else if p.mode == Flit68 && p.owed > room {
		f.AllData = true
		room++
	}
	for n := min(room, p.owed); n > 0; {
		r := p.data.At(0)
		k := min(int(r.slots-r.next), n)
		r.next += uint8(k)
		p.owed -= k
		n -= k
		if r.next == r.slots {
			p.data.Pop()
			f.Finished++
		}
	}
	return true
}

// Alone is like Push and Fill for a message when no other waits and Owed is 0, in a mode whose
// first slot takes any message. It reports whether the whole message is in the flit. It does not
// check credits.
func (p *Packer) Alone(m *Message) (all bool) {
	n, room := m.Slots(), p.mode.Slots()-1
	if n <= room {
		return true
	}
	p.data.Push(rest{line: m.Line, next: uint8(room), slots: uint8(n)})
	p.owed += n - room
	return false
}

// places are the slots of a flit, nil if the caller does not need them.
type places = *[maxSlots]Slot

func (p *Packer) pack(f *Content, s places) bool {
	if !p.Ready() {
		return false
	}
	slots := p.mode.Slots()
	if p.mode == Flit68 && p.owed >= slots {
		f.AllData = true
		for i := range slots {
			p.dataSlot(f, s, i)
		}
		return true
	}
	for i := range slots {
		if p.waiting == 0 && p.owed == 0 {
			break
		}
		if i == 0 || p.mode.group(i) != p.mode.group(i-1) {
			p.left = p.most
		}
		shape := p.mode.shape(i)
		if shape == shapeG && p.owed > 0 {
			p.dataSlot(f, s, i)
			continue
		}
		p.headerSlot(f, s, i, shape)
	}
	return true
}

func (p *Packer) dataSlot(f *Content, s places, i int) {
	r := p.data.At(0)
	if s != nil {
		s[i] = Slot{Kind: Data, Line: r.line, Chunk: r.next}
		if r.next == 4 {
			s[i] = Slot{Kind: Enables, Line: r.line}
		}
	}
	r.next++
	p.owed--
	if r.next == r.slots {
		p.data.Pop()
		f.Finished++
	}
}

// can is how many messages of a class may be sent now.
func (p *Packer) can(c Class) int {
	n := min(p.queues[c].Len(), p.left[c])
	if p.Credits != nil {
		n = min(n, p.Credits[c])
	}
	return n
}

// ahead bounds the slots of data whose headers are sent: without a bound, slots
// that cannot hold data would let headers run away from their data.
//
// assumption: the bound is not of the specification. It lets four lines with byte
// enables begin after a rollover of three slots.
const ahead = 23

// fits reports whether the data of the first message of a class may follow: not
// too many are owed, and it agrees with the flit about byte enables, which all
// messages of a 68 B flit have or none.
func (p *Packer) fits(f *Content, c Class) bool {
	if !c.HasData() {
		return true
	}
	if p.owed+p.queues[c].At(0).Slots() > ahead {
		return false
	}
	if p.mode != Flit68 {
		return true
	}
	for i := range f.Messages {
		if f.Messages[i].Class.HasData() {
			return f.BE == (p.queues[c].At(0).Flags&ByteEnables != 0)
		}
	}
	return true
}

// headerSlot fills a slot with messages.
func (p *Packer) headerSlot(f *Content, s places, i, shape int) {
	if p.waiting == 0 {
		return
	}
	list := formats[p.mode][p.direction][shape]
	if p.classes&(p.classes-1) == 0 {
		p.alone(f, s, i, shape)
		return
	}
	var can [Classes]int
	oldest, order := Classes, ^uint64(0)
	for b := p.classes; b != 0; b &= b - 1 {
		c := Class(bits.TrailingZeros16(b))
		n := p.can(c)
		if n == 0 || !p.fits(f, c) {
			continue
		}
		can[c] = n
		if o := p.queues[c].At(0).order; o < order && carries(list, c) {
			oldest, order = c, o
		}
	}
	if oldest == Classes {
		return
	}
	best, most := 0, -1
	for k := range list {
		g := &list[k]
		if g.count[oldest] == 0 {
			continue
		}
		weight := 0
		if i == 0 && oldest == S2MNDR && g.count[S2MNDR] == 2 && p.pairs(can[S2MNDR], can[S2MDRS]) {
			weight = 1 << 12 // before all others
		}
		for c := p.first; c < p.end; c++ {
			if g.count[c] > 0 {
				weight += 8 * min(int(g.count[c]), can[c]) * sizes[p.mode][c]
			}
		}
		weight += min(int(g.count[oldest]), can[oldest]) // among equals its own class
		if weight > most {
			best, most = k, weight
		}
	}
	p.fill(f, s, i, &list[best])
}

// alone is headerSlot where all messages that wait are of one class: the format that
// carries the most of them, the first of several.
func (p *Packer) alone(f *Content, s places, i, shape int) {
	c := Class(bits.TrailingZeros16(p.classes))
	n := p.can(c)
	if n == 0 || !p.fits(f, c) {
		return
	}
	list := formats[p.mode][p.direction][shape]
	best, most := 0, 0
	for k := range list {
		if x := min(int(list[k].count[c]), n); x > most {
			best, most = k, x
		}
	}
	if most > 0 {
		p.fill(f, s, i, &list[best])
	}
}

// pairs reports whether two NDR get slot 0 of a 68 B flit alone: a later slot holds three DRS,
// slot 0 only two. Two NDR and three lines then take 14 slots; with a DRS next to each NDR in
// slot 0 they take 14.5. With as many NDR as DRS waiting there is no gain, since a flit takes two
// of them.
func (p *Packer) pairs(ndr, drs int) bool {
	return p.mode == Flit68 && ndr >= 2 && drs >= 3 && p.queues[S2MNDR].Len() < p.queues[S2MDRS].Len()
}

// sizes are the bits of messages.
var sizes [Modes][Classes]int

func init() {
	for m := range Modes {
		for c := range Classes {
			sizes[m][c] = m.Bits(c)
		}
	}
}

func carries(list []slotFormat, c Class) bool {
	for k := range list {
		if list[k].count[c] > 0 {
			return true
		}
	}
	return false
}

// fill moves messages into slot i, in the order of their places.
func (p *Packer) fill(f *Content, s places, i int, g *slotFormat) {
	first := len(f.Messages)
	for b := p.classes & g.classes; b != 0; b &= b - 1 {
		c := Class(bits.TrailingZeros16(b))
		for range g.count[c] {
			if p.can(c) == 0 || !p.fits(f, c) {
				break
			}
			p.send(f, c)
		}
	}
	if s != nil {
		s[i] = Slot{Kind: Header, Code: g.code, First: uint8(first), Count: uint8(len(f.Messages) - first)}
	}
}

// send moves the oldest message of a class into a flit.
func (p *Packer) send(f *Content, c Class) {
	q := &p.queues[c]
	f.Messages = append(f.Messages, q.At(0).Message)
	m := &f.Messages[len(f.Messages)-1]
	q.Pop()
	if q.Len() == 0 {
		p.classes &^= 1 << c
	}
	p.waiting--
	p.left[c]--
	if p.Credits != nil {
		p.Credits[c]--
	}
	if n := m.Slots(); n > 0 {
		p.data.Push(rest{line: m.Line, slots: uint8(n)})
		p.owed += n
		f.BE = p.mode == Flit68 && n == 5
	}
}
