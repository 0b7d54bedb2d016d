package inclusion_test

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/inclusion"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
)

// setup is a cache of one set of two lines, with that rule, and two caches above.
func setup(t *testing.T, rule string) (*inclusion.State, *tagstore.Store, [2]sim.Port) {
	x, err := tagstore.NewIndex(1, 1, "linear")
	require.NoError(t, err)
	p, err := policy.New("lru", policy.Geometry{Sets: 1, Ways: 2, Slices: 1, Line: 64}, nil)
	require.NoError(t, err)
	core := tagstore.New(x, 2, p)
	s := inclusion.Start(rule, core)
	require.Equal(t, rule != "none", s.Applies())
	return &s, core, [2]sim.Port{engine.NewPort(nil, "A.Bottom", 1), engine.NewPort(nil, "B.Bottom", 1)}
}

func read(line uint64) *tagstore.Touch {
	return &tagstore.Touch{Access: policy.Access{Line: line}, Sectors: 1}
}

func write(line uint64) *tagstore.Touch {
	return &tagstore.Touch{Access: policy.Access{Line: line, Write: true}, Sectors: 1, Whole: 1}
}

func recalls(s *inclusion.State) (out []inclusion.Recall) {
	for s.Recalls.Len() > 0 {
		out = append(out, s.Recalls.Pop())
	}
	return out
}

// What an inclusive cache gives up is recalled from all caches above that fetched it and have not given it up.
func TestInclusiveRecalls(t *testing.T) {
	s, _, up := setup(t, "inclusive")
	keeps := &memory.Hint{Keeps: true}
	for _, p := range up {
		o := s.Access(read(1), keeps, p)
		require.True(t, o.Counted)
		require.False(t, o.Drop)
	}
	s.Access(read(2), keeps, up[0])
	s.Access(write(2), &memory.Hint{Victim: memory.DirtyVictim}, up[0]) // has it no longer
	require.Empty(t, recalls(s))
	s.Access(read(1), &memory.Hint{}, up[1]) // a requester without Keeps is not noted
	s.Access(read(2), &memory.Hint{}, up[1])
	s.Access(read(3), &memory.Hint{}, up[1]) // line 1 goes
	require.Equal(t, []inclusion.Recall{{Line: 1, Dst: up[0]}, {Line: 1, Dst: up[1]}}, recalls(s))
	require.Equal(t, uint64(2), s.Recalled)
	s.Access(read(4), &memory.Hint{}, up[1]) // line 2 is evicted: no upper cache holds it
	require.Empty(t, recalls(s))
	s.RecallFrom(9, up[1])
	require.Equal(t, []inclusion.Recall{{Line: 9, Dst: up[1]}}, recalls(s))
	require.Equal(t, uint64(3), s.Recalled)
}

// A line that the policy keeps out must be dropped above; what comes back after a recall fills nothing.
func TestInclusiveBypass(t *testing.T) {
	s, core, up := setup(t, "inclusive")
	out := read(1)
	out.NoFill = true
	o := s.Access(out, &memory.Hint{Keeps: true}, up[0])
	require.True(t, o.Drop)
	out = read(1)
	out.NoFill = true
	require.False(t, s.Access(out, &memory.Hint{}, up[0]).Drop, "a requester that keeps nothing")
	o = s.Access(write(5), &memory.Hint{Victim: memory.RecalledDirty}, up[0])
	require.True(t, o.Bypassed)
	require.False(t, core.Has(5))
}

// A hit of a cache above takes a line out of an exclusive cache, with its changes; victims come in, and count apart.
func TestExclusive(t *testing.T) {
	s, core, up := setup(t, "exclusive")
	o := s.Access(write(1), &memory.Hint{Victim: memory.DirtyVictim}, up[0])
	require.False(t, o.Counted)
	require.True(t, core.Has(1))
	s.Access(write(2), &memory.Hint{Victim: memory.CleanVictim}, up[0])
	require.Equal(t, [2]uint64{2, 1}, [2]uint64{s.Victims, s.Clean})
	h := &memory.Hint{Keeps: true}
	o = s.Access(read(1), h, up[0])
	require.True(t, o.Hit && o.Counted && h.Dirty)
	require.False(t, core.Has(1))
	h = &memory.Hint{Keeps: true}
	require.True(t, s.Access(read(2), h, up[0]).Hit)
	require.False(t, h.Dirty)
	require.Equal(t, uint64(2), s.MovedUp)
	o = s.Access(read(3), h, up[0])
	require.False(t, o.Hit)
	require.False(t, core.Has(3), "what moves up fills nothing")
	require.Equal(t, uint64(2), s.MovedUp)
	s.Access(read(4), &memory.Hint{}, up[0])
	require.True(t, core.Has(4), "a requester that keeps nothing is as any")
	s.Access(write(6), &memory.Hint{Keeps: true}, up[0])
	require.True(t, core.Has(6), "writes stay")
	require.Empty(t, recalls(s))
}

