package coherence

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// told collects what a machine sends.
type told struct {
	sent    []string
	fetched []int32
	stored  []uint64
}

func (s *told) Send(m Message) { s.sent = append(s.sent, m.String()) }

func (s *told) Done(int32, uint64) {}

func (s *told) Fetch(id int32, _ uint64) { s.fetched = append(s.fetched, id) }

func (s *told) Store(_, value uint64) { s.stored = append(s.stored, value) }

func (s *told) take() string {
	out := strings.Join(s.sent, "; ")
	s.sent = nil
	return out
}

// What a host answers to snoops and to D2H requests for the device's memory, by the
// state that it has, and what it keeps: CXL 3.1, tables of sections 3.2.4 and 3.3.
func TestHostAnswers(t *testing.T) {
	for _, c := range []struct {
		op    Op
		state State
		sent  string // with the Cmp of the write between
		left  State
	}{
		{BISnpInv, I, "BIRspI", I},
		{BISnpInv, S, "BIRspI", I},
		{BISnpInv, E, "BIRspI", I},
		{BISnpInv, M, "MemWr,I =7; BIRspI", I},
		{BISnpData, I, "BIRspI", I},
		{BISnpData, S, "BIRspS", S},
		{BISnpData, E, "BIRspS", S},
		{BISnpData, M, "MemWr,S =7; BIRspS", S},
		{BISnpCur, I, "BIRspI", I},
		{BISnpCur, S, "BIRspS", S},
		{BISnpCur, E, "BIRspE", E},
		{BISnpCur, M, "MemWr,A =7; BIRspE", E},
		{RdOwn, M, "MemWr,I =7; MemRdFwd,I", I},
		{RdOwn, S, "MemRdFwd,I", I},
		{RdOwnNoData, E, "MemRdFwd,I", I},
		{CLFlush, M, "MemWr,I =7; MemRdFwd,I", I},
		{RdShared, M, "MemWr,S =7; MemRdFwd,S", S},
		{RdShared, E, "MemRdFwd,S", S},
		{RdAny, S, "MemRdFwd,S", S},
		{RdAny, I, "MemRdFwd,I", I},
		{RdCurr, M, "MemWr,A =7; MemRdFwd,A", E},
		{RdCurr, E, "MemRdFwd,A", E},
		{WOWrInvF, M, "MemWr,I =7; MemWrFwd,I", I},
		{WOWrInvF, S, "MemWrFwd,I", I},
	} {
		s := &told{}
		h := NewHost(0, 1, 1, s)
		if c.state != I {
			h.Cache.put(64, c.state, 7)
		}
		h.Receive(Message{Op: c.op, Addr: 64, Tag: 3})
		if c.state == M {
			h.Receive(Message{Op: Cmp, Addr: 64})
		}
		require.Equal(t, c.sent, s.take(), "%s in %s", c.op, c.state)
		require.Equal(t, c.left, h.Cache.State(64), "%s in %s", c.op, c.state)
		require.Zero(t, h.Busy())
	}
}

// What a home agent answers to every D2H request, by what its cores have.
func TestHomeAnswers(t *testing.T) {
	data := Message{Op: D2HData, Addr: 64, Value: 9}
	for _, c := range []struct {
		op     Op
		state  State
		held   bool // by the device
		then   *Message
		sent   string
		stored []uint64
		left   State // of the cores
		holds  entry
	}{
		{RdShared, I, false, nil, "GO-S; Data =5", nil, I, entry{1, false}},
		{RdShared, M, false, nil, "GO-S; Data =7", []uint64{7}, S, entry{1, false}},
		{RdAny, I, false, nil, "GO-E; Data =5", nil, I, entry{1, true}},
		{RdAny, E, false, nil, "GO-S; Data =7", nil, S, entry{1, false}},
		{RdOwn, M, false, nil, "GO-E; Data =7", []uint64{7}, I, entry{1, true}},
		{RdOwn, S, true, nil, "GO-E; Data =7", nil, I, entry{1, true}},
		{RdOwnNoData, M, false, nil, "GO-E", []uint64{7}, I, entry{1, true}},
		{RdCurr, M, false, nil, "Data =7", []uint64{7}, E, entry{}},
		{RdCurr, I, false, nil, "Data =5", nil, I, entry{}},
		{CLFlush, M, false, nil, "GO-I", []uint64{7}, I, entry{}},
		{ItoMWr, M, false, &data, "GO_WritePull", []uint64{7, 9}, I, entry{}},
		{WrInv, S, false, &data, "WritePull; GO-I", []uint64{9}, I, entry{}},
		{DirtyEvict, I, true, &data, "GO_WritePull", []uint64{9}, I, entry{}},
		{DirtyEvict, I, true, &Message{Op: D2HData, Addr: 64, Value: 9, Bogus: true}, "GO_WritePull", nil, I, entry{}},
		{CleanEvict, I, true, nil, "GO_WritePull_Drop", nil, I, entry{}},
		{CleanEvictNoData, S, true, nil, "GO-I", nil, S, entry{}},
	} {
		s := &told{}
		h := NewHome(1, 1, s)
		if c.state != I {
			h.Cache.put(64, c.state, 7)
		}
		if c.held {
			h.held[64] = entry{1, c.state == I}
		}
		h.Receive(Message{Op: c.op, Addr: 64})
		for _, id := range s.fetched {
			h.Fetched(id, 5)
		}
		if c.then != nil {
			h.Receive(*c.then)
		}
		require.Equal(t, c.sent, s.take(), "%s, cores have it in %s", c.op, c.state)
		require.Equal(t, c.stored, s.stored, "%s, cores have it in %s", c.op, c.state)
		require.Equal(t, c.left, h.Cache.State(64), "%s, cores have it in %s", c.op, c.state)
		require.Equal(t, c.holds, h.held[64], "%s, cores have it in %s", c.op, c.state)
		require.Zero(t, h.Busy())
	}
}

