package thermal

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// A Network is a package with its floor plan.
type Network struct {
	spec   Spec
	slices int
	mesh
	links    []link
	capacity []float64 // J/K, of each cell
	air      []float64 // W/K, from each cell to the air
	parts    [][]part  // of each block
	steady   *mat.BandCholesky
	step     *mat.BandCholesky
	dt       float64 // of step
}

// A link conducts heat between two cells.
type link struct {
	a, b int
	g    float64 // W/K
}

// A part is the share of a block's area that lies in a cell.
type part struct {
	cell  int
	share float64
}

// Temperature is that of a block, in degrees Celsius.
type Temperature struct{ Mean, Peak float64 }

// New makes the network of a package. The Spec has been checked.
func New(s Spec) (*Network, error) { return newNetwork(s, cells, border, sheets) }

func newNetwork(s Spec, cells, border, sheets int) (*Network, error) {
	n := &Network{spec: s, slices: sheets}
	left, low, w, h := s.bounds()
	half := func(die float64) [3]float64 {
		const mm = 1e-3 / 2
		return [3]float64{die * mm, float64(s.Spreader.Side) * mm, float64(s.Sink.Side) * mm}
	}
	n.newMesh(half(w), half(h), cells, border)
	n.capacity, n.air = make([]float64, n.n), make([]float64, n.n)
	across := len(n.x) - 1
	for j := range across {
		for i := range across {
			for l := range n.layers() {
				if k := n.at(i, j, l); k >= 0 {
					n.connect(k, i, j, l)
				}
			}
		}
	}
	for i := range s.Blocks {
		b := &s.Blocks[i]
		x, y := (float64(b.X)-left-w/2)*1e-3, (float64(b.Y)-low-h/2)*1e-3
		n.parts = append(n.parts, n.covered(x, y, x+float64(b.Width)*1e-3, y+float64(b.Height)*1e-3))
	}
	if n.steady = n.factor(0); n.steady == nil {
		return nil, errors.New("thermal: the matrix of the network is singular")
	}
	return n, nil
}

// thick is the thickness of a cell of a layer, m.
func (n *Network) thick(l int) float64 {
	p := n.plates()[n.plateOf(l)]
	if l == 0 {
		return float64(p.Thickness) * 1e-3
	}
	return float64(p.Thickness) * 1e-3 / float64(n.slices)
}

func (n *Network) plates() [3]*Plate { return [3]*Plate{&n.spec.Die, &n.spec.Spreader, &n.spec.Sink} }

// connect gives cell k its capacity and its links to the right, to the top and downwards.
func (n *Network) connect(k, i, j, l int) {
	p := n.plates()[n.plateOf(l)]
	w, h, t := n.width(i), n.height(j), n.thick(l)
	n.capacity[k] += w * h * t * p.Capacity
	if r := n.at(i+1, j, l); r >= 0 {
		n.link(k, r, p.Conductivity*t*h/((w+n.width(i+1))/2))
	}
	if u := n.at(i, j+1, l); u >= 0 {
		n.link(k, u, p.Conductivity*t*w/((h+n.height(j+1))/2))
	}
	area := w * h
	down := n.at(i, j, l+1)
	switch {
	case l == 0: // heat enters on top of the die
		joint := &n.spec.Interface
		between := float64(joint.Thickness) * 1e-3
		n.link(k, down, area/(t/p.Conductivity+between/joint.Conductivity+n.thick(1)/2/n.spec.Spreader.Conductivity))
		n.capacity[k] += area * between * joint.Capacity / 2
		n.capacity[down] += area * between * joint.Capacity / 2
	case l == 2*n.slices: // the lower side of the sink
		share := area / (float64(n.spec.Sink.Side) * float64(n.spec.Sink.Side) * 1e-6)
		n.air[k] = 1 / (n.spec.Air.Resistance/share + t/2/(p.Conductivity*area))
		n.capacity[k] += n.spec.Air.Capacity * share
	default:
		below := n.plates()[n.plateOf(l+1)]
		n.link(k, down, area/(t/2/p.Conductivity+n.thick(l+1)/2/below.Conductivity))
	}
}

func (n *Network) link(a, b int, g float64) {
	n.links = append(n.links, link{a, b, g})
	n.band = max(n.band, b-a, a-b)
}

// covered are the cells of the die that a rectangle covers, by their share of it.
func (n *Network) covered(x0, y0, x1, y1 float64) (out []part) {
	die := n.plate[0]
	sum := 0.0
	for j := die.from; j < die.to; j++ {
		for i := die.from; i < die.to; i++ {
			w := math.Min(x1, n.x[i+1]) - math.Max(x0, n.x[i])
			h := math.Min(y1, n.y[j+1]) - math.Max(y0, n.y[j])
			if w > 0 && h > 0 {
				out = append(out, part{n.at(i, j, 0), w * h})
				sum += w * h
			}
		}
	}
	for k := range out {
		out[k].share /= sum
	}
	return out
}

// factor is the matrix of conductances, with capacities over a step of dt seconds unless it is 0.
func (n *Network) factor(dt float64) *mat.BandCholesky {
	m := mat.NewSymBandDense(n.n, n.band, nil)
	add := func(i, j int, v float64) { m.SetSymBand(i, j, m.At(i, j)+v) }
	for k, g := range n.air {
		if dt > 0 {
			g += n.capacity[k] / dt
		}
		add(k, k, g)
	}
	for _, x := range n.links {
		add(x.a, x.a, x.g)
		add(x.b, x.b, x.g)
		add(min(x.a, x.b), max(x.a, x.b), -x.g)
	}
	var out mat.BandCholesky
	if !out.Factorize(m) {
		return nil
	}
	return &out
}

// heat is the power into each cell, W.
func (n *Network) heat(power []float64) *mat.VecDense {
	out := mat.NewVecDense(n.n, nil)
	for b, parts := range n.parts {
		for _, p := range parts {
			out.SetVec(p.cell, out.AtVec(p.cell)+power[b]*p.share)
		}
	}
	return out
}

// A State is the temperature of each cell over the ambient one.
type State []float64

// Cold is the state of a package without power.
func (n *Network) Cold() State { return make(State, n.n) }

// Steady is the state that powers of blocks, in W, lead to.
func (n *Network) Steady(power []float64) State { return solve(n.steady, n.heat(power)) }

// Step is the state seconds after another one, by one implicit step.
func (n *Network) Step(from State, power []float64, seconds float64) State {
	if n.step == nil || n.dt != seconds {
		n.step, n.dt = n.factor(seconds), seconds
	}
	b := n.heat(power)
	for k, t := range from {
		b.SetVec(k, b.AtVec(k)+n.capacity[k]/seconds*t)
	}
	return solve(n.step, b)
}

func solve(m *mat.BandCholesky, b *mat.VecDense) State {
	var x mat.VecDense
	// The condition of a network of copper and silicon is far from what the error tells of.
	_ = m.SolveVecTo(&x, b)
	return x.RawVector().Data
}

// Blocks are the temperatures of blocks in a state.
func (n *Network) Blocks(s State) []Temperature {
	out := make([]Temperature, len(n.parts))
	for b, parts := range n.parts {
		t := Temperature{Peak: math.Inf(-1)}
		for _, p := range parts {
			t.Mean += p.share * s[p.cell]
			t.Peak = max(t.Peak, s[p.cell])
		}
		out[b] = Temperature{t.Mean + n.spec.Air.Ambient, t.Peak + n.spec.Air.Ambient}
	}
	return out
}