// Drop gives a line up, says whether it has changes, and hands the recall on.
func TestDrop(t *testing.T) {
	s, core, up := setup(t, "inclusive")
	s.Access(write(1), &memory.Hint{Keeps: true}, up[1])
	s.Access(read(2), &memory.Hint{}, up[1])
	require.False(t, s.Drop(2))
	require.True(t, s.Drop(1))
	require.False(t, core.Has(1) || core.Has(2))
	require.False(t, s.Drop(1), "it is not there")
	require.Equal(t, [2]uint64{2, 1}, [2]uint64{s.Lost, s.LostDirty})
	require.Equal(t, []inclusion.Recall{{Line: 1, Dst: up[1]}}, recalls(s))
}

// Changes that come up stay in the line, or go on to the cache above, or have to go below again.
func TestCameDirty(t *testing.T) {
	s, core, up := setup(t, "none")
	core.Apply(read(1))
	require.True(t, s.CameDirty(1, nil))
	require.Equal(t, uint64(1), core.Dirty())
	require.False(t, s.CameDirty(2, &memory.Hint{Keeps: true}), "it has gone")
	s, core, _ = setup(t, "exclusive")
	s.Access(write(1), &memory.Hint{Victim: memory.CleanVictim}, up[0])
	h := &memory.Hint{Keeps: true}
	require.True(t, s.CameDirty(1, h))
	require.True(t, h.Dirty)
	require.Zero(t, core.Dirty())
	h = &memory.Hint{}
	require.True(t, s.CameDirty(1, h))
	require.False(t, h.Dirty, "the requester keeps nothing")
	require.Equal(t, uint64(1), core.Dirty())
	require.True(t, s.CameDirty(1, nil))
	require.False(t, s.CameDirty(7, nil))
}

// Changes go below; an exclusive cache below gets clean victims too.
func TestWriteBack(t *testing.T) {
	dirty, clean, none := &tagstore.Result{Evicted: true, Stale: 1}, &tagstore.Result{Evicted: true}, &tagstore.Result{}
	for _, c := range []struct {
		below, exclusive bool
		res              *tagstore.Result
		as               memory.Victim
		needed           bool
	}{
		{false, false, dirty, memory.NoVictim, true}, {false, false, clean, memory.NoVictim, false}, {false, false, none, memory.NoVictim, false},
		{true, false, dirty, memory.DirtyVictim, true}, {true, false, clean, memory.NoVictim, false},
		{true, true, dirty, memory.DirtyVictim, true}, {true, true, clean, memory.CleanVictim, true}, {true, true, none, memory.NoVictim, false},
	} {
		s := inclusion.State{Below: c.below, BelowExclusive: c.exclusive}
		as, needed := s.WriteBack(c.res)
		require.Equal(t, c.as, as, "%+v", c)
		require.Equal(t, c.needed, needed, "%+v", c)
	}
}

// Caches from the 64th on share a bit: a line of one is recalled from all of them.
func TestManyCachesAbove(t *testing.T) {
	s, _, _ := setup(t, "inclusive")
	var up []sim.Port
	for range 66 {
		up = append(up, engine.NewPort(nil, "A.Bottom", 1))
		s.Access(read(1), &memory.Hint{Keeps: true}, up[len(up)-1])
	}
	s.Drop(1)
	require.Len(t, recalls(s), 66)
	s.Access(read(1), &memory.Hint{Keeps: true}, up[64])
	s.Drop(1)
	require.Equal(t, []inclusion.Recall{{Line: 1, Dst: up[63]}, {Line: 1, Dst: up[64]}, {Line: 1, Dst: up[65]}}, recalls(s))
	s.Access(read(1), &memory.Hint{Keeps: true}, up[3])
	s.Drop(1)
	require.Equal(t, []inclusion.Recall{{Line: 1, Dst: up[3]}}, recalls(s))
}
