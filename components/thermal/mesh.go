package thermal

import "math"

// Cells across the die, across each margin of spreader and sink, and on top of each other in these.
//
// assumption: a die of 16 mm then has cells of 0.8 mm, about twice as far as heat spreads in thin silicon on its interface.
const (
	cells  = 20
	border = 4
	sheets = 2
)

// Coarse lists the blocks that are narrower or lower than a cell. Their power is spread over the cell, so that they are hotter
// than their temperature here, and blocks beside them less hot.
func (s *Spec) Coarse() (names []string) {
	_, _, w, h := s.bounds()
	for i := range s.Blocks {
		if b := &s.Blocks[i]; float64(b.Width)*cells < w || float64(b.Height)*cells < h {
			names = append(names, b.Name)
		}
	}
	return names
}

// A mesh is where cells of plates are.
type mesh struct {
	x, y  []float64 // edges, m, from the centre
	plate [3]span   // cells of die, spreader and sink
	index []int     // of cell, by column, row and layer; -1: none
	n     int
	band  int
}

// span is a range of cells, the same in both directions.
type span struct{ from, to int }

func (s span) has(k int) bool { return k >= s.from && k < s.to }

// lines are the edges of cells in one direction, from half sizes of die, spreader and sink.
func lines(half [3]float64, cells, border int) []float64 {
	out := make([]float64, 0, cells+4*border+1)
	part := func(k int) float64 { // of a margin, whose cells double outwards
		return (math.Exp2(float64(k)) - 1) / (math.Exp2(float64(border)) - 1)
	}
	margin := func(from, to float64) {
		for k := range border {
			out = append(out, from+(to-from)*part(k))
		}
	}
	inward := func(from, to float64) {
		for k := range border {
			out = append(out, from+(to-from)*(1-part(border-k)))
		}
	}
	inward(-half[2], -half[1])
	inward(-half[1], -half[0])
	for k := range cells {
		out = append(out, half[0]*(2*float64(k)/float64(cells)-1))
	}
	margin(half[0], half[1])
	margin(half[1], half[2])
	return append(out, half[2])
}

// layers are those of a column of cells: one of the die, then those of the spreader and of the sink.
func (n *Network) layers() int { return 1 + 2*n.slices }

// plateOf is the plate of a layer.
func (n *Network) plateOf(layer int) int {
	switch {
	case layer == 0:
		return 0
	case layer <= n.slices:
		return 1
	}
	return 2
}

// newMesh numbers cells: layers of a column next to each other, so that the matrix has a narrow band.
func (n *Network) newMesh(halfX, halfY [3]float64, cells, border int) {
	m := &n.mesh
	m.x, m.y = lines(halfX, cells, border), lines(halfY, cells, border)
	m.plate = [3]span{{2 * border, 2*border + cells}, {border, 3*border + cells}, {0, 4*border + cells}}
	across, layers := len(m.x)-1, n.layers()
	m.index = make([]int, across*across*layers)
	for k := range m.index {
		m.index[k] = -1
	}
	for j := range across {
		for i := range across {
			for l := range layers {
				if s := m.plate[n.plateOf(l)]; s.has(i) && s.has(j) && n.real(i, j) {
					m.index[(j*across+i)*layers+l] = m.n
					m.n++
				}
			}
		}
	}
}

// real reports whether a cell has an area: plates of equal size have no margin.
func (n *Network) real(i, j int) bool { return n.width(i) > 0 && n.height(j) > 0 }

func (n *Network) width(i int) float64  { return n.mesh.x[i+1] - n.mesh.x[i] }
func (n *Network) height(j int) float64 { return n.mesh.y[j+1] - n.mesh.y[j] }

// at is the number of a cell; -1: there is none.
func (n *Network) at(i, j, l int) int {
	across := len(n.mesh.x) - 1
	if i < 0 || j < 0 || i >= across || j >= across || l < 0 || l >= n.layers() {
		return -1
	}
	return n.mesh.index[(j*across+i)*n.layers()+l]
}
