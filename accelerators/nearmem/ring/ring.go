// Package ring is the flow control of a ring of slots in host memory. A device writes records
// into it in order, and the host frees them out of order.
//
// The device has a Producer and the host a Consumer, which share no state. A position counts
// slots from the beginning and never wraps; position p is slot p modulo the number of slots. The
// host releases records in any order. Its head is the position before which all records are
// released. The device may learn of a head late: its copy is never ahead of the host's, so
// Producer.Free never exceeds the room in the ring.
//
//	at, ok := device.Take(3)     // write three slots at the tail
//	host.Release(at, 3)          // consumed, maybe before earlier ones
//	device.Hear(host.Head())     // some time later
//
// Left out: the bytes in the slots, and time.
//
// Sources: the ring of AXLE, arXiv 2512.04449 (gap-aware payload ring, heads
// returned by stores, stale heads are conservative); positions that never wrap are
// RFC 9293's sequence numbers in 64 bits.
package ring

import "fmt"

// A Producer is the device's side. The zero value is a ring without slots.
type Producer struct {
	slots, tail, head int64 // head is the last one heard of
}

// NewProducer returns the writing side of an empty ring.
func NewProducer(slots int64) Producer { return Producer{slots: slots} }

// Slots returns the size of the ring.
func (p *Producer) Slots() int64 { return p.slots }

// Free returns the slots that may be written, by the last head heard.
func (p *Producer) Free() int64 { return p.slots - (p.tail - p.head) }

// Take reserves n slots and returns the position of the first. ok is false, and nothing changes,
// if n is below 1 or above Free.
func (p *Producer) Take(n int64) (at int64, ok bool) {
	if n < 1 || n > p.Free() {
		return 0, false
	}
	at = p.tail
	p.tail += n
	return at, true
}

// Hear receives a head of the consumer. A head older than one heard before changes nothing. A
// head beyond the tail is an error: the consumer released slots that were never written.
func (p *Producer) Hear(head int64) error {
	if head > p.tail {
		return fmt.Errorf("ring: head %d is beyond the tail %d", head, p.tail)
	}
	p.head = max(p.head, head)
	return nil
}

// A Consumer is the host's side.
type Consumer struct {
	head int64
	size []int32 // by slot where a released record begins: its length; else 0
}

// NewConsumer returns the reading side of an empty ring.
func NewConsumer(slots int64) Consumer { return Consumer{size: make([]int32, slots)} }

// Head returns the position before which all slots are released.
func (c *Consumer) Head() int64 { return c.head }

// Release frees the record of n slots at a position, and moves the head to the first slot that is
// not released. Slots outside the ring, or released before, are an error, and nothing changes.
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