// What the cache of a device answers to snoops, by the state that it has.
func TestAgentAnswers(t *testing.T) {
	for _, c := range []struct {
		op    Op
		state State
		sent  string
		left  State
	}{
		{SnpInv, I, "RspIHitI", I},
		{SnpInv, S, "RspIHitSE", I},
		{SnpInv, E, "RspIHitSE", I},
		{SnpInv, M, "RspIFwdM; Data =7", I},
		{SnpData, S, "RspSHitSE", S},
		{SnpData, E, "RspSHitSE", S},
		{SnpData, M, "RspSFwdM; Data =7", S},
		{SnpCur, S, "RspVHitV", S},
		{SnpCur, E, "RspVHitV", E},
		{SnpCur, M, "RspVFwdV; Data =7", M},
	} {
		s := &told{}
		a := NewAgent(0, 1, 1, s)
		if c.state != I {
			a.Cache.put(64, c.state, 7)
		}
		a.Receive(Message{Op: c.op, Addr: 64, Tag: 3})
		require.Equal(t, c.sent, s.take(), "%s in %s", c.op, c.state)
		require.Equal(t, c.left, a.Cache.State(64), "%s in %s", c.op, c.state)
	}
}

// Messages that answer no request are bugs of the caller.
func TestUnexpected(t *testing.T) {
	require.PanicsWithValue(t, "coherence: host 2 does not expect Cmp-E for 0x40, tag 1", func() {
		NewHost(2, 1, 1, &told{}).Receive(Message{Op: CmpE, Addr: 64, Tag: 1})
	})
	require.PanicsWithValue(t, "coherence: a device does not expect BIRspI of host 1 for 0x40", func() {
		NewDevice(HDMDB, NewFilter(1, 1), 1, 0, &told{}).Receive(Message{Op: BIRspI, Host: 1, Addr: 64})
	})
	require.PanicsWithValue(t, "coherence: agent 0 does not expect GO-E for 0x40", func() {
		NewAgent(0, 1, 1, &told{}).Receive(Message{Op: GO, Meta: E, Addr: 64})
	})
	require.PanicsWithValue(t, "coherence: a home agent does not expect RspIHitI of device 0 for 0x40", func() {
		NewHome(1, 1, &told{}).Receive(Message{Op: RspIHitI, Addr: 64})
	})
}

// Every opcode has a name of its own, and its channel's.
func TestOpcodes(t *testing.T) {
	seen := map[string]bool{}
	for o := None + 1; o < ops; o++ {
		require.NotEmpty(t, o.String(), o)
		name := o.Channel().String() + " " + o.String()
		require.False(t, seen[name], name)
		seen[name] = true
	}
}

func BenchmarkShared(b *testing.B) {
	b.ReportAllocs()
	w := newWorld(HDMDB, 2, 4, NewFilter(2, 2), 0)
	for i := range b.N {
		w.open = w.open[:0]
		w.access(i%2, start{uint64(i/2%8) * 64, Access(i % 3)})
		for {
			moved := false
			for h := range w.under {
				for c := range w.under[h] {
					if len(w.under[h][c]) > 0 {
						w.do(move{h, c, 0})
						moved = true
					}
				}
			}
			for len(w.fetches) > 0 {
				w.do(move{0, -1, 0})
				moved = true
			}
			if !moved {
				break
			}
		}
	}
	require.NoError(b, w.fault)
}
