package motif

import (
	"errors"
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// Exchange is the parameters of all_to_all_v.
type Exchange struct {
	Steps  `yaml:",inline"`
	Bytes  units.Bytes     `yaml:"bytes" doc:"Data that each rank sends in a step, to all ranks together, itself included; with shares; 0B: none"`
	Shares []float64       `yaml:"shares" doc:"How the data of each rank go to ranks 0, 1, ...: any numbers, one per rank, as the load of experts; left out: equal"`
	Matrix [][]units.Bytes `yaml:"matrix" doc:"In place of bytes and shares: a row per sender, of the bytes for each rank"`
}

func init() {
	add("all_to_all_v", "Every rank sends another number of bytes to each other at once, as tokens to experts of unequal load.",
		"MPI standard 4.0, section 6.8: MPI_Alltoallv", Exchange{Steps: Steps{Steps: 1}, Bytes: 64 << 10}, exchange)
}

// parts is the bytes of each sender for each rank.
func (s *Exchange) parts(n int) ([][]uint64, error) {
	if len(s.Matrix) > 0 {
		return s.listed(n)
	}
	if s.Bytes > 1<<50 {
		return nil, fmt.Errorf("bytes is %s (want at most 1024TiB)", s.Bytes)
	}
	shares := s.Shares
	if len(shares) == 0 {
		shares = make([]float64, n)
		for i := range shares {
			shares[i] = 1
		}
	}
	if len(shares) != n {
		return nil, fmt.Errorf("shares has %d numbers (want %d, one per rank)", len(shares), n)
	}
	sum := 0.0
	for i, x := range shares {
		if !(x >= 0) || math.IsInf(x, 1) {
			return nil, fmt.Errorf("shares[%d] is %v (want 0 or more)", i, x)
		}
		sum += x
	}
	if sum == 0 || math.IsInf(sum, 1) {
		return nil, fmt.Errorf("shares add up to %v (want more than 0)", sum)
	}
	row, at, before := make([]uint64, n), 0.0, uint64(0)
	for i, x := range shares {
		at += x
		end := min(uint64(s.Bytes), uint64(math.Round(float64(s.Bytes)*(at/sum))))
		row[i], before = end-before, end
	}
	out := make([][]uint64, n)
	for i := range out {
		out[i] = row
	}
	return out, nil
}

// listed is the matrix.
func (s *Exchange) listed(n int) ([][]uint64, error) {
	var bad []error
	if len(s.Shares) > 0 {
		bad = append(bad, errors.New("there is a matrix and shares; one of them must go"))
	}
	if len(s.Matrix) != n {
		bad = append(bad, fmt.Errorf("matrix has %d rows (want %d, one per rank)", len(s.Matrix), n))
	}
	out := make([][]uint64, len(s.Matrix))
	for i, row := range s.Matrix {
		if len(row) != n {
			bad = append(bad, fmt.Errorf("matrix[%d] has %d numbers (want %d, one per rank)", i, len(row), n))
		}
		for j, x := range row {
			if x > 1<<50 {
				bad = append(bad, fmt.Errorf("matrix[%d][%d] is %s (want at most 1024TiB)", i, j, x))
			}
			out[i] = append(out[i], uint64(x))
		}
	}
	return out, errors.Join(bad...)
}

func exchange(p *comm.Program, s Exchange) error {
	n := len(p.Ranks)
	parts, err := s.parts(n)
	if err != nil {
		return err
	}
	if err := s.check(p, 2*n); err != nil {
		return err
	}
	p.Parts = s.Steps.Steps
	for i := range n {
		t := comm.Thread{Rank: &p.Ranks[i]}
		for k := range s.Steps.Steps {
			t.Compute(s.Compute)
			var ops []int
			for d := 1; d < n; d++ { // what is for a rank itself stays where it is
				if from := (i - d + n) % n; parts[from][i] > 0 {
					ops = append(ops, t.Do(comm.Op{Kind: comm.Recv, Peer: int32(from), Tag: int64(k), Bytes: parts[from][i]}, false))
				}
			}
			for d := 1; d < n; d++ {
				if to := (i + d) % n; parts[i][to] > 0 {
					ops = append(ops, t.Do(comm.Op{Kind: comm.Send, Peer: int32(to), Tag: int64(k), Bytes: parts[i][to]}, false))
				}
			}
			t.Wait(ops...)
		}
	}
	return nil
}
