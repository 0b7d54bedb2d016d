package link_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// A leg is what a link did with a message.
type leg struct {
	ref      uint32
	departed int64
	at       link.Times
	tie      uint64 // of a calm link
}

// legs is the owner of both receivers: hold ps after a message has arrived its buffer is
// free; at once where hold is 0.
type legs struct {
	l    *link.Link
	hold int64
	calm bool
	seen []leg
	free []release
}

func (x *legs) Departed(m *flit.Message, at int64) {
	for len(x.seen) <= int(m.Ref) {
		x.seen = append(x.seen, leg{ref: uint32(len(x.seen))})
	}
	x.seen[m.Ref].departed = at
}

func (x *legs) Arrives(m *flit.Message, at link.Times, tie uint64) (frees bool) {
	x.seen[m.Ref].at, x.seen[m.Ref].tie = at, tie
	if x.hold > 0 {
		x.free = append(x.free, release{at.At + x.hold, m.Class})
	}
	return x.hold == 0
}

func (x *legs) Arrived(m *flit.Message, at link.Times) {
	x.seen[m.Ref].at, x.seen[m.Ref].tie = at, uint64(len(x.free))
	if x.hold == 0 {
		x.l.Release(at.At, m.Class)
		return
	}
	x.free = append(x.free, release{at.At + x.hold, m.Class})
}

func (x *legs) ArrivedIO(flit.Direction, uint32, link.Times) {}

// next is when the link is to be run, or a buffer is free.
func (x *legs) next() int64 {
	t := x.l.Next()
	if x.calm {
		t = x.l.Wake()
	}
	for _, r := range x.free {
		t = min(t, r.at)
	}
	return t
}

// carryOn does all up to t: links first, then buffers that are free.
func (x *legs) carryOn(t int64) {
	for n, k := x.next(), 0; n <= t && n < link.Never; n = x.next() {
		if k++; k > 100000 {
			panic("no end")
		}
		if x.calm {
			x.l.RunTo(n, 1)
		} else {
			x.l.Run(n)
		}
		for i := 0; i < len(x.free); {
			if r := x.free[i]; r.at == n {
				x.free = slices.Delete(x.free, i, i+1)
				x.release(r)
				continue
			}
			i++
		}
		if x.calm {
			x.l.RunTo(n, 2)
		} else {
			x.l.Run(n)
		}
	}
}

func (x *legs) release(r release) {
	if x.calm {
		x.l.Free(r.c.Direction(), r.at, 1, r.c)
	} else {
		x.l.Release(r.at, r.c)
	}
}

// A calm link sends each message in the picosecond in which any other does, tells the times
// at which it arrives, and has counted the same in the end.
func TestCalm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pick := func(name string, of ...int) int { return rapid.SampledFrom(of).Draw(t, name) }
		cfg := link.DefaultConfig()
		cfg.Mode = flit.Mode(pick("mode", 0, 0, 1, 2))
		cfg.Limits = flit.DefaultLimits(cfg.Mode)
		cfg.Lanes, cfg.Latency = pick("lanes", 1, 4, 16), int64(pick("latency", 0, 1, 2000, 300_000))
		cfg.AckEvery, cfg.Retry = pick("ack", 2, 3, 8), pick("retry", 9, 12, 255)
		classes := []flit.Class{flit.M2SReq, flit.M2SRwD, flit.S2MNDR, flit.S2MDRS}
		for _, c := range classes {
			cfg.Credits[c] = pick("credits", 1, 2, 7, 64)
		}
		hold := int64(pick("hold", 0, 1, 1000, 50_000))
		var both [2]*legs
		for i := range both {
			x := &legs{hold: hold, calm: i == 1}
			l, err := link.New(cfg, x)
			require.NoError(t, err)
			if x.l = l; x.calm {
				require.True(t, l.ReportAhead(x))
			}
			both[i] = x
		}
		at := int64(0)
		for ref := range uint32(rapid.IntRange(1, 80).Draw(t, "messages")) {
			at += int64(pick("gap", 0, 0, 1, 500, 1062, 1063, 20_000, 400_000))
			m := flit.Message{Class: rapid.SampledFrom(classes).Draw(t, "class"), Ref: ref}
			for _, x := range both {
				x.carryOn(at)
				if x.calm {
					x.l.PushAhead(m.Class.Direction(), at, 1, &m)
				} else {
					x.l.Push(at, m)
				}
			}
		}
		var order [2][]uint32
		for i, x := range both {
			x.carryOn(link.Never - 1)
			if x.calm {
				require.EqualValues(t, link.Never, x.l.Settle(link.Never-1))
			}
			byTime := slices.Clone(x.seen)
			slices.SortStableFunc(byTime, func(a, b leg) int { return cmp.Or(cmp.Compare(a.at.At, b.at.At), cmp.Compare(a.tie, b.tie)) })
			for k := range byTime {
				order[i] = append(order[i], byTime[k].ref)
			}
			for k := range x.seen {
				x.seen[k].tie = 0
			}
			for _, c := range classes {
				require.Zero(t, x.l.Waiting(c))
				require.Equal(t, cfg.Credits[c], x.l.Credits(c)+x.l.Unsettled(c))
			}
		}
		require.Equal(t, both[0].seen, both[1].seen)
		require.Equal(t, both[0].l.Count, both[1].l.Count)
		for c := range flit.Classes {
			for d := range flit.Either {
				require.Equal(t, both[0].l.RoundTrip(d, c), both[1].l.RoundTrip(d, c))
			}
		}
		if hold > 0 { // ties of the other are counted by what it has released
			require.Equal(t, order[0], order[1])
		}
	})
}

// A link with errors is not calm.
func TestCalmWithoutErrors(t *testing.T) {
	cfg := link.DefaultConfig()
	cfg.BER[1] = 1e-6
	x := &legs{}
	l, err := link.New(cfg, x)
	require.NoError(t, err)
	require.False(t, l.ReportAhead(x))
}
