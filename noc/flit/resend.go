package flit

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/network"
)

// resends are packets that their senders send again: timeout after they entered the network,
// at most retries times. A packet is sent again only if it is lost: timeouts are as long as
// they must be to know it.
type resends struct {
	timeout int64 // cycles; 0: none
	retries int
	list    []resend // in the order of at
	count   uint64
}

type resend struct {
	at int64
	fabric.Loss
}

// plan takes a lost packet and reports whether it will be sent again.
func (r *resends) plan(l fabric.Loss) bool {
	if r.timeout == 0 || l.Tries >= r.retries {
		return false
	}
	x := resend{max(l.Injected+r.timeout, l.Arrived+1), l}
	i, _ := slices.BinarySearchFunc(r.list, x.at+1, func(y resend, at int64) int { return cmp.Compare(y.at, at) })
	r.list = slices.Insert(r.list, i, x)
	return true
}

// next is the cycle in which the next packet is sent again, network.Idle if none is.
func (r *resends) next() uint64 {
	if len(r.list) == 0 {
		return network.Idle
	}
	return uint64(r.list[0].at)
}

// due sends what is to be sent again by a cycle.
func (r *resends) due(n *fabric.Network, cycle int64) {
	k := 0
	for ; k < len(r.list) && r.list[k].at <= cycle; k++ {
		n.SendAgain(r.list[k].Loss)
	}
	r.list = slices.Delete(r.list, 0, k)
	r.count += uint64(k)
}

// lost takes a packet that the network has lost. A message that misses one for good is lost
// when its other packets have come or are lost.
func (k *core) lost(l fabric.Loss) {
	if k.again.plan(l) {
		return
	}
	m := &k.moving[l.Tag]
	m.lost = true
	if m.packets--; m.packets == 0 {
		k.shell.Lose(l.Tag)
	}
}

// Losses implements network.LossReporter.
func (k *core) Losses() network.Losses {
	l := k.Network.Losses()
	l.Resent = k.again.count
	return l
}
