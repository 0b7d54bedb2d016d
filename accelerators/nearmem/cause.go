package nearmem

import "github.com/causeway-sim/causeway/components/cause"

var hostWords = [hostStates][2]string{
	hostBusy:     {"compute", "computing"},
	hostLoad:     {"load", "loading results"},
	hostSeen:     {"notice", "not knowing of results that are there"},
	hostDevice:   {"device", "waiting for the device to compute"},
	hostTransfer: {"transfer", "waiting for results on their way"},
	hostLaunch:   {"launch", "waiting for a launch to reach the device"},
}

var deviceWords = [deviceStates][2]string{
	deviceBusy:   {"compute", "computing"},
	deviceLaunch: {"launch", "without a kernel"},
	deviceDone:   {"done", "with results that the host has not consumed"},
}

// Causes implements system.Causal: the time of the host and that of the device.
func (c *Comp) Causes() *cause.Tree {
	t := cause.New(c.Name(), cause.Work).Of("host and device of " + cause.Base(c.Name()))
	t.Nodes = 2
	host := &cause.Tree{Name: "host", Words: "on the host"}
	for s, w := range hostWords {
		host.Add(w[0], w[1], ns(c.m.acct.host[s]))
	}
	device := &cause.Tree{Name: "device", Words: "on the device"}
	for s, w := range deviceWords {
		device.Add(w[0], w[1], ns(c.m.acct.device[s]))
	}
	for _, p := range []*cause.Tree{host, device} {
		if p.Time = p.Used(); p.Time > 0 {
			t.Parts = append(t.Parts, p)
		}
	}
	return t
}
