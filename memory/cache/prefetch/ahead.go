package prefetch

// Ahead is the keys of rules that go a number of steps ahead.
type Ahead struct {
	Degree int `yaml:"degree" jsonschema:"minimum=1,maximum=64" doc:"Lines, or requests, ahead; of a stream at most, two for a read"`
}

func (s Ahead) check() error { return within("degree", s.Degree, 1, 64) }
func (s Ahead) degree() int  { return s.Degree }

const smith = "Smith, Cache memories, ACM Computing Surveys 1982 (tagged prefetch)"

func init() {
	add("next_line", "Brings the lines after one that missed, or after the first access to a line that was prefetched.", smith,
		Ahead{Degree: 1}, func(_ Geometry, s Ahead) (Rule, error) { return &ahead{degree: s.Degree}, nil })
	add("tile", "Brings the lines as far ahead of one that missed as the request is long.", smith,
		Ahead{Degree: 1}, func(_ Geometry, s Ahead) (Rule, error) { return &ahead{degree: s.Degree, requests: true}, nil })
}

// ahead is next_line, or tile: lines in steps of one, or of the request.
type ahead struct {
	degree   int
	requests bool
}

func (p *ahead) Most() int { return p.degree }

func (p *ahead) Access(a *Access, out []uint64) []uint64 {
	if !a.Calls() {
		return out
	}
	step := uint64(1)
	if p.requests {
		step = uint64(a.Lines)
	}
	for d := range p.degree {
		out = append(out, a.Line+step*uint64(d+1))
	}
	return out
}
