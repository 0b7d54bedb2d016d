package prefetch

// lookAhead follows the likeliest deltas from a line on. Each step looks at its own candidates and at those
// that were left; deviation 4.
func (p *spp) lookAhead(line uint64, signature, accuracy int, out []uint64) []uint64 {
	p.queue = p.queue[:0]
	base, path, head := line, 100, 0
	depth := 0
	for again := true; again; {
		x := p.pattern(signature)
		way := -1
		if x.total > 0 {
			way, path = p.propose(x, depth, accuracy, path)
			if path >= p.spec.Threshold {
				depth++
			}
		}
		again = false
		for i := head; i < len(p.queue); i++ {
			c := p.queue[i]
			if c.confidence < p.spec.Threshold {
				continue
			}
			again = true
			head++
			target := base + uint64(int64(c.delta))
			if target>>p.perm != line>>p.perm {
				p.cross(sppCrossing{signature, c.confidence, int(target & (1<<p.perm - 1)), c.delta, true})
			} else if p.admit(target, c.confidence >= p.spec.Sure) {
				out = append(out, target)
			}
		}
		if way >= 0 {
			base += uint64(int64(x.delta[way]))
			signature = sppNext(signature, x.delta[way])
		}
	}
	return out
}

// propose appends the likely deltas of a signature to the queue, and an empty place after them. It returns
// the likeliest of them, -1 if there is none, and its confidence.
func (p *spp) propose(x *sppPattern, depth, accuracy, path int) (way, best int) {
	way = -1
	for i, n := range x.count {
		confidence := 100 * n / x.total
		if depth > 0 {
			confidence = accuracy * n / x.total * path / 100
		}
		if confidence < p.spec.Threshold {
			continue
		}
		p.queue = append(p.queue, sppCandidate{x.delta[i], confidence})
		if confidence > best {
			way, best = i, confidence
		}
	}
	if len(p.queue) == 0 {
		p.queue = append(p.queue, sppCandidate{0, 100}) // the line of the access itself
	} else {
		p.queue = append(p.queue, sppCandidate{})
	}
	return way, best
}

// admit reports whether the filter lets a line pass, and counts those that are sure.
func (p *spp) admit(line uint64, sure bool) bool {
	if !p.filter.admit(line, sure) {
		return false
	}
	if sure {
		if p.issued++; p.issued > sppTotal {
			p.issued >>= 1
			p.useful >>= 1
		}
	}
	return true
}

// cross remembers a lookahead that left its page, in place of one to the same offset or of the least sure.
func (p *spp) cross(c sppCrossing) {
	at, least := 0, 101
	for i := range p.crossed {
		x := &p.crossed[i]
		if x.valid && x.offset == c.offset {
			at = i
			break
		}
		if x.confidence < least {
			at, least = i, x.confidence
		}
	}
	p.crossed[at] = c
}
