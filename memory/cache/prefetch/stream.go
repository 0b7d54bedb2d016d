package prefetch

// streams finds accesses that go up or down in a page, and says which lines come next.
//
// Source: Intel 64 and IA-32 Architectures Optimization Reference Manual, the streamer of the
// second level: 32 streams, one of a direction in each page of 4 KiB, two lines for an access,
// up to 20 lines ahead.
type streams struct {
	degree int
	perm   uint // log2 of the lines of a page
	list   []stream
	cur    *stream // of the last access
	clock  uint64
}

// A stream is what is known of a page.
type stream struct {
	page uint64 // plus 1; 0: free
	last int    // line of the last access, in the page
	far  int    // last line that was brought, or accessed
	dir  int    // 1 up, -1 down
	seen int    // accesses that went there, one after the other
	used uint64
}

const (
	streamCount   = 32
	streamTrained = 2 // accesses that have gone the same way
	streamAtOnce  = 2
)

func init() {
	add("stream", "Brings the lines of a page that reads go through, up or down, two for a read.",
		"Intel 64 and IA-32 Architectures Optimization Reference Manual, the streamer of the second level",
		Ahead{Degree: 1}, func(g Geometry, s Ahead) (Rule, error) { return newStreams(g.Line, s.Degree), nil })
}

// newStreams returns the streams of a cache with lines of so many bytes.
func newStreams(line uint64, degree int) *streams {
	return &streams{degree: degree, list: make([]stream, streamCount), perm: pageShift(line)}
}

// Most implements Rule.
func (s *streams) Most() int { return streamAtOnce }

// Access implements Rule.
func (s *streams) Access(a *Access, out []uint64) []uint64 {
	if a.Write {
		return out
	}
	for d := range s.note(a.Line) {
		out = append(out, (s.cur.page-1)<<s.perm+uint64(s.cur.far+s.cur.dir*(d+1)))
	}
	return out
}

// note takes an access in, and returns how many lines after the last one brought come next.
func (s *streams) note(line uint64) int {
	s.clock++
	at, page := int(line&(1<<s.perm-1)), line>>s.perm+1
	x := s.find(page)
	s.cur, x.used = x, s.clock
	if x.page != page {
		*x = stream{page: page, last: at, far: at, used: s.clock}
		return 0
	}
	x.step(at)
	if x.seen < streamTrained {
		return 0
	}
	return max(min(x.left(s.perm), s.degree-(x.far-at)*x.dir, streamAtOnce), 0)
}

// step takes an access of its page in.
func (x *stream) step(at int) {
	switch d := at - x.last; {
	case d*x.dir > 0:
		x.seen++
	case d != 0:
		x.dir, x.seen, x.far = 1, 1, at
		if d < 0 {
			x.dir = -1
		}
	}
	x.last = at
	if (at-x.far)*x.dir > 0 {
		x.far = at
	}
}

// left is the lines from the last one brought to the end of the page.
func (x *stream) left(perm uint) int {
	if x.dir < 0 {
		return x.far
	}
	return 1<<perm - 1 - x.far
}

// find is the stream of a page, or the one to be given up for it.
func (s *streams) find(page uint64) *stream {
	old := &s.list[0]
	for i := range s.list {
		x := &s.list[i]
		if x.page == page {
			return x
		}
		if x.used < old.used {
			old = x
		}
	}
	return old
}

// Took implements Resumer.
func (s *streams) Took(n int) { s.cur.far += s.cur.dir * n }
