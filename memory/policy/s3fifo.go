package policy

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "s3fifo",
		Doc:    "Three queues: new lines enter a small one, those used twice there or missed soon after move to the main one, which spares what was used.",
		Source: "Yang et al., FIFO queues are all you need for cache eviction, SOSP 2023, section 4, algorithm 1",
		New:    plain(newS3FIFO),
	})
}

// s3fifo has three queues per set; the paper's cache is one set. The small queue
// has a tenth of the ways and at least one, the main queue the others, the ghost
// queue as many lines as nine tenths of the ways. The small queue may have more
// while the main one is not full.
//
// An access evicts one line. The paper's evictS evicts from the main queue too when
// it moves a line there that has no room; here the next eviction does so, as in the
// authors' libCacheSim.
type s3fifo struct {
	small, main Recency // the newest first
	ghost       ghost
	room        uint32   // ways of the main queue
	inMain      []uint32 // lines in it, per set
	way         []s3way  // [set*ways+way]
	back        recall
}

type s3way struct {
	line uint64
	freq uint8 // uses since it came or was moved, at most 3
	main bool
}

func newS3FIFO(g Geometry) Policy {
	return &s3fifo{
		small: NewRecency(g), main: NewRecency(g), ghost: newGhost(g.Sets, g.Ways*9/10),
		room:   uint32(g.Ways - max(1, g.Ways/10)),
		inMain: make([]uint32, g.Sets), way: make([]s3way, g.Sets*g.Ways), back: newRecall(g.Sets),
	}
}

func (p *s3fifo) at(set, way int) *s3way { return &p.way[set*p.small.ways+way] }

func (p *s3fifo) Hit(set, way int, _ Access) {
	if w := p.at(set, way); w.freq < 3 {
		w.freq++
	}
}

func (p *s3fifo) Victim(set int, a Access) int {
	p.back.note(set, a.Line, p.ghost.take(set, a.Line))
	if p.inMain[set] <= p.room {
		for int(p.inMain[set]) < p.small.ways { // while the small queue has a line
			way := p.small.Last(set)
			w := p.at(set, way)
			if w.freq < 2 {
				p.ghost.push(set, w.line)
				return way
			}
			p.small.Remove(set, way)
			p.enterMain(set, way)
		}
	}
	return p.mainVictim(set)
}

func (p *s3fifo) mainVictim(set int) int {
	for {
		way := p.main.Last(set)
		w := p.at(set, way)
		if w.freq == 0 {
			return way
		}
		w.freq--
		p.main.Touch(set, way)
	}
}

func (p *s3fifo) enterMain(set, way int) {
	p.main.PushFirst(set, way)
	p.inMain[set]++
	w := p.at(set, way)
	w.main, w.freq = true, 0
}

func (p *s3fifo) Fill(set, way int, a Access) {
	*p.at(set, way) = s3way{line: a.Line}
	asked, was := p.back.known(set, a.Line)
	if !asked {
		was = p.ghost.take(set, a.Line)
	}
	if was {
		p.enterMain(set, way)
	} else {
		p.small.PushFirst(set, way)
	}
}

func (p *s3fifo) Evict(set, way int) {
	if p.at(set, way).main {
		p.main.Remove(set, way)
		p.inMain[set]--
		return
	}
	p.small.Remove(set, way)
}
