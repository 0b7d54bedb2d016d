package chakra

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/workloads/comm"
	pb "github.com/causeway-sim/causeway/workloads/comm/chakrapb"
)

// The schema names the group of ranks of a message or collective, and leaves its
// members to a file of each simulator. groupAttr is its name, as others have it;
// membersAttr is one of our own, "0 4 8", which they pass over.
const (
	groupAttr   = "pg_name"
	membersAttr = "pg_ranks"
)

// groupAttrs are the attributes of group g of a program.
func groupAttrs(p *comm.Program, g int32) ([]*pb.Attribute, error) {
	if g < 0 || int(g) >= len(p.Groups) {
		return nil, fmt.Errorf("there is no group %d", g)
	}
	var members []string
	for _, r := range p.Groups[g] {
		members = append(members, strconv.Itoa(int(r)))
	}
	text := func(name, v string) *pb.Attribute {
		return &pb.Attribute{Name: name, Value: &pb.Attribute_StringVal{StringVal: v}}
	}
	return []*pb.Attribute{text(groupAttr, strconv.Itoa(int(g))), text(membersAttr, strings.Join(members, " "))}, nil
}

// A group is a group as nodes name it. Equal members under two names are two
// groups: their collectives do not meet.
type group struct{ name, members string }

// groups numbers the groups of all ranks.
type groups struct {
	number map[group]int32
	list   [][]int32 // group i is number i+1: all ranks are group 0
}

// of is the group of a node, 0 if it does not list the members of one.
func (g *groups) of(k group) (int32, error) {
	if k.members == "" {
		return 0, nil
	}
	if i, ok := g.number[k]; ok {
		return i, nil
	}
	var members []int32
	for _, f := range strings.Fields(k.members) {
		r, err := strconv.ParseUint(f, 10, 31)
		switch {
		case err != nil || r >= comm.MaxRanks:
			return 0, fmt.Errorf("attribute %s has %q (want ranks, 0 to %d)", membersAttr, f, comm.MaxRanks-1)
		case slices.Contains(members, int32(r)):
			return 0, fmt.Errorf("attribute %s has rank %d twice", membersAttr, r)
		}
		members = append(members, int32(r))
	}
	if g.number == nil {
		g.number = map[group]int32{}
	}
	g.list = append(g.list, members)
	g.number[k] = int32(len(g.list))
	return g.number[k], nil
}
