package fabric

import "github.com/causeway-sim/causeway/noc/fabric/setting"

// Limit sets the rate of a terminal's channel both ways, in flits per cycle, before the first
// packet is sent. It reports false for a rate that no channel of the network may have.
func (n *Network) Limit(terminal int, rate float64) bool {
	cycles := 1 / rate
	if !(cycles >= 1 && cycles <= setting.MaxInterval) {
		return false
	}
	q := &n.ports[n.nics[terminal].port]
	q.interval = int32(cycles*setting.Tick + .5)
	q.lastOut = -int64(q.interval)
	q.come = q.latency + int32(setting.Whole(int64(q.interval)))
	if mask := n.wheel(int(setting.Whole(int64(q.interval)))); mask > n.wheelMask {
		n.wheelMask = mask
		for _, p := range n.parts {
			p.wheel = make([]slot, mask+1)
		}
	}
	return true
}
