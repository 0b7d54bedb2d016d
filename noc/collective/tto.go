package collective

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/registry"
)

func init() {
	All.Add(ttoEntry())
}

// TTOSpec describes the grid and the chunks.
type TTOSpec struct {
	Dims    []int `yaml:"dims" doc:"Width and height of the mesh that ranks stand in, row by row; left out: a square"`
	Chunk   int64 `yaml:"chunk" doc:"Bytes that go through the three trees at a time" jsonschema:"minimum=1"`
	Pad     bool  `yaml:"pad" doc:"Fill up the last chunk, as the artifact of the paper does; what is added counts as data"`
	Overlap bool  `yaml:"overlap" doc:"Spread the sums of a chunk as soon as they are there; else when those of all chunks are"`
}

// threeTrees are those of TTO over a mesh, by parent. Going down, no two of them
// use the same link in the same direction.
//
// The first goes down the left column and from there to the right. The last goes
// left along the bottom row and from there up. The middle one starts at the top
// right corner: along the rows to the left above the stairs that lead down from
// there, along the columns down below them. It leaves out the bottom left corner.
func threeTrees(w, h int) [3]tree {
	at := func(x, y int) int { return x + w*y }
	var parent [3][]int
	for i := range parent {
		parent[i] = make([]int, w*h)
	}
	for y := range h {
		for x := range w {
			v := at(x, y)
			switch {
			case x > 0:
				parent[0][v] = at(x-1, y)
			case y > 0:
				parent[0][v] = at(0, y-1)
			default:
				parent[0][v] = -1
			}
			switch {
			case y < h-1:
				parent[2][v] = at(x, y+1)
			case x < w-1:
				parent[2][v] = at(x+1, y)
			default:
				parent[2][v] = -1
			}
			switch {
			case x == w-1 && y == 0, x == 0 && y == h-1:
				parent[1][v] = -1
			case x > 0 && y > 0 && (x+y >= w-1 || y == h-1):
				parent[1][v] = at(x, y-1)
			default:
				parent[1][v] = at(x+1, y)
			}
		}
	}
	return [3]tree{treeOf(parent[0], 0), treeOf(parent[1], w-1), treeOf(parent[2], w*h-1)}
}

// tto writes first all sums, chunk by chunk, then all spreading, so that the
// former go first where both compete.
func tto(r Request, s TTOSpec) (*Schedule, error) {
	w, h, err := gridOf(s.Dims, r.Ranks)
	if err != nil {
		return nil, err
	}
	if w < 2 || h < 2 {
		return nil, fmt.Errorf("dims are %dx%d (want both 2 or more)", w, h)
	}
	units := (r.Bytes + r.Element - 1) / r.Element
	per := s.Chunk / r.Element
	if per < 1 || (units+per-1)/per > maxChunks {
		return nil, fmt.Errorf("chunk is %d B (want %d or more)", s.Chunk, max(r.Element, (units+maxChunks-1)/maxChunks*r.Element))
	}
	if s.Pad {
		r.Bytes = (units + per - 1) / per * per * r.Element
	}
	b := newBuilder("tto", r)
	b.s.Buffer = r.Bytes
	b.s.Idle = []int{w * (h - 1)}
	trees := threeTrees(w, h)
	var sends [][]int32 // by chunk and tree, by rank: the send of its sum
	var last [3][]int32 // the sums of the last chunk at the roots
	each := func(do func(chunk, tree int, part Range)) {
		for k, off := 0, int64(0); off < r.Bytes; k, off = k+1, off+per*r.Element {
			for t, part := range split(off, min(per*r.Element, r.Bytes-off), r.Element, 3) {
				do(k, t, part)
			}
		}
	}
	sums := make([][]int32, r.Ranks)
	var roots [][]int32 // by chunk and tree: the sums at the root
	each(func(k, t int, part Range) {
		if t == 0 {
			b.s.Chunks = append(b.s.Chunks, Range{part.Off, min(per*r.Element, r.Bytes-part.Off)})
		}
		sent := make([]int32, r.Ranks)
		sends, roots = append(sends, sent), append(roots, nil)
		if part.Bytes == 0 {
			return
		}
		tr := trees[t]
		for i := range sums {
			sums[i] = sums[i][:0]
		}
		for i := len(tr.order) - 1; i > 0; i-- {
			v, p := tr.order[i], tr.parent[tr.order[i]]
			var got int32
			sent[v], got = b.message(v, p, part, Reduce, sums[v], nil)
			sums[p] = append(sums[p], got)
		}
		last[t] = b.keep(sums[tr.order[0]])
		roots[3*k+t] = last[t]
	})
	got := make([]int32, r.Ranks)
	each(func(k, t int, part Range) {
		if part.Bytes == 0 {
			return
		}
		tr := trees[t]
		for _, v := range tr.order[1:] {
			p := tr.parent[v]
			after := []int32{got[p]}
			if p == tr.order[0] {
				after = roots[3*k+t]
				if !s.Overlap {
					after = append(slices.Clone(after), last[t]...)
				}
			}
			_, got[v] = b.message(p, v, part, Recv, after, sends[3*k+t][v:v+1])
		}
	})
	return b.s, nil
}

func ttoEntry() registry.Entry[Factory] {
	def := TTOSpec{Chunk: 96 << 10, Pad: true}
	return registry.Entry[Factory]{
		Name:   "tto",
		Doc:    "Chunks go through three trees that share no link, first up, then down; one corner is left out.",
		Source: ttoSource + ", section V",
		Spec:   def,
		New: func(r Request, spec any) (*Schedule, error) {
			s, err := registry.SpecOf(spec, def)
			if err != nil {
				return nil, err
			}
			if r.Operation != AllReduce {
				return nil, &OperationError{r.Operation, []Operation{AllReduce}}
			}
			return tto(r, s)
		},
	}
}
