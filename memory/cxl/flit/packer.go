package flit

import "github.com/causeway-sim/causeway/components/ring"

// A Packer packs the messages of one direction into flits. The data of a message
// follow its header, without a gap as far as slots can hold data. A free slot goes
// to the oldest message that may take it, in the format that carries the most
// bits with it; see pairs for an exception.
//
// A Packer allocates nothing once its queues have grown.
type Packer struct {
	// Credits, if set, bound what may be sent: a message takes one of its class.
	Credits *[Classes]int

	mode      Mode
	direction Direction
	limits    Limits
	first     Class
	end       Class
	queues    [Classes]ring.Of[waiting]
	waiting   int
	data      ring.Of[rest]
	owed      int // slots of data whose headers are sent
	order     uint64
	left      [Classes]int // messages that may still go into the group of slots
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
	return p
}

// Push brings a message. Its class has to be of the packer's direction and to
// exist in its mode; what its layout cannot carry is lost.
func (p *Packer) Push(m Message) {
	if m.Class < p.first || m.Class >= p.end || len(layouts[p.mode.layout()][m.Class]) == 0 {
		panic("flit: no " + m.Class.String() + " in this direction and mode")
	}
	p.queues[m.Class].Push(waiting{p.order, m})
	p.order++
	p.waiting++
}

// Waiting is the number of messages whose headers are not sent.
func (p *Packer) Waiting() int { return p.waiting }

// Owed is the number of data slots whose headers are sent.
func (p *Packer) Owed() int { return p.owed }

// Queued is the number of messages of a class whose headers are not sent.
func (p *Packer) Queued(c Class) int { return p.queues[c].Len() }

// Ready reports whether Pack would put anything into a flit.
func (p *Packer) Ready() bool {
	if p.owed > 0 {
		return true
	}
	if p.waiting == 0 {
		return false
	}
	if p.Credits == nil {
		return true
	}
	for c := p.first; c < p.end; c++ {
		if p.queues[c].Len() > 0 && p.Credits[c] > 0 {
			return true
		}
	}
	return false
}

// Pack fills f with the next flit, and reports whether anything is in it.
func (p *Packer) Pack(f *Flit) bool {
	f.reset()
	if !p.Ready() {
		return false
	}
	slots := p.mode.Slots()
	if p.mode == Flit68 && p.owed >= slots {
		f.AllData = true
		for i := range slots {
			p.dataSlot(f, i)
		}
		return true
	}
	for i := range slots {
		if i == 0 || p.mode.group(i) != p.mode.group(i-1) {
			p.renew()
		}
		shape := p.mode.shape(i)
		if shape == shapeG && p.owed > 0 {
			p.dataSlot(f, i)
			continue
		}
		p.headerSlot(f, i, shape)
	}
	return true
}

// renew begins a group of slots.
func (p *Packer) renew() {
	for c := p.first; c < p.end; c++ {
		p.left[c] = int(p.limits[c])
		if p.left[c] == 0 {
			p.left[c] = 1 << 30
		}
	}
}

func (p *Packer) dataSlot(f *Flit, i int) {
	r := p.data.At(0)
	f.Slots[i] = Slot{Kind: Data, Line: r.line, Chunk: r.next}
	if r.next == 4 {
		f.Slots[i] = Slot{Kind: Enables, Line: r.line}
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
// enables begin behind a rollover of three slots.
const ahead = 23

// fits reports whether the data of the first message of a class may follow: not
// too many are owed, and it agrees with the flit about byte enables, which all
// messages of a 68 B flit have or none.
func (p *Packer) fits(f *Flit, c Class) bool {
	if !c.HasData() {
		return true
	}
	if p.owed+p.queues[c].At(0).Slots() > ahead {
		return false
	}
	if p.mode != Flit68 {
		return true
	}
	for _, m := range f.Messages {
		if m.Class.HasData() {
			return f.BE == (p.queues[c].At(0).Flags&ByteEnables != 0)
		}
	}
	return true
}

// headerSlot fills a slot with messages.
func (p *Packer) headerSlot(f *Flit, i, shape int) {
	if p.waiting == 0 {
		return
	}
	list := formats[p.mode][p.direction][shape]
	var can [Classes]int
	oldest, order := Classes, ^uint64(0)
	for c := p.first; c < p.end; c++ {
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
		bits := 0
		if i == 0 && oldest == S2MNDR && g.count[S2MNDR] == 2 && p.pairs(can[S2MNDR], can[S2MDRS]) {
			bits = 1 << 12 // before all others
		}
		for c := p.first; c < p.end; c++ {
			if g.count[c] > 0 {
				bits += 8 * min(int(g.count[c]), can[c]) * sizes[p.mode][c]
			}
		}
		bits += min(int(g.count[oldest]), can[oldest]) // among equals its own class
		if bits > most {
			best, most = k, bits
		}
	}
	p.fill(f, i, &list[best])
}

// pairs reports whether two NDR should have slot 0 of a 68 B flit to themselves: three
// DRS go into a slot behind it, and no more than two in slot 0. Two NDR and three
// lines take 14 slots so; with a DRS beside each NDR in slot 0 they take 14.5. Where
// as many NDR as DRS wait it does not pay, since a flit takes two of them.
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
func (p *Packer) fill(f *Flit, i int, g *slotFormat) {
	s := &f.Slots[i]
	*s = Slot{Kind: Header, Code: g.code, First: uint8(len(f.Messages))}
	for c := p.first; c < p.end; c++ {
		for range g.count[c] {
			if p.can(c) == 0 || !p.fits(f, c) {
				break
			}
			m := p.queues[c].Pop().Message
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
			f.Messages = append(f.Messages, m)
			s.Count++
		}
	}
}
