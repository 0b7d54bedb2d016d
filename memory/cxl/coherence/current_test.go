package coherence

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A read that leaves no copy (SnpCur: a host without a cache) changes nothing in
// the snoop filter, and no host loses a copy to it.
// Reference: CXL 3.1, section 3.3.6 (MemRd with SnpCur), table of BISnpCur.
func TestSnpCurLeavesNoTrace(t *testing.T) {
	const reader, sharer = 0, 1
	read := Message{Op: MemRd, Snp: SnpCur, Host: reader, Addr: 64, Tag: 5}
	for _, c := range []struct {
		name   string
		before entry     // of the filter
		own    State     // of the device's cache
		answer []Message // of the sharer to the snoop
		snoop  string
		sent   string
		stored []uint64
		after  entry
	}{
		{name: "nobody has it", sent: "Cmp; MemData =5"},
		{name: "others share it", before: entry{1 << sharer, false}, sent: "Cmp; MemData =5", after: entry{1 << sharer, false}},
		{name: "another has it exclusive", before: entry{1 << sharer, true},
			snoop: "BISnpCur", answer: []Message{{Op: BIRspE, Meta: E}}, sent: "Cmp; MemData =5", after: entry{1 << sharer, true}},
		{name: "another has modified it", before: entry{1 << sharer, true},
			snoop: "BISnpCur", answer: []Message{{Op: MemWr, Meta: E, Value: 7}, {Op: BIRspE, Meta: E}}, sent: "Cmp; Cmp; MemData =5", stored: []uint64{7}, after: entry{1 << sharer, true}},
		{name: "another has dropped it", before: entry{1 << sharer, true},
			snoop: "BISnpCur", answer: []Message{{Op: BIRspI, Meta: I}}, sent: "Cmp; MemData =5"},
		{name: "the device has it modified", own: M, sent: "Cmp; MemData =9", stored: []uint64{9}},
	} {
		s := &told{}
		d := NewDevice(HDMDB, NewFilter(1, 1), 1, 1, s)
		if c.before.sharers != 0 {
			_, _, ok := d.Filter.reserve(64, d.pinned)
			require.True(t, ok)
			d.Filter.put(64, c.before, true)
		}
		if c.own != I {
			d.Cache.put(64, c.own, 9)
		}
		d.Receive(read)
		require.Equal(t, c.snoop, s.peek(c.snoop), c.name)
		for _, m := range c.answer {
			m.Host, m.Addr, m.Tag = sharer, 64, 0
			if m.Op == MemWr {
				m.Tag = 9
			}
			d.Receive(m)
		}
		for _, id := range s.fetched {
			d.Fetched(id, 5)
		}
		require.Equal(t, c.sent, s.take(), c.name)
		require.Equal(t, c.stored, s.stored, c.name)
		require.Equal(t, c.after, d.Filter.get(64), c.name)
		require.False(t, d.Filter.Holds(reader, 64), c.name)
		if c.after.sharers == 0 {
			require.Zero(t, d.Filter.Entries(), c.name)
		}
		if c.own != I {
			require.Equal(t, E, d.Cache.State(64), "%s: what it has written down is clean, and stays", c.name)
		}
		require.Zero(t, d.Busy(), c.name)
	}
}

// It needs no place in a filter that is full, where SnpData has to wait for one.
func TestSnpCurNeedsNoPlace(t *testing.T) {
	for _, c := range []struct {
		snp       Op
		stalled   uint64
		evictions uint64
	}{{SnpCur, 0, 0}, {SnpData, 1, 1}, {SnpInv, 1, 1}} {
		s := &told{}
		d := NewDevice(HDMDB, NewFilter(1, 1), 1, 0, s)
		_, _, ok := d.Filter.reserve(64, d.pinned)
		require.True(t, ok)
		d.Filter.put(64, entry{1, true}, true)
		d.Receive(Message{Op: MemRd, Snp: c.snp, Host: 1, Addr: 128, Tag: 5})
		require.Equal(t, c.stalled, d.Count.Stalled, "%s", c.snp)
		require.Equal(t, c.evictions, d.Count.Evictions, "%s", c.snp)
		require.Equal(t, c.snp == SnpCur, len(s.fetched) == 1, "%s", c.snp)
		require.True(t, d.Filter.Holds(0, 64), "%s", c.snp)
	}
}

// peek takes what was sent if something should have been.
func (s *told) peek(want string) string {
	if want == "" {
		return ""
	}
	return s.take()
}
