package dram

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// A write that waits in the queues lets reads of other places be answered no sooner than a
// read command is; one of its own place is answered when it is accepted. Of a write that
// waits in the front queue it is not known which it will be.
func TestHorizonPastWaitingWrites(t *testing.T) {
	g, ok := standard.Find("hbm3")
	require.True(t, ok)
	c, err := New(DefaultConfig(g), quiet{})
	require.NoError(t, err)
	at := func(row, column uint32) (a address.Coord) {
		a[address.Row], a[address.Column] = row, column
		return a
	}
	far := min(c.latency, c.writeLatency)
	c.Push(0, 0, at(1, 1), true)
	require.Equal(t, int64(0), c.Horizon(), "its acceptance may be an answer")
	for i := range uint32(2) { // so that the write waits
		c.Run(int64(i))
		c.Push(int64(i), i+1, at(2, i), false)
	}
	c.Run(1)
	require.Equal(t, 1, c.writesHeld)
	c.Push(2, 80, at(1, 2), false)
	require.Equal(t, c.Next()+far, c.Horizon(), "of another column")
	c.Push(2, 81, at(1, 1), false)
	require.Equal(t, c.Next(), c.Horizon(), "of the same place")
	for c.Count.Forwarded == 0 {
		c.Run(c.Next())
	}
	require.Zero(t, c.front.covered)
	require.Equal(t, c.Next()+far, c.Horizon())
}

// A read that finds the queues full waits until a burst has left them, and is not tried in
// each clock.
func TestFullQueuesShutTheDoor(t *testing.T) {
	g, ok := standard.Find("hbm3")
	require.True(t, ok)
	cfg := DefaultConfig(g)
	cfg.ReadQueue = 4
	c, err := New(cfg, quiet{})
	require.NoError(t, err)
	steps := 0
	for i := range uint32(64) {
		c.Push(0, i, address.Coord{address.Column: i}, false)
	}
	for !c.Idle() {
		c.step(c.next())
		steps++
	}
	require.Equal(t, 64+64+1, steps, "an acceptance and a read each, and one activation")
}

// The horizon of a gang comes nearer by bursts that arrive alone, since the device is to be
// asked again by then, whichever call lets the gang go on before.
func TestHorizonComesNoNearer(t *testing.T) {
	s := DefaultSpec()
	s.Grade, s.Channels, s.Map = "hbm3", 1, "Ro-Ba-BG-Ra-Co-Ch"
	m, err := NewComp("Mem", engine.New(), s)
	require.NoError(t, err)
	g := m.gangs[0]
	push := func(at int64, row, column uint32, isWrite bool) {
		i := m.requests.Take()
		m.requests.At(i).left = 1000
		m.push(g, at, i, &address.Coord{address.Row: row, address.Column: column}, isWrite)
	}
	push(0, 1, 0, false)
	push(1, 2, 1, true)
	g.serve(1)
	for i := range uint32(8) {
		push(2, 1, i, false)
	}
	g.serve(2)
	push(60, 2, 1, false)
	before := g.horizon
	for clock := int64(3); clock < before; clock++ {
		g.serve(clock)
		require.GreaterOrEqual(t, g.horizon, before, "at clock %d", clock)
	}
}
