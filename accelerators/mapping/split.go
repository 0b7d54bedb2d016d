package mapping

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A splitter shares out the operators of a graph over cores.
type splitter struct {
	g     *graph.Graph
	split string
	cores int
	batch int64          // images or requests
	home  []int          // by layer: core of each operator
	image []product.Part // by batch: images of each core
	line  *pipeline
}

func newSplitter(g *graph.Graph, split string, cores int) *splitter {
	s := &splitter{g: g, split: split, cores: cores, batch: 1}
	if b, ok := g.Symbols["batch"]; ok {
		s.batch = int64(b)
	} else {
		for i := range g.Tensors {
			if t := &g.Tensors[i]; t.Role == graph.Input && len(t.Shape) > 0 {
				s.batch = int64(t.Shape[0])
				break
			}
		}
	}
	s.image = product.Even(s.batch, cores)
	if split == "layer" {
		s.layers()
	}
	return s
}

// layers gives each core a run of consecutive operators of about equal work:
// an operator belongs where the middle of its work falls.
func (s *splitter) layers() {
	work := func(op *graph.Op) float64 { return float64(op.MACs()) + float64(op.VectorOps()) + 1 }
	total, done := 0.0, 0.0
	for i := range s.g.Ops {
		total += work(&s.g.Ops[i])
	}
	for i := range s.g.Ops {
		w := work(&s.g.Ops[i])
		s.home = append(s.home, min(s.cores-1, int((done+w/2)*float64(s.cores)/total)))
		done += w
	}
}

// A portion is what one core does of an operator: a share of matrix work, or
// cut out of "of" equal shares of vector work.
type portion struct {
	core int
	part int // of a pipeline: the micro-batch; else the core
	sh   product.Share
	cut  product.Part
	// pipelined: part is a micro-batch
	pipelined bool
	tile      dma.Tile // that a peer's rules fix, or the slowest of cores that run in step
	order     string
	together  int // portions that are carried out at the same time, this one included
	of        int64
	local     bool // reads nothing that a local portion of another part wrote
}

// micro is the micro-batch of a pipeline, else 0.
func (p *portion) micro() int {
	if p.pipelined {
		return p.part
	}
	return 0
}

// none tells that the core has nothing to do.
func (p *portion) none() bool { return p.of == 0 }

// portions shares out operator i, one portion per core.
func (s *splitter) portions(i int) []portion {
	op := &s.g.Ops[i]
	if k, ok := op.Kind.(graph.Attention); ok {
		return s.attention(i, k)
	}
	out := make([]portion, s.cores)
	m, matrix := op.Matrix()
	if matrix {
		m = product.Collapse(m)
	}
	all := product.Whole(m)
	alone := func(c int) []portion {
		out[c] = portion{sh: all, cut: product.Part{From: 0, To: 1}, of: 1}
		return out
	}
	if s.cores == 1 {
		return alone(0)
	}
	if s.split == "layer" {
		return alone(s.home[i])
	}
	if !matrix {
		for c := range out {
			out[c] = portion{cut: product.Part{From: int64(c), To: int64(c + 1)}, of: int64(s.cores)}
			if s.split == "batch" {
				out[c] = portion{cut: s.image[c], of: s.batch, local: true}
			}
		}
		return prune(out)
	}
	give := func(parts []product.Part, axis func(*product.Share) *product.Part) []portion {
		for c := range out {
			out[c] = portion{sh: all, of: 1}
			*axis(&out[c].sh) = parts[c]
			if parts[c].Len() == 0 {
				out[c].of = 0
			}
		}
		return out
	}
	scaled := func(unit int64, parts []product.Part) []product.Part {
		p := make([]product.Part, len(parts))
		for c := range p {
			p[c] = parts[c].Times(unit)
		}
		return p
	}
	batch, image := func(x *product.Share) *product.Part { return &x.Batch }, func(x *product.Share) *product.Part { return &x.Image }
	row, col := func(x *product.Share) *product.Part { return &x.Row }, func(x *product.Share) *product.Part { return &x.N }
	b := int64(m.Batch)
	unit := int64(1) // columns that stay together: the kernel of a transposed convolution
	if m.Conv != nil && m.Conv.Transposed {
		unit = int64(m.Conv.R * m.Conv.S)
	}
	columns := func() []portion {
		if m.Conv != nil && b > 1 { // filters of a grouped convolution go by groups
			return give(product.Even(b, s.cores), batch)
		}
		return give(scaled(unit, product.Even(m.N/unit, s.cores)), col)
	}
	switch s.split {
	case "batch":
		switch {
		case m.Conv != nil && int64(m.Conv.N) == s.batch:
			give(s.image, image)
		case m.Conv == nil && b%s.batch == 0 && b > 1:
			give(scaled(b/s.batch, s.image), batch)
		case m.Conv == nil && b == 1 && m.M%s.batch == 0:
			give(scaled(m.M/s.batch, s.image), row)
		default:
			return alone(0)
		}
		for c := range out {
			out[c].local = true
		}
		return out
	case "head":
		if b == 1 || m.Conv != nil {
			return columns()
		}
		if per := int64(s.cores) / b; per > 1 { // several cores per head share its rows
			rows := product.Even(m.M, int(per))
			for c := range out {
				h, r := int64(c)/per, int64(c)%per
				if h < b && rows[r].Len() > 0 {
					out[c] = portion{sh: all, of: 1}
					out[c].sh.Batch, out[c].sh.Row = product.Part{From: h, To: h + 1}, rows[r]
				}
			}
			return out
		}
		return give(product.Even(b, s.cores), batch)
	case "row":
		if unit == 1 { // rows of a transposed convolution overlap
			return give(product.Even(all.Row.Len(), s.cores), row)
		}
	}
	return columns()
}

// prune drops portions of nothing.
func prune(p []portion) []portion {
	for c := range p {
		if p[c].cut.Len() == 0 {
			p[c].of = 0
		}
	}
	return p
}
