package engine

import "github.com/sarchlab/akita/v3/sim"

// monitoredBuffer is a port's buffer as Akita's monitor looks for it: among the fields of a
// port, one of type sim.Buffer. It is for looking only; messages come in by Recv and
// leave by Retrieve.
type monitoredBuffer struct {
	sim.HookableBase
	port *Port
}

// Name is the port's name with Akita's ending for its buffer.
func (s *monitoredBuffer) Name() string { return s.port.name + ".Buf" }

// Size is the number of messages in the port.
func (s *monitoredBuffer) Size() int { return s.port.Len() }

// Capacity is the number of messages that fit.
func (s *monitoredBuffer) Capacity() int { return s.port.capacity }

// CanPush reports whether the port has room.
func (s *monitoredBuffer) CanPush() bool { return s.port.Len() < s.port.capacity }

// Peek is the oldest message, nil if there is none.
func (s *monitoredBuffer) Peek() interface{} {
	if m := s.port.Peek(); m != nil {
		return m
	}
	return nil
}

// Push panics: messages come by a connection.
func (s *monitoredBuffer) Push(interface{}) {
	panic("engine: a push into " + s.Name() + ", which only shows a port")
}

// Pop panics: the component takes messages out.
func (s *monitoredBuffer) Pop() interface{} {
	panic("engine: a pop from " + s.Name() + ", which only shows a port")
}

// Clear panics.
func (s *monitoredBuffer) Clear() {
	panic("engine: a clear of " + s.Name() + ", which only shows a port")
}
