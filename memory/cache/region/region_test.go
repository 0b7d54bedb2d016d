package region_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/region"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// part is what a list makes of an access of a core to an address.
func part(l region.List, h *memory.Hint, core uint16, addr uint64) (part int, stream, bypass bool) {
	t := tagstore.Touch{Access: policy.Access{Line: addr / 64, Core: core}}
	l.Classify(h, addr, &t)
	return t.Part, t.Stream, t.NoFill
}

// The first region that fits counts; parts are the numbers of the regions with ways.
func TestClassify(t *testing.T) {
	none := 0.0
	l := region.List{
		{Kind: "weight", Stream: true}, {Cores: []int{2, 3}, Ways: 2}, {Base: 128, Size: 64, Bypass: true},
		{Ratio: &none, Bypass: true}, {Base: 256, Size: 128, Ways: 1}, {Kind: "output", Bypass: true},
		{Cores: []int{7}, Stream: true},
	}
	weight, output, other := &memory.Hint{Tensor: 1, Kind: graph.Weight}, &memory.Hint{Tensor: 1, Kind: graph.Output}, &memory.Hint{Kind: graph.Weight}
	for _, c := range []struct {
		h              *memory.Hint
		core           uint16
		addr           uint64
		part           int
		stream, bypass bool
	}{
		{nil, 0, 0, 0, false, false},
		{weight, 2, 0, 0, true, false},
		{other, 0, 0, 0, false, false}, // a hint of no tensor
		{nil, 2, 0, 1, false, false},
		{nil, 3, 128, 1, false, false},
		{nil, 1, 127, 0, false, false},
		{nil, 1, 128, 0, false, true},
		{nil, 1, 191, 0, false, true},
		{nil, 1, 192, 0, false, false},
		{nil, 1, 255, 0, false, false},
		{nil, 1, 256, 2, false, false},
		{output, 1, 383, 2, false, false},
		{output, 1, 384, 0, false, true},
		{nil, 7, 384, 0, true, false},
		{nil, 8, 384, 0, false, false},
	} {
		p, s, b := part(l, c.h, c.core, c.addr)
		require.Equal(t, c.part, p, "%+v", c)
		require.Equal(t, [2]bool{c.stream, c.bypass}, [2]bool{s, b}, "%+v", c)
	}
	touch := tagstore.Touch{NoFill: true}
	region.List{{Stream: true}}.Classify(nil, 0, &touch)
	require.True(t, touch.NoFill, "a write around stays one")
}

// The share of lines that are chosen is the ratio, and a larger ratio chooses all that a smaller one does.
func TestChosenIsTheShare(t *testing.T) {
	const lines = 100_000
	for _, stride := range []uint64{1, 2, 64, 1 << 12, 1 << 20} {
		for _, ratio := range []float64{0, 0.1, 0.6, 1} {
			n := 0
			for i := range uint64(lines) {
				if region.Chosen(i*stride, ratio) {
					n++
					require.True(t, region.Chosen(i*stride, ratio+0.05))
				}
			}
			require.InDelta(t, ratio, float64(n)/lines, 0.006, "stride %d", stride)
		}
	}
	require.False(t, region.Chosen(0, 0))
}

func newLRU(ways int) (policy.Policy, error) {
	return policy.New("lru", policy.Geometry{Sets: 2, Ways: ways, Slices: 1, Line: 64}, nil)
}

// Regions with ways are parts of the store, in their order; the rest has the other ways.
func TestPartition(t *testing.T) {
	x, err := tagstore.NewIndex(2, 1, "linear")
	require.NoError(t, err)
	var asked []int
	build := func(ways int) (policy.Policy, error) {
		asked = append(asked, ways)
		return newLRU(ways)
	}
	p, err := newLRU(8)
	require.NoError(t, err)
	c := tagstore.New(x, 8, p)
	require.NoError(t, region.List{{Ways: 2, Pin: true}, {Bypass: true}, {Ways: 1}}.Partition(c, build))
	require.Equal(t, []int{5, 2, 1}, asked)
	require.Len(t, c.Policies(), 3)
	for line := range uint64(6) { // a pinned part keeps its two lines of the set, the rest shares the first part
		c.Touch(tagstore.Touch{Access: policy.Access{Line: line * 2}, Sectors: 1, Part: 1})
	}
	for range 3 {
		for line := range uint64(9) {
			c.Touch(tagstore.Touch{Access: policy.Access{Line: 100 + line*2}, Sectors: 1})
		}
	}
	require.True(t, c.Has(0) && c.Has(2))
	require.False(t, c.Has(4))
	require.True(t, c.Uniform() == false)
	asked = nil
	p, err = newLRU(8)
	require.NoError(t, err)
	c = tagstore.New(x, 8, p)
	c.CountUnused()
	require.NoError(t, region.List{{Bypass: true}}.Partition(c, build))
	require.Empty(t, asked)
	require.True(t, c.Uniform(), "no region has ways")
	require.NoError(t, region.List{{Stream: true}}.Partition(c, build))
	require.False(t, c.Uniform(), "streams are noted")
	fails := errors.New("no policy")
	require.ErrorIs(t, region.List{{Ways: 1}}.Partition(c, func(int) (policy.Policy, error) { return nil, fails }), fails)
}

func TestCheck(t *testing.T) {
	for want, l := range map[string]region.List{
		"":                         {{Ways: 2}, {Ways: 1, Pin: true}, {Stream: true}, {Bypass: true, Size: 64, Base: 64}},
		"does nothing":             {{}},
		"does several things":      {{Ways: 1, Bypass: true}},
		"pins nothing":             {{Pin: true, Stream: true}},
		"has a base but no size":   {{Bypass: true, Base: 64}},
		"4 ways for regions leave": {{Ways: 2}, {Ways: 2}},
		"256 regions":              make(region.List, 256),
	} {
		var errs configs.Errors
		l.Check(4, configs.Value{}, &errs)
		if want == "" {
			require.NoError(t, errs.Err())
			continue
		}
		require.ErrorContains(t, errs.Err(), want)
		if len(l) < 256 {
			require.Len(t, errs, 1)
		}
	}
	var errs configs.Errors
	all := make(region.List, 255)
	for i := range all {
		all[i].Bypass = true
	}
	all.Check(4, configs.Value{}, &errs)
	require.NoError(t, errs.Err())
}
