package mapping

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A division is how many parts the axes of a matrix operator are cut into: products
// (heads, groups), images, rows, columns, and the sum (0: not cut). Each part is a core's.
type division struct{ batch, image, row, col, k int }

func (d division) cores() int { return d.batch * d.image * d.row * d.col * max(d.k, 1) }

// share shares out operator i under the split auto. Attention goes by
// splitter.portions.
func (x *Mapper) share(s *splitter, i int, cores []Core, spec Spec, extra []*graph.Op) []portion {
	op := &s.g.Ops[i]
	m, ok := op.Matrix()
	if !ok {
		return numbered(s.portions(i))
	}
	all := whole(collapse(m))
	return x.divide(s.g, op, &all, cores, len(cores), spec, extra)
}

// divide shares out a matrix operator, or a share of it, the way that takes the busiest
// core the least time, as estimated with the bandwidth that so many cores share: among
// all grids of products x images x rows x columns on the cores. Of equal ones the first
// has the fewest parts of columns, then of rows. Rules for layers are left aside, so
// that a mapping given back makes the same shares.
func (x *Mapper) divide(g *graph.Graph, op *graph.Op, all *share, cores []Core, together int, spec Spec, extra []*graph.Op) (best []portion) {
	spec.Layers = nil
	m, _ := op.Matrix()
	unit := int64(1)
	if m.Conv != nil && m.Conv.Transposed {
		unit = int64(m.Conv.R * m.Conv.S)
	}
	least, multicast := int64(overflow), spec.casts(cores)
	alike := make([]bool, len(cores)) // as the first core
	for c := range cores {
		alike[c] = cores[c] == cores[0]
	}
	for _, d := range x.sums(divisions(all, unit, len(cores)), g, op, all, cores, &spec) {
		portions := d.portions(x.spare[:0], all, unit, collapse(m).K)
		if multicast {
			d.shareFetches(portions, all, unit)
		}
		time := int64(0)
		for c := range portions {
			q := &portions[c]
			q.together = max(together*len(portions)/len(cores), 1)
			if c > 0 && alike[c] && q.sh.size() <= portions[0].sh.size() {
				continue // no slower than the first
			}
			p, err := x.planPortion(op, g, cores, spec, q, extra)
			if err != nil { // smaller shares may still fit
				time = overflow
				break
			}
			time = max(time, p.Time)
		}
		if best == nil || time < least {
			least, best, portions = time, portions, best
		}
		x.spare = portions // of another grid
	}
	return best
}

func numbered(p []portion) []portion {
	for c := range p {
		p[c].core, p[c].part = c, c
	}
	return p
}

// size is the number of elements of the share's index space.
func (s *share) size() int64 { return s.batch.len() * s.image.len() * s.row.len() * s.n.len() }

// divisions lists grids of at most n parts that leave no more of the cores idle than
// they must: of each axis the divisors of n and what the axis has.
func divisions(all *share, unit int64, n int) (out []division) {
	counts := func(length int64, most int) (out []int) {
		for c := 1; c <= most; c++ {
			if int64(c) <= length && (n%c == 0 || int64(c) == length) {
				out = append(out, c)
			}
		}
		return out
	}
	used := 0
	for _, c := range counts(all.n.len()/unit, n) {
		rows := all.row.len()
		if unit > 1 { // rows of a transposed convolution overlap
			rows = 1
		}
		for _, r := range counts(rows, n/c) {
			for _, i := range counts(all.image.len(), n/(c*r)) {
				if r > 1 && int64(i) < min(all.image.len(), int64(n/(c*r))) {
					continue // images before rows of images
				}
				for _, b := range counts(all.batch.len(), n/(c*r*i)) {
					d := division{b, i, r, c, 0}
					out = append(out, d)
					used = max(used, d.cores())
				}
			}
		}
	}
	kept := out[:0]
	for _, d := range out {
		if 2*d.cores() > used || d.cores() == 1 {
			kept = append(kept, d)
		}
	}
	return kept
}

// cut divides a range evenly into n, in whole units.
func (p part) cut(unit int64, n int) []part {
	out := even(p.len()/unit, n)
	for i := range out {
		out[i] = part{p.from + out[i].from*unit, p.from + out[i].to*unit}
	}
	return out
}

// portions are the parts of a grid on the first cores, those of the sum over length
// elements running fastest, then columns.
func (d division) portions(out []portion, all *share, unit, length int64) []portion {
	bs, is := all.batch.cut(1, d.batch), all.image.cut(1, d.image)
	rs, cs := all.row.cut(1, d.row), all.n.cut(unit, d.col)
	out = slices.Grow(out, d.cores())
	for _, b := range bs {
		for _, i := range is {
			for _, r := range rs {
				for _, c := range cs {
					sh := share{batch: b, image: i, row: r, n: c}
					for j := range int64(max(d.k, 1)) {
						if d.k > 0 {
							each := length / int64(d.k)
							sh.k, sh.sum = part{j * each, (j + 1) * each}, multicastShare{j, int64(d.k)}
						}
						k := len(out)
						out = append(out, portion{core: k, part: k, of: 1, sh: sh})
					}
				}
			}
		}
	}
	return out
}

// shareFetches has the cores of a grid that read the same rows of inputs fetch them together,
// and those that read the same columns of weights. Cores whose parts are not equally
// large do not run in step and fetch for themselves.
func (d division) shareFetches(portions []portion, all *share, unit int64) {
	even := all.n.len()/unit%int64(d.col) == 0 && all.row.len()%int64(d.row) == 0 && all.image.len()%int64(d.image) == 0
	if !even {
		return
	}
	for c := range portions {
		k, c := &portions[c].sh, c/max(d.k, 1)
		k.casts[0] = multicastShare{int64(c % d.col), int64(d.col)}
		k.casts[1] = multicastShare{int64(c / d.col % (d.image * d.row)), int64(d.image * d.row)}
	}
}

// casts reports whether cores fetch together what they share: equal cores before one
// memory.
func (s *Spec) casts(cores []Core) bool {
	if s.Multicast == "none" {
		return false
	}
	for i := range cores {
		if cores[i] != cores[0] {
			return false
		}
	}
	return s.Multicast == "all" || !cores[0].Memory.Caches && cores[0].Memory.Home != ""
}
