package memory

import "github.com/sarchlab/akita/v3/sim"

// Unsent is what a requester would have sent to a port: it has computed the answers'
// times from nominal figures instead.
type Unsent struct {
	Port    sim.Port
	Traffic Traffic
}

// A Reckoner is a requester that sends nothing. Unsent is what it would have sent so far.
type Reckoner interface{ Unsent() []Unsent }

// A Charged is a memory. Charge sets what all reckoners together would have sent: it counts among
// the requests and in the energy, and has no times. What hits in a cache cannot be told from
// bytes: caches take no charge. Banks of DRAM count the bytes and the energy of their bursts, and
// none of rows.
type Charged interface{ Charge(Traffic) }

// Settle charges the memories below the ports of some reckoners. It may be called
// again: the last charge holds.
func Settle(rs []Reckoner) {
	sum := map[Charged]*Traffic{}
	for _, r := range rs {
		for _, u := range r.Unsent() {
			m, ok := u.Port.Component().(Charged)
			if !ok {
				continue
			}
			if sum[m] == nil {
				sum[m] = &Traffic{}
			}
			sum[m].Add(u.Traffic)
		}
	}
	for m, t := range sum {
		m.Charge(*t)
	}
}
