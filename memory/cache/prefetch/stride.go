package prefetch

// StrideSpec is the keys of stride.
type StrideSpec struct {
	Degree  int `yaml:"degree" jsonschema:"minimum=1,maximum=64" doc:"Lines ahead"`
	Streams int `yaml:"streams" jsonschema:"minimum=4,maximum=65536" doc:"Streams that are remembered, in sets of 4, a power of two"`
	Page    int `yaml:"page" jsonschema:"minimum=0,maximum=1073741824" doc:"Bytes of a page, which lines ahead do not leave, a power of two; 0: no limit"`
}

func (s StrideSpec) degree() int { return s.Degree }

func (s StrideSpec) check() error {
	if err := within("degree", s.Degree, 1, 64); err != nil {
		return err
	}
	if s.Page != 0 {
		if err := powerOfTwo("page", s.Page, 256, 1<<30); err != nil {
			return err
		}
	}
	return powerOfTwo("streams", s.Streams, strideWays, 1<<16)
}

const strideWays = 4

func init() {
	add("stride", "Brings the lines at the distance that two reads of a stream in a row had.",
		"Fu, Patel and Janssens, Stride directed prefetching in scalar processors, MICRO 1992; table of ChampSim's ip_stride",
		StrideSpec{Degree: 3, Streams: 1024, Page: pageBytes}, func(g Geometry, s StrideSpec) (Rule, error) { return newStrides(g, s), nil })
}

// strides is a table of the streams seen last.
type strides struct {
	degree int
	page   uint // log2 of the lines of a page; 64: no limit
	sets   uint64
	table  []strided // [set*strideWays+way]
	clock  uint64
}

// strided is the last read of a stream.
type strided struct {
	tag    uint64
	line   uint64
	stride int64  // between the last two reads; 0: there was one
	used   uint64 // 0: free
}

func newStrides(g Geometry, s StrideSpec) *strides {
	p := &strides{degree: s.Degree, page: 64, sets: uint64(s.Streams / strideWays), table: make([]strided, s.Streams)}
	if s.Page > 0 {
		for p.page = 0; g.Line<<p.page < uint64(s.Page); {
			p.page++
		}
	}
	return p
}

func (p *strides) Most() int { return p.degree }

func (p *strides) Access(a *Access, out []uint64) []uint64 {
	if a.Write {
		return out
	}
	tag := a.Stream >> 2 // of an instruction of 4 bytes
	set := p.table[tag%p.sets*strideWays:][:strideWays]
	x := &set[0]
	for i := range set {
		if y := &set[i]; y.used > 0 && y.tag == tag {
			x = y
			break
		} else if y.used < x.used {
			x = y
		}
	}
	stride, known := int64(0), int64(0)
	if x.used > 0 && x.tag == tag {
		stride, known = int64(a.Line-x.line), x.stride
	}
	p.clock++
	*x = strided{tag, a.Line, stride, p.clock}
	if stride == 0 || stride != known {
		return out
	}
	for d, line := 0, a.Line; d < p.degree; d++ {
		line += uint64(stride)
		if line>>p.page != a.Line>>p.page {
			break
		}
		out = append(out, line)
	}
	return out
}
