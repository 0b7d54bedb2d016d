package transit_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/loss"
	"github.com/causeway-sim/causeway/memory/cxl/route"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// An end notes the calls that it gets, in lines of text; a device answers what arrives.
type end struct {
	n      *transit.Network
	name   string
	device bool
	up     int32 // route of answers
	log    *[]string
}

func (e *end) note(format string, args ...any) {
	*e.log = append(*e.log, e.name+" "+fmt.Sprintf(format, args...))
}

func (e *end) Do(x transit.Event, t int64) error {
	l := e.n.Lines.At(x.ID)
	switch x.Step {
	case transit.Reply:
		l.Up = true
		e.n.Depart(x.ID, e.up, t)
	case transit.Complete:
		e.note("completes %d after %d ps: %v", x.ID, t-l.Start, l.Parts)
		e.n.Lines.Free(x.ID)
	}
	return nil
}

func (e *end) Sent(_ *transit.Line, at link.Times) { e.note("has sent at %d", at.Start) }

func (e *end) Arrived(i int32, l *transit.Line, by *transit.Hop, at link.Times) {
	e.note("is reached at %d", at.At)
	by.Release(at.At, l.Class())
	step := transit.Complete
	if e.device {
		step = transit.Reply
	}
	e.n.Add(at.At+1000, i, map[bool]uint16{true: e.n.Device(0), false: e.n.Host(0)}[e.device], step)
}

func (e *end) Dropped(i int32, at *transit.Hop) {
	e.note("loses %d on %s", i, at.Title())
	e.n.Lines.Free(i)
}

// chain is a host and a device below a switch: two links of 1 ns each.
func chain(t *testing.T) (*transit.Network, *[]string, int32) {
	var log []string
	n := &transit.Network{Devices: 1, Tail: link.Never}
	device, host := &end{n: n, name: "device", device: true, log: &log}, &end{n: n, name: "host", log: &log}
	n.Sinks, n.Dropper, n.Ready = []transit.Sink{device, host}, host, transit.NewSet(2)
	between := &transit.Switch{Latency: 70_000}
	cfg := link.DefaultConfig()
	cfg.Latency = 1000
	for i, ends := range [][2]*transit.Switch{{nil, between}, {between, nil}} {
		require.NoError(t, n.AddHop(&transit.Hop{Latency: 1000, Ends: ends, Names: [2]string{fmt.Sprint(i), fmt.Sprint(i + 1)}}, cfg))
	}
	n.Seal()
	down := n.Book.Add([]route.Leg{route.Down(0), route.Down(1)})
	device.up = n.Book.Add([]route.Leg{route.Up(1), route.Up(0)})
	return n, &log, down
}

// One line there and back: its parts are the stages, and nothing is left behind.
func TestThereAndBack(t *testing.T) {
	n, log, down := chain(t)
	i, l := n.Lines.New()
	l.Begin(0)
	n.Depart(i, down, 0)
	require.NoError(t, n.Run(link.Never-1))
	require.Len(t, *log, 5)
	require.Equal(t, "host has sent at 0", (*log)[0])
	require.Contains(t, (*log)[4], "host completes 0")
	require.EqualValues(t, 4000, l.Parts[transit.Wire])
	require.EqualValues(t, 140_000, l.Parts[transit.Switching])
	sum := int64(0)
	for _, v := range l.Parts {
		sum += v
	}
	require.Equal(t, l.Mark-l.Start, sum)
	for _, h := range n.Hops {
		require.NoError(t, h.Settled())
	}
	require.True(t, n.Lines.Idle())
	require.EqualValues(t, link.Never, n.Schedule.Next())
}

// A line that is in the switch, or arrives there, when the link after it is lost is
// dropped; those before the loss have passed, and what a lost line held is free again.
func TestLoss(t *testing.T) {
	n, log, down := chain(t)
	p := &loss.Plan{Network: n, Refill: func(int64) error { t.Fatal("nothing to fill"); return nil }}
	p.Lose(n.Hops[1], 40_000)
	n.Before = p
	require.EqualValues(t, 40_000, p.Next())
	i, l := n.Lines.New()
	l.Begin(0)
	n.Depart(i, down, 0)
	require.NoError(t, n.Run(link.Never-1))
	require.Equal(t, []string{"host has sent at 0", "host loses 0 on the link 1 to 2"}, *log)
	require.True(t, n.Hops[1].Dead())
	require.Zero(t, p.Len())
	require.NoError(t, n.Hops[0].Settled())
	require.Equal(t, n.Hops[0].Config().Credits[flit.M2SReq], n.Hops[0].CreditsOn(0, flit.M2SReq)+n.Hops[0].UnsettledOn(0, flit.M2SReq))
}
