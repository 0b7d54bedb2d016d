package prefetch

// NextTileSpec is the keys of next_tile.
type NextTileSpec struct {
	Degree  int `yaml:"degree" jsonschema:"minimum=1,maximum=4096" doc:"Lines ahead along the walk of a tensor"`
	Streams int `yaml:"streams" jsonschema:"minimum=1,maximum=1024" doc:"Walks that are remembered, of a requester through a tensor each"`
}

func (s NextTileSpec) degree() int { return s.Degree }

func (s NextTileSpec) check() error {
	if err := within("degree", s.Degree, 1, 4096); err != nil {
		return err
	}
	return within("streams", s.Streams, 1, 1024)
}

func init() {
	// assumption: 32 lines ahead, half of the MSHRs of a slice by default, and 64 walks.
	add("next_tile", "Goes along the walk of a requester through a tensor: runs of lines at a distance, to the end of the tensor and, if it will be read again, from its beginning.",
		"our own; what it reads are the descriptions and the expected reuse that policy dco reads",
		NextTileSpec{Degree: 32, Streams: 64}, func(_ Geometry, s NextTileSpec) (Rule, error) {
			return &walks{degree: s.Degree, list: make([]walk, s.Streams)}, nil
		})
}

// walks follows requesters through tensors.
type walks struct {
	degree int
	list   []walk
	cur    *walk // of the last access
	clock  uint64
}

// A walk is runs of lines side by side. A run is a tile where tiles are described; else its length and the
// distance of runs are learned from two that were alike.
type walk struct {
	stream uint64
	used   uint64 // 0: free
	start  uint64 // first line of the run
	line   uint64 // last line that was read
	ahead  int    // lines ahead of it, along the walk, that are there or under way
	run    uint64 // lines of the last run; 0: there was none
	jump   int64  // from its start to that of this run
	sure   bool   // the last two runs were alike
}

const walkAtOnce = 4 // lines that a read calls for at most

func (p *walks) Most() int { return walkAtOnce }

func (p *walks) Access(a *Access, out []uint64) []uint64 {
	p.cur = nil
	if a.Write || a.Tensor.First == a.Tensor.End {
		return out // what is not described has no walk
	}
	p.clock++
	w, fresh := p.find(a)
	w.used = p.clock
	if !fresh && a.Line == w.line {
		return out
	}
	if !fresh {
		w.step(a)
	}
	p.cur = w
	for n := w.ahead + 1; n <= p.degree && len(out) < walkAtOnce; n++ {
		line, ok := w.at(n, a)
		if !ok {
			break
		}
		out = append(out, line)
	}
	return out
}

// Took implements Resumer.
func (p *walks) Took(n int) {
	if p.cur != nil {
		p.cur.ahead += n
	}
}

// find returns the walk of a stream, or a fresh one in place of the one used longest ago.
func (p *walks) find(a *Access) (w *walk, fresh bool) {
	stream := a.Stream ^ a.Tensor.First*fibonacci
	old := &p.list[0]
	for i := range p.list {
		w := &p.list[i]
		if w.used > 0 && w.stream == stream {
			return w, false
		}
		if w.used < old.used {
			old = w
		}
	}
	*old = walk{stream: stream, start: a.Line, line: a.Line}
	return old, true
}

// step moves a walk to a line that was read.
func (w *walk) step(a *Access) {
	expected, ok := w.at(1, a)
	if ok && expected == a.Line {
		w.ahead = max(w.ahead-1, 0)
	} else {
		w.ahead = 0
	}
	if a.Line != w.line+1 || w.length(a) > 0 && a.Line-w.start >= w.length(a) {
		run, jump := w.line-w.start+1, int64(a.Line-w.start)
		w.sure = run == w.run && jump == w.jump
		w.run, w.jump, w.start = run, jump, a.Line
	}
	w.line = a.Line
}

// length returns the lines of a run; 0: unknown, it goes on.
func (w *walk) length(a *Access) uint64 {
	switch {
	case a.Tensor.Tile > 0:
		return a.Tensor.Tile
	case w.sure:
		return w.run
	}
	return 0
}

// at returns the line that is n lines ahead along the walk; ok is false after its end.
func (w *walk) at(n int, a *Access) (line uint64, ok bool) {
	first, lines := a.Tensor.First, a.Tensor.End-a.Tensor.First
	length := w.length(a)
	if length == 0 {
		line = w.line + uint64(n)
	} else {
		jump := int64(length)
		if w.jump != 0 && w.run == length {
			jump = w.jump
		}
		i := w.line - w.start + uint64(n)
		line = w.start + uint64(jump*int64(i/length)) + i%length
	}
	if line-first < lines {
		return line, true
	}
	if !a.Tensor.Again || line < first {
		return 0, false
	}
	return first + (line-first)%lines, true
}
