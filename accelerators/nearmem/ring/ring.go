// Package ring is the flow control of a ring of slots in host memory, into which
// a device writes and from which the host takes out of order.
//
// The two sides share nothing: the device has a Producer, the host a Consumer.
// Positions count slots from the beginning and never wrap; a position p lies in
// slot p modulo the number of slots. What the device wrote at a position it says in
// a record; the host releases records in any order, and its head moves behind
// the released ones that follow each other, past no gap. The device learns of
// heads late. That is safe: the head it knows is never ahead of the host's, so
// it sees at most as much room as there is.
//
//	at, ok := device.Take(3)     // write three slots at the tail
//	host.Release(at, 3)          // consumed, maybe before earlier ones
//	device.Hear(host.Head())     // some time later
//
// Left out: the bytes themselves.
//
// Sources: the ring of AXLE, arXiv 2512.04449 (gap-aware payload ring, heads
// returned by stores, stale heads are conservative); positions that never wrap are
// RFC 9293's sequence numbers in 64 bits.
package ring

import "fmt"

// A Producer is the writing side. The zero value is a ring without slots.
type Producer struct {
	slots, tail, head int64 // head is the last one heard of
}

// NewProducer returns the writing side of an empty ring.
func NewProducer(slots int64) Producer { return Producer{slots: slots} }

// Slots is the size of the ring.
func (p *Producer) Slots() int64 { return p.slots }

// Free is how many slots may be written, as far as the producer knows.
func (p *Producer) Free() int64 { return p.slots - (p.tail - p.head) }

// Take reserves n slots and returns their position; false changes nothing.
func (p *Producer) Take(n int64) (at int64, ok bool) {
	if n < 1 || n > p.Free() {
		return 0, false
	}
	at = p.tail
	p.tail += n
	return at, true
}

// Hear takes note of a head that the consumer has sent. One that is older than
// another heard before says nothing new. A head beyond the tail is an error: the
// consumer released what was never written.
func (p *Producer) Hear(head int64) error {
	if head > p.tail {
		return fmt.Errorf("ring: head %d is beyond the tail %d", head, p.tail)
	}
	p.head = max(p.head, head)
	return nil
}

// A Consumer is the reading side.
type Consumer struct {
	head int64
	size []int32 // by slot where a released record begins: its length; else 0
}

// NewConsumer returns the reading side of an empty ring.
func NewConsumer(slots int64) Consumer { return Consumer{size: make([]int32, slots)} }

// Head is the position before which everything is released.
func (c *Consumer) Head() int64 { return c.head }

// Release frees the record of n slots at a position, in any order. The head
// moves as far as there is no gap. Releasing what lies outside the ring, or twice,
// is an error that changes nothing.
func (c *Consumer) Release(at, n int64) error {
	slots := int64(len(c.size))
	switch {
	case n < 1 || at < c.head || at+n > c.head+slots:
		return fmt.Errorf("ring: %d slots at %d do not lie within the %d from %d on", n, at, slots, c.head)
	case c.size[at%slots] != 0:
		return fmt.Errorf("ring: position %d is released twice", at)
	}
	c.size[at%slots] = int32(n)
	for {
		s := &c.size[c.head%slots]
		if *s == 0 {
			return nil
		}
		c.head += int64(*s)
		*s = 0
	}
}
