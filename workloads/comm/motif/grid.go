package motif

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// Halo is the parameters of halo3d.
type Halo struct {
	Steps    `yaml:",inline"`
	Dims     []int       `yaml:"dims" doc:"Ranks in x, y and z; left out: nearest to a cube"`
	Cells    []int       `yaml:"cells" doc:"Cells of each rank in x, y and z"`
	Cell     units.Bytes `yaml:"cell" doc:"Bytes of a cell that neighbours exchange"`
	Periodic bool        `yaml:"periodic" doc:"Edges face each other"`
}

// Sweep is the parameters of sweep3d.
type Sweep struct {
	Steps `yaml:",inline"`
	Dims  []int       `yaml:"dims" doc:"Ranks in x and y; left out: nearest to a square"`
	Cells []int       `yaml:"cells" doc:"Cells of each rank in x, y and z"`
	Block int         `yaml:"block" doc:"Cells in z that go on at a time"`
	Cell  units.Bytes `yaml:"cell" doc:"Bytes of a cell's face, all angles"`
}

// MILC is the parameters of milc.
type MILC struct {
	Steps `yaml:",inline"`
	Dims  []int       `yaml:"dims" doc:"Ranks in x, y, z and t; left out: nearest to a cube"`
	Sites []int       `yaml:"sites" doc:"Lattice sites of each rank in x, y, z and t"`
	Site  units.Bytes `yaml:"site" doc:"Bytes of a site that neighbours exchange"`
}

func init() {
	add("halo3d", "Nearest neighbours in three dimensions: all six faces at once, then a computation.",
		"the Halo3D motif of SST's Ember, in shape; sizes are parameters",
		Halo{Steps: Steps{Steps: 1}, Cells: []int{32, 32, 32}, Cell: 8}, halo3d)
	add("sweep3d", "Wavefronts from all eight corners of a volume over a plane of ranks, block by block.",
		"Koch, Baker, Alcouffe, Trans. ANS 65, 1992 (KBA); Hoisie, Lubeck, Wasserman, IJHPCA 14(4), 2000",
		Sweep{Steps: Steps{Steps: 1}, Cells: []int{16, 16, 64}, Block: 8, Cell: 48}, sweep3d)
	add("milc", "Lattice QCD: a four-dimensional torus, eight neighbours per step of a conjugate gradient, two sums of 8 B.",
		"Bauer, Gottlieb, Hoefler, CCGrid 2012, section II, in shape",
		MILC{Steps: Steps{Steps: 1}, Sites: []int{4, 4, 4, 8}, Site: 24}, milc)
}

func product(l []int) int {
	n := 1
	for _, x := range l {
		n *= x
	}
	return n
}

// maxCells bounds the cells of a rank in a dimension.
const maxCells = 1 << 15

func cells(l []int, n int, name string) error {
	if len(l) != n {
		return fmt.Errorf("%s has %d numbers (want %d)", name, len(l), n)
	}
	for _, x := range l {
		if x < 1 || x > maxCells {
			return fmt.Errorf("%s has %d (want 1 to %d)", name, x, maxCells)
		}
	}
	return nil
}

// faces exchanges with both neighbours in every dimension, all at once.
func faces(t *comm.Thread, g grid, rank int, bytes func(d int) uint64) {
	var ops []int
	for _, kind := range []comm.Kind{comm.Recv, comm.Send} {
		for d := range g.dims {
			for side, by := range []int{-1, 1} {
				peer := g.next(rank, d, by)
				if peer < 0 {
					continue
				}
				// The tag is the way that the message goes.
				tag := int64(2*d + side)
				if kind == comm.Recv {
					tag = int64(2*d + 1 - side)
				}
				ops = append(ops, t.Do(comm.Op{Kind: kind, Peer: peer, Tag: tag, Bytes: bytes(d)}, false))
			}
		}
	}
	if len(ops) > 0 {
		t.Wait(ops...)
	}
}

func halo3d(p *comm.Program, s Halo) error {
	g, err := gridOf(s.Dims, 3, len(p.Ranks), s.Periodic)
	if err == nil {
		err = cells(s.Cells, 3, "cells")
	}
	if err == nil {
		err = item("cell", s.Cell)
	}
	if err == nil {
		err = s.check(p, 14)
	}
	if err != nil {
		return err
	}
	for i := range p.Ranks {
		t := comm.Thread{Rank: &p.Ranks[i]}
		for range s.Steps.Steps {
			faces(&t, g, i, func(d int) uint64 { return uint64(product(s.Cells)/s.Cells[d]) * uint64(s.Cell) })
			t.Compute(s.Compute)
		}
	}
	return nil
}

func milc(p *comm.Program, s MILC) error {
	g, err := gridOf(s.Dims, 4, len(p.Ranks), true)
	if err == nil {
		err = cells(s.Sites, 4, "sites")
	}
	if err == nil && product(s.Sites) > maxCells*maxCells {
		err = fmt.Errorf("sites are %d per rank (want at most %d)", product(s.Sites), maxCells*maxCells)
	}
	if err == nil {
		err = item("site", s.Site)
	}
	if err == nil {
		err = s.check(p, 20)
	}
	if err != nil {
		return err
	}
	for i := range p.Ranks {
		t := comm.Thread{Rank: &p.Ranks[i]}
		for range s.Steps.Steps {
			faces(&t, g, i, func(d int) uint64 { return uint64(product(s.Sites)/s.Sites[d]) * uint64(s.Site) })
			t.Compute(s.Compute)
			for range 2 {
				t.Do(comm.Op{Kind: comm.Collective, Coll: comm.AllReduce, Bytes: 8}, true)
			}
		}
	}
	return nil
}

// sweep3d goes over all octants: pairs of opposite directions in z follow each
// other from the same corner.
func sweep3d(p *comm.Program, s Sweep) error {
	g, err := gridOf(s.Dims, 2, len(p.Ranks), false)
	if err == nil {
		err = cells(s.Cells, 3, "cells")
	}
	if err == nil {
		err = sizes(s.Cells[2], "block", s.Block)
	}
	if err == nil {
		err = item("cell", s.Cell)
	}
	if err != nil {
		return err
	}
	blocks := (s.Cells[2] + s.Block - 1) / s.Block
	if err := s.check(p, 8*blocks*5); err != nil {
		return err
	}
	for i := range p.Ranks {
		t := comm.Thread{Rank: &p.Ranks[i]}
		for range s.Steps.Steps {
			for octant := range 8 {
				dx, dy := 1-octant>>2*2, 1-octant>>1&1*2
				for b := range blocks {
					deep := uint64(min(s.Block, s.Cells[2]-b*s.Block))
					for d, by := range []int{dx, dy} {
						if from := g.next(i, d, -by); from >= 0 {
							t.Do(comm.Op{Kind: comm.Recv, Peer: from, Tag: int64(d), Bytes: deep * uint64(s.Cells[1-d]) * uint64(s.Cell)}, true)
						}
					}
					t.Compute(s.Compute / units.Time(8*blocks))
					for d, by := range []int{dx, dy} {
						if to := g.next(i, d, by); to >= 0 {
							t.Do(comm.Op{Kind: comm.Send, Peer: to, Tag: int64(d), Bytes: deep * uint64(s.Cells[1-d]) * uint64(s.Cell)}, true)
						}
					}
				}
			}
		}
	}
	return nil
}
