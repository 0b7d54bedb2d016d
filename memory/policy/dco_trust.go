package policy

// trust is how much more than it has earned dco may risk. In sampled sets LRU is
// carried out beside the cache, and dco without limits: what dco would have won
// there is what it may risk everywhere; and by class of lines it is counted how
// often LRU made a hit before it gave the line up. Only lines of which that hardly
// ever happens are risked on trust.
type trust struct {
	lru   []rivalLine // [sampled set*ways+k] the line used last in front
	ways  int
	lead  int64    // hits of dco less those of LRU in the sampled sets, not below 0
	scale int64    // sets per sampled set
	some  int64    // lines that may be risked on no more than what classes have shown
	most  int64    // lines of the cache
	steps int64    // accesses to the sampled sets
	deep  int64    // of them hits of LRU on lines of the older half of its set
	kept  []uint16 // [class] lines that were used again under LRU
	lost  []uint16 // [class] lines that LRU gave up before
}

// rivalLine is a line of a sampled set under LRU.
type rivalLine struct {
	tag   uint64 // line plus 1
	class uint16 // of its last use
}

func newTrust(sets, ways, probes int) trust {
	const classes = deadClass + 1
	t := trust{
		lru: make([]rivalLine, probes*ways), ways: ways, scale: int64(sets / probes), most: int64(sets) * int64(ways),
		kept: make([]uint16, classes), lost: make([]uint16, classes),
	}
	t.some = t.most / trustSome
	return t
}

// step notes an access in sampled set s: of which class the line is now, and
// whether it hit beside the cache by dco.
func (t *trust) step(s int, line uint64, class uint16, dco bool) {
	lru := t.use(t.lru[s*t.ways:][:t.ways], rivalLine{line + 1, class})
	t.lead = max(t.lead+diff(dco, lru), 0)
}

// use is an access to a set under LRU; it tells whether that hits.
func (t *trust) use(lines []rivalLine, l rivalLine) bool {
	at, hit := len(lines)-1, false
	for i := range lines {
		if lines[i].tag == l.tag {
			at, hit = i, true
			break
		}
	}
	t.steps++
	if hit && 2*at >= len(lines)-1 {
		t.deep++
	}
	if old := &lines[at]; old.tag != 0 {
		if hit {
			t.kept[old.class]++
		} else {
			t.lost[old.class]++
		}
		if t.kept[old.class]+t.lost[old.class] == trustFull {
			t.kept[old.class] /= 2
			t.lost[old.class] /= 2
		}
	}
	copy(lines[1:at+1], lines[:at])
	lines[0] = l
	return hit
}

const (
	trustFull  = 1024 // lines of a class after which what was seen is halved
	trustSeen  = 192  // lines of a class that must have been given up
	trustRare  = 128  // and for each that was used again
	trustLead  = 8    // hits in the sampled sets that may be chance
	trustSome  = 14   // part of the cache that may be risked before anything was won
	trustAbuse = 16   // lines less that may be risked for each that was lost
	trustDeep  = 1024 // accesses per hit of LRU on an old line from which on it is feared
	trustPace  = 1024 // accesses per line that may then be risked
)

// deadClass is that of lines whose descriptor says that they are not used again.
const deadClass = dcoLevels << dcoStreamBits

// lines is how many more lines may be at risk for one of a class, whose tensor is
// described or not. Descriptors are believed that lines are dead until they are
// seen to lie.
func (t *trust) lines(class uint16, told bool) int64 {
	lost, kept := uint32(t.lost[class]), uint32(t.kept[class])
	switch {
	case class == deadClass && kept*trustRare <= lost+2*trustRare:
		return t.most
	case lost < trustSeen || lost < trustRare*kept:
		return 0
	case told:
		return t.most
	}
	return min(t.some+max(0, t.lead-trustLead)*t.scale, t.bound())
}

// bound is the most that may be risked on what was learned alone. Where LRU has
// been seen to hit what it had kept for long, a phase that goes back to such lines
// can come at any time: then trust grows with the accesses only.
func (t *trust) bound() int64 {
	if t.deep*trustDeep > t.steps {
		return min(t.steps*t.scale/trustPace, t.most)
	}
	return t.most
}

// diff is 1, 0 or -1.
func diff(a, b bool) int64 {
	switch {
	case a && !b:
		return 1
	case b && !a:
		return -1
	}
	return 0
}
