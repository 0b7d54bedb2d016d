package policy

// dcoDuel decides whether a cache of dco shall use LRU for a while. In sampled
// sets it compares the cache, dco beside the cache, and LRU beside the cache.
//
// While dco is in charge it may lose what it has won over LRU, and little more.
// While LRU is in charge, dco must win beside the cache before it is tried
// again, after each failure twice as much: what a change of the contents costs
// shows only in the cache itself.
type dcoDuel struct {
	lru  bool // LRU is in charge
	won  int  // hits of the cache less those of LRU, since dco is in charge, at most most
	lead int  // hits of dco less those of LRU beside the cache, since LRU is in charge, not below 0
	need int  // lead at which dco is tried again
	most int  // eight times the lines of the sampled sets
}

const (
	dcoLose = -8 // won below which LRU takes over
	dcoNeed = 32 // lead that dco needs after no failure
)

// step notes an access in a sampled set: whether it hit in the cache, and beside
// it by dco and by LRU.
func (d *dcoDuel) step(cache, dco, lru bool) {
	if d.lru {
		d.lead = max(d.lead+diff(dco, lru), 0)
		if d.lead > d.need {
			d.lru, d.won = false, 0
		}
		return
	}
	d.won = min(d.won+diff(cache, lru), d.most)
	if d.won == d.most {
		d.need = dcoNeed
	}
	if d.won < dcoLose {
		d.lru, d.lead = true, 0
		d.need = min(2*d.need, d.most)
	}
}

// diff is 1, 0 or -1.
func diff(a, b bool) int {
	switch {
	case a && !b:
		return 1
	case b && !a:
		return -1
	}
	return 0
}

// rival is LRU on the accesses to one set, the line used last in front.
type rival struct{ lines []uint64 }

func (r *rival) hit(line uint64, ways int) bool {
	at, found := len(r.lines), false
	for i, l := range r.lines {
		if l == line {
			at, found = i, true
			break
		}
	}
	if !found {
		if len(r.lines) < ways {
			r.lines = r.lines[:len(r.lines)+1]
		} else {
			at--
		}
	}
	copy(r.lines[1:at+1], r.lines[:at])
	r.lines[0] = line
	return found
}
