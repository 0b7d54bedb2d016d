package memory

import "github.com/sarchlab/akita/v3/sim"

// Unsent is traffic that a requester did not send to a port, since it computed the times of
// answers from nominal figures.
type Unsent struct {
	Port    sim.Port
	Traffic Traffic
}

// An UnsentReporter is a requester that computes times without sending requests. Unsent returns the
// traffic that it would have sent so far.
type UnsentReporter interface{ Unsent() []Unsent }

// A Charged is a memory that counts traffic without requests. Charge sets the traffic of all
// UnsentReporters together; it counts in requests, bytes and energy, and takes no time. Caches are not
// Charged, since hits do not follow from bytes. A bank-accurate DRAM counts the energy of bursts,
// not of rows.
type Charged interface{ Charge(Traffic) }

// ChargeUnsent charges the unsent traffic of requesters to the memories below their ports. A later call
// replaces the charges.
func ChargeUnsent(rs []UnsentReporter) {
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
