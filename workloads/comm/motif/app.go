package motif

import (
	"fmt"
	"math/rand/v2"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// FFT is the parameters of fft.
type FFT struct {
	Steps   `yaml:",inline"`
	Dims    []int       `yaml:"dims" doc:"Rows and columns of ranks; left out: nearest to a square"`
	Points  []int       `yaml:"points" doc:"Points of the whole volume in x, y and z"`
	Element units.Bytes `yaml:"element" doc:"Bytes of a point"`
}

// LAMMPS is the parameters of lammps.
type LAMMPS struct {
	Steps   `yaml:",inline"`
	Dims    []int       `yaml:"dims" doc:"Ranks in x, y and z; left out: nearest to a cube"`
	Atoms   int         `yaml:"atoms" doc:"Atoms of each rank"`
	Skin    float64     `yaml:"skin" doc:"Share of the edge of a rank's box that its neighbours see"`
	Rebuild int         `yaml:"rebuild" doc:"Steps from one rebuilding of the neighbour lists to the next"`
	Thermo  int         `yaml:"thermo" doc:"Steps from one sum over all ranks to the next"`
	Atom    units.Bytes `yaml:"atom" doc:"Bytes of an atom's position, or force"`
}

// AMR is the parameters of amr.
type AMR struct {
	Steps  `yaml:",inline"`
	Dims   []int       `yaml:"dims" doc:"Blocks in x, y and z, one per rank; left out: nearest to a cube"`
	Cells  int         `yaml:"cells" doc:"Cells along the edge of a block that is not refined"`
	Levels int         `yaml:"levels" doc:"Levels of refinement; each doubles the cells along an edge"`
	Regrid int         `yaml:"regrid" doc:"Steps from one new choice of the levels to the next"`
	Cell   units.Bytes `yaml:"cell" doc:"Bytes of a cell that neighbours exchange"`
	Seed   uint64      `yaml:"seed" doc:"Seed of the levels"`
}

// Single is the parameters of a pattern that is one collective.
type Single struct {
	Steps `yaml:",inline"`
	Bytes units.Bytes `yaml:"bytes" doc:"Data of each rank (see the collective); 0B takes no time"`
	Root  int         `yaml:"root" doc:"Root, of those that have one; 0 is the first rank"`
}

func init() {
	add("fft", "Three-dimensional Fourier transform in pencils: all_to_all along rows of ranks, then along columns, and back.",
		"the FFT3D motif of SST's Ember, in shape; Pekurovsky, P3DFFT, SIAM J. Sci. Comput. 34(4), 2012",
		FFT{Steps: Steps{Steps: 1}, Points: []int{64, 64, 64}, Element: 16}, fft)
	add("lammps", "Molecular dynamics: ghost atoms forward and forces back in x, y and z after each other, atoms move at a rebuild, sums now and then.",
		"Plimpton, J. Comput. Phys. 117, 1995, section 5, in shape",
		LAMMPS{Steps: Steps{Steps: 10}, Atoms: 32000, Skin: 0.1, Rebuild: 5, Thermo: 10, Atom: 24}, lammps)
	add("amr", "Adaptive mesh: blocks of different levels whose finer faces go in four parts, blocks that move at a new choice, a sum per step.",
		"assumption: after Berger and Colella, J. Comput. Phys. 82, 1989, section 2; levels are drawn from a seed",
		AMR{Steps: Steps{Steps: 4}, Cells: 16, Levels: 3, Regrid: 2, Cell: 40}, amr)
	for c := comm.Barrier; c <= comm.Scatter; c++ {
		bytes := units.Bytes(1 << 20)
		if c == comm.Barrier {
			bytes = 0
		}
		add(c.String(), "The collective alone, by all ranks: "+c.String()+".", "none: one operation",
			Single{Steps: Steps{Steps: 1}, Bytes: bytes}, func(p *comm.Program, s Single) error { return single(p, c, s) })
	}
}

func single(p *comm.Program, c comm.Coll, s Single) error {
	if s.Root < 0 || s.Root >= len(p.Ranks) {
		return fmt.Errorf("root is %d (want 0 to %d)", s.Root, len(p.Ranks)-1)
	}
	if s.Bytes > 1<<50 {
		return fmt.Errorf("bytes is %s (want at most 1024TiB)", s.Bytes)
	}
	if err := s.check(p, 2); err != nil {
		return err
	}
	p.Parts = s.Steps.Steps
	for i := range p.Ranks {
		t := comm.Thread{Rank: &p.Ranks[i]}
		for range s.Steps.Steps {
			t.Compute(s.Compute)
			t.Do(comm.Op{Kind: comm.Collective, Coll: c, Bytes: uint64(s.Bytes), Peer: int32(s.Root)}, true)
		}
	}
	return nil
}

func fft(p *comm.Program, s FFT) error {
	g, err := gridOf(s.Dims, 2, len(p.Ranks), false)
	if err == nil {
		err = cells(s.Points, 3, "points")
	}
	if err == nil {
		err = item("element", s.Element)
	}
	if err == nil {
		err = s.check(p, 7)
	}
	if err != nil {
		return err
	}
	rows, columns := make([]int32, g.dims[0]), make([]int32, g.dims[1])
	for r := range rows {
		members := make([]int32, g.dims[1])
		for k := range members {
			members[k] = int32(r*g.dims[1] + k)
		}
		rows[r] = p.Group(members)
	}
	for k := range columns {
		members := make([]int32, g.dims[0])
		for r := range members {
			members[r] = int32(r*g.dims[1] + k)
		}
		columns[k] = p.Group(members)
	}
	bytes := (uint64(product(s.Points))*uint64(s.Element) + uint64(len(p.Ranks)) - 1) / uint64(len(p.Ranks))
	for i := range p.Ranks {
		x := g.at(i)
		row, column := rows[x[0]], columns[x[1]]
		t := comm.Thread{Rank: &p.Ranks[i]}
		for range s.Steps.Steps {
			for _, group := range []int32{row, column, column, row} {
				t.Compute(s.Compute / 4)
				t.Do(comm.Op{Kind: comm.Collective, Coll: comm.AllToAll, Group: group, Bytes: bytes}, true)
			}
		}
	}
	return nil
}

func lammps(p *comm.Program, s LAMMPS) error {
	g, err := gridOf(s.Dims, 3, len(p.Ranks), true)
	if err == nil {
		err = sizes(1<<30, "atoms rebuild thermo", s.Atoms, s.Rebuild, s.Thermo)
	}
	if err == nil && !(s.Skin > 0 && s.Skin <= 1) {
		err = fmt.Errorf("skin is %g (want more than 0, at most 1)", s.Skin)
	}
	if err == nil {
		err = item("atom", s.Atom)
	}
	if err == nil {
		err = s.check(p, 56)
	}
	if err != nil {
		return err
	}
	// Ghosts of x are those of a slab; y and z pass on what came before, so that
	// corners get through with six messages.
	var ghosts [3]uint64
	wide := 1.0
	for d := range ghosts {
		ghosts[d] = uint64(float64(s.Atoms)*s.Skin*wide) * uint64(s.Atom)
		wide *= 1 + 2*s.Skin
	}
	swap := func(t *comm.Thread, i, d int, bytes uint64, tag int64) {
		down, up := g.next(i, d, -1), g.next(i, d, 1)
		t.Exchange(tag, bytes, up, down)
		t.Exchange(tag+1, bytes, down, up)
	}
	for i := range p.Ranks {
		t := comm.Thread{Rank: &p.Ranks[i]}
		for step := range s.Steps.Steps {
			if step%s.Rebuild == 0 {
				for d := range 3 {
					swap(&t, i, d, ghosts[d]/10, int64(10+2*d)) // atoms that have left the box
				}
			}
			for d := range 3 {
				swap(&t, i, d, ghosts[d], int64(20+2*d))
			}
			t.Compute(s.Compute)
			for d := 2; d >= 0; d-- {
				swap(&t, i, d, ghosts[d], int64(30+2*d))
			}
			if step%s.Thermo == 0 {
				t.Do(comm.Op{Kind: comm.Collective, Coll: comm.AllReduce, Bytes: 48}, true)
			}
		}
	}
	return nil
}

// move lets blocks move to balance the load: a random exchange.
func (s *AMR) move(threads []comm.Thread, level []int, rng *rand.Rand) {
	to := rng.Perm(len(threads))
	from := make([]int, len(to))
	for i, j := range to {
		from[j] = i
	}
	edge := func(i int) uint64 { n := uint64(s.Cells) << level[i]; return n * n * n * uint64(s.Cell) }
	for i := range threads {
		if to[i] == i {
			continue
		}
		t := &threads[i]
		r := t.Do(comm.Op{Kind: comm.Recv, Peer: int32(from[i]), Tag: 100, Bytes: edge(from[i])}, false)
		t.Wait(r, t.Do(comm.Op{Kind: comm.Send, Peer: int32(to[i]), Tag: 100, Bytes: edge(i)}, false))
	}
}

// grid checks the keys of the motif, and returns its grid of ranks.
func (s AMR) grid(p *comm.Program) (grid, error) {
	g, err := gridOf(s.Dims, 3, len(p.Ranks), false)
	if err == nil {
		err = sizes(1<<10, "cells levels regrid", s.Cells, s.Levels, s.Regrid)
	}
	if err == nil && s.Levels > 6 {
		err = fmt.Errorf("levels is %d (want 1 to 6)", s.Levels)
	}
	if err == nil {
		err = item("cell", s.Cell)
	}
	if err == nil {
		err = s.check(p, 64)
	}
	if most := maxCompute >> (3 * (max(s.Levels, 1) - 1)); err == nil && s.Compute > most {
		err = fmt.Errorf("compute is %s (want at most %s with %d levels, each of which takes eight times as long)", s.Compute, most, s.Levels)
	}
	return g, err
}

func amr(p *comm.Program, s AMR) error {
	g, err := s.grid(p)
	if err != nil {
		return err
	}
	threads := make([]comm.Thread, len(p.Ranks))
	for i := range threads {
		threads[i].Rank = &p.Ranks[i]
	}
	rng := rand.New(rand.NewPCG(s.Seed, 0x616d72))
	level := make([]int, len(p.Ranks))
	for step := range s.Steps.Steps {
		if step%s.Regrid == 0 {
			for i := range level {
				level[i] = rng.IntN(s.Levels)
			}
			if step > 0 {
				s.move(threads, level, rng)
			}
		}
		for i := range threads {
			t := &threads[i]
			var ops []int
			for _, kind := range []comm.Kind{comm.Recv, comm.Send} {
				for d := range 3 {
					for side, by := range []int{-1, 1} {
						peer := g.next(i, d, by)
						if peer < 0 {
							continue
						}
						n := uint64(s.Cells) << max(level[i], level[peer])
						parts := 1
						if level[i] != level[peer] {
							parts = 4
						}
						tag := int64(2*d + side)
						if kind == comm.Recv {
							tag = int64(2*d + 1 - side)
						}
						for range parts {
							ops = append(ops, t.Do(comm.Op{Kind: kind, Peer: peer, Tag: tag, Bytes: n * n * uint64(s.Cell) / uint64(parts)}, false))
						}
					}
				}
			}
			t.Wait(ops...)
			t.Compute(s.Compute << (3 * level[i]))
			t.Do(comm.Op{Kind: comm.Collective, Coll: comm.AllReduce, Bytes: 8}, true)
		}
	}
	return nil
}
