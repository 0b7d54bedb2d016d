package policy

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "fifo_mep",
		Doc:    "A FIFO queue with several points near its entry at which a line leaves that was not used since the point before (reconstruction).",
		Source: "reconstruction from the abstract of Jia et al., FIFO-MEP: an efficient multi-eviction-point FIFO cache with stable demotion, CLUSTER 2025, doi 10.1109/CLUSTER59342.2025.11186495",
		New:    plain(newFIFOMEP),
	})
}

// fifoMEP reconstructs FIFO-MEP. From the abstract: one FIFO queue, several eviction
// points at fixed positions near its entry, objects are inspected again at each, so
// that one burst of uses does not keep an object, and demotion is equally quick at
// all times.
//
// Ours, per set, all of it assumption: a queue of a stretch per point and a last one.
// The points are at 1, 2 and 3 thirtieths of the ways, at least one way apart, so that
// the last is where the small queue of s3fifo ends; fewer where there are not four
// ways. A line that passes a point loses its count of uses. One that was not used on
// the stretch leaves, and is remembered like in s3fifo: if it is missed soon it enters
// the last stretch. There the queue is a clock of two bits: a line at the end that was
// used goes back to the beginning of the stretch and counts one use less. Where the
// set is not full lines pass points without inspection.
type fifoMEP struct {
	ways    int
	stretch []Recency // the newest first
	most    []int     // lines of each
	held    []int     // [set*stretches+stretch]
	ghost   ghost
	way     []mepWay // [set*ways+way]
	back    recall
}

type mepWay struct {
	line uint64
	freq uint8 // uses since the last inspection, at most 3
	in   uint8 // stretch
}

const mepPoints = 3

func newFIFOMEP(g Geometry) Policy {
	p := &fifoMEP{ways: g.Ways, ghost: newGhost(g.Sets, g.Ways*9/10), way: make([]mepWay, g.Sets*g.Ways), back: newRecall(g.Sets)}
	end := 0
	for i := range min(mepPoints, g.Ways-1) {
		at := max(end+1, (i+1)*g.Ways/30)
		p.most = append(p.most, at-end)
		end = at
	}
	p.most = append(p.most, g.Ways-end)
	for range p.most {
		p.stretch = append(p.stretch, NewRecency(g))
	}
	p.held = make([]int, g.Sets*len(p.most))
	return p
}

func (p *fifoMEP) at(set, way int) *mepWay     { return &p.way[set*p.ways+way] }
func (p *fifoMEP) lines(set, stretch int) *int { return &p.held[set*len(p.most)+stretch] }
func (p *fifoMEP) last() int                   { return len(p.most) - 1 }

func (p *fifoMEP) enter(set, way, stretch int) {
	p.at(set, way).in = uint8(stretch)
	p.stretch[stretch].PushFirst(set, way)
	*p.lines(set, stretch)++
}

func (p *fifoMEP) Evict(set, way int) {
	i := int(p.at(set, way).in)
	p.stretch[i].Remove(set, way)
	*p.lines(set, i)--
}

func (p *fifoMEP) Hit(set, way int, _ Access) {
	if w := p.at(set, way); w.freq < 3 {
		w.freq++
	}
}

// Victim lets lines move on from the stretch that is too long with the new line, until
// one leaves.
func (p *fifoMEP) Victim(set int, a Access) int {
	was := p.ghost.take(set, a.Line)
	p.back.note(set, a.Line, was)
	first := 0
	if was {
		first = p.last()
	}
	for i := range p.last() {
		n := *p.lines(set, i)
		if i == first {
			n++
		}
		for ; n > p.most[i]; n-- {
			way := p.stretch[i].Last(set)
			w := p.at(set, way)
			if w.freq == 0 {
				p.ghost.push(set, w.line)
				return way
			}
			w.freq = 0
			p.Evict(set, way)
			p.enter(set, way, i+1)
		}
	}
	end := &p.stretch[p.last()]
	for {
		way := end.Last(set)
		w := p.at(set, way)
		if w.freq == 0 {
			return way
		}
		w.freq--
		end.Touch(set, way)
	}
}

func (p *fifoMEP) Fill(set, way int, a Access) {
	*p.at(set, way) = mepWay{line: a.Line}
	asked, was := p.back.known(set, a.Line)
	if !asked {
		was = p.ghost.take(set, a.Line)
	}
	if was {
		p.enter(set, way, p.last())
		return
	}
	p.enter(set, way, 0)
	for i := range p.last() {
		if *p.lines(set, i) > p.most[i] {
			next := p.stretch[i].Last(set)
			p.Evict(set, next)
			p.enter(set, next, i+1)
		}
	}
}
