package comm

import (
	"fmt"
	"slices"
)

// A groupPlace is the index of a group in the resized program.
type groupPlace struct {
	first     int32 // its index in the first copy of the ranks
	more      int32 // its index in the second, others after it; 0: one group for all copies
	was, size int   // ranks
}

// of is the index of the group for the ranks of a copy.
func (g *groupPlace) of(replica int) int32 {
	if replica == 0 || g.more == 0 {
		return g.first
	}
	return g.more + int32(replica-1)
}

// mapGroups makes the groups of the result. Groups of the first copy come first and keep their
// order, so that shrinking a grown program gives the original numbers.
func (z *resizer) mapGroups() error {
	z.place = make([]groupPlace, len(z.p.Groups))
	var copied []int
	for i, g := range z.p.Groups {
		next, err := z.members(i, g)
		if err != nil {
			return err
		}
		z.place[i] = groupPlace{first: int32(len(z.groups)), was: len(g), size: len(next)}
		if len(next) == 0 {
			continue // of ranks that go
		}
		z.groups = append(z.groups, next)
		if z.m > z.n && !z.across(g) {
			copied = append(copied, i)
		}
	}
	for _, i := range copied {
		z.place[i].more = int32(len(z.groups))
		for c := 1; c < z.m/z.n; c++ {
			z.groups = append(z.groups, moved(z.p.Groups[i], c*z.n))
		}
	}
	return nil
}

// across reports whether a group grows: it is of all ranks, or of several blocks.
func (z *resizer) across(g []int32) bool {
	if len(g) == z.n {
		return true
	}
	for _, r := range g {
		if z.block > 0 && int(r)/z.block != int(g[0])/z.block {
			return true
		}
	}
	return false
}

func moved(g []int32, by int) []int32 {
	out := slices.Clone(g)
	for i := range out {
		out[i] += int32(by)
	}
	return out
}

// members are the ranks of group i in the result, of its first copy.
func (z *resizer) members(i int, g []int32) ([]int32, error) {
	if z.m < z.n {
		return z.cut(i, g)
	}
	out := slices.Clone(g)
	if z.across(g) {
		for c := 1; c < z.m/z.n; c++ {
			out = append(out, moved(g, c*z.n)...)
		}
	}
	return out, nil
}

// cut returns the members of a group among the ranks that stay. In each m ranks of
// which it has some it has to have the same.
func (z *resizer) cut(i int, g []int32) ([]int32, error) {
	var stay []int32
	parts := map[int32][]int32{}
	for _, r := range g {
		part := r / int32(z.m)
		if part == 0 {
			stay = append(stay, r)
		}
		parts[part] = append(parts[part], r%int32(z.m))
	}
	if len(stay) == 0 {
		return nil, nil
	}
	want := slices.Sorted(slices.Values(stay))
	for _, part := range parts {
		slices.Sort(part)
		if !slices.Equal(part, want) {
			return nil, fmt.Errorf("communicator %d of %s does not repeat every %d ranks, so that these cannot be on their own", i, nameRanks(g), z.m)
		}
	}
	return stay, nil
}

// nameRanks names the ranks of a group, of many the first.
func nameRanks(g []int32) string {
	text, more := g, ""
	if len(g) > 8 {
		text, more = g[:8], ", ..."
	}
	return "ranks " + list(text) + more
}
