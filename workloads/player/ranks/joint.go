package ranks

import (
	"fmt"

	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/topology"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/player/ranks/collectives"
	"github.com/causeway-sim/causeway/workloads/player/ranks/placement"
)

// startJoint gives a part of a collective to the network, which returns the sum.
func (c *Comp) startJoint(at token, in *collectives.Instance, m int32, o *collective.Op) {
	group, err := c.tree(in.Op.Group)
	if err != nil {
		if c.failure == nil {
			c.failure = c.fail("rank %d, %s: %v", at.rank, &in.Op, err)
		}
		return
	}
	x := c.pool.take()
	x.kind, x.From, x.To, x.Bytes, x.TrafficBytes, x.at = joint, at.rank, at.rank, uint64(o.Bytes), int(o.Bytes), at
	x.since, x.cause = c.now, c.tasks.member(in, m)
	x.sum = network.Sum{Group: group, Turn: in.Turn(), Tag: o.Tag}
	if c.move(at.rank, c.piece(at, true, false), timer{what: loaded, msg: x}) {
		return
	}
	c.send(x)
}

// tree is how the network adds up for a group of the program, made once.
func (c *Comp) tree(group int32) (int32, error) {
	if t, ok := c.trees[group]; ok {
		return t, nil
	}
	var net topology.Reducer
	terminals := make([]int32, len(c.program.Groups[group]))
	for m := range terminals {
		rank := int32(m)
		if group != 0 {
			rank = c.joint.Rank(group, int32(m))
		}
		p := c.placed(rank)
		if p.Reducer == nil || net != nil && net != p.Reducer {
			return 0, fmt.Errorf("ranks: %s: algorithm in_network: rank %d is at no terminal of one network with the others whose routers add up (fidelity flow or packet, reduce: true)", c.Name(), rank)
		}
		net, terminals[m] = p.Reducer, int32(p.Terminal)
	}
	t, err := net.Tree(terminals)
	if err != nil {
		return 0, fmt.Errorf("ranks: %s: algorithm in_network: %w", c.Name(), err)
	}
	if c.trees == nil {
		c.trees = map[int32]int32{}
	}
	c.trees[group] = t
	return t, nil
}

// placed is where a rank is.
func (c *Comp) placed(rank int32) *placement.Port {
	if p := int(c.port[rank]); p < len(c.places) {
		return &c.places[p]
	}
	return &placement.Port{Terminal: -1}
}

// plant prepares the in-network sums of the program, so that a network that cannot do them is an
// error when a system is checked.
func (c *Comp) plant() error {
	c.trees = nil
	for i := range c.ranks {
		p := c.ranks[i].program
		for op := range p.Len() {
			o := p.Op(op)
			if o.Kind != comm.Collective || c.spec.Collectives.Pick(o.Coll, len(c.program.Groups[o.Group]), o.Bytes).Name != inNetwork || !c.joint.Combines(o) {
				continue
			}
			if _, err := c.tree(o.Group); err != nil {
				return c.fail("rank %d, %s: %v", i, p.Label(op), err)
			}
		}
	}
	return nil
}
