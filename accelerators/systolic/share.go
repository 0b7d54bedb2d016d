package systolic

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A share is a work.Share in cycles and flat tables.
type share struct {
	work.Share
	base   addresses
	spread []*memory.Spread // by tensor, of those in pieces; nil: there are none
	roles  []graph.Role     // by tensor
	scores []bool           // by tensor: scores of an attention
	reuse  reuse
	ahead  []ahead // by job, of a share whose jobs are issued during the run
}

// addresses is where tensors lie, by tensor; the first two entries are the
// scratch memory and nothing.
type addresses []uint64

const firstTensor = 2

func (a addresses) of(id graph.TensorID) uint64 { return a[id+firstTensor] }

// pieces finds where a tensor lies that is in pieces; nil: it is not.
func (s *share) pieces(id graph.TensorID) *memory.Spread {
	if s.Spread == nil {
		return nil
	}
	x := s.Spread(id)
	if x != nil {
		if s.spread == nil {
			s.spread = make([]*memory.Spread, len(s.Graph.Tensors))
		}
		s.spread[id] = x
	}
	return x
}

// over is where a tensor of a transfer lies that is in pieces; nil: it is not.
func (s *share) over(id graph.TensorID) *memory.Spread {
	if s.spread == nil || id < 0 {
		return nil
	}
	return s.spread[id]
}

// A job is one entry of a program.
type job struct {
	*mapping.Job
	share   *share
	arrival uint64 // cycle from which on the core may turn to it
	steps   func() walker
	issued  work.Issued
	early   uint64 // bytes of weights that the job before has asked for
}

// maxSteps is the most steps of one layer: a minute of walking at fidelity analytic,
// hours of events at fidelity tile. The largest layers of published networks have some
// ten thousand on arrays of 32 x 32.
const maxSteps = 1 << 24

// Prepare implements work.Executor.
func (k *core) Prepare(w work.Share) error {
	s, err := k.ready(w)
	if err != nil {
		return err
	}
	k.known[w.ID] = s
	if w.Ahead {
		return k.ops.Ahead(&s.Share)
	}
	s.ahead = lookAhead(s)
	return nil
}

// attends reports whether any workload has attention, as one operator or several.
func (k *core) attends() bool {
	for _, s := range k.known {
		for i := range s.Graph.Ops {
			if _, ok := s.Graph.Ops[i].Kind.(graph.Attention); ok {
				return true
			}
		}
		if slices.Contains(s.scores, true) {
			return true
		}
	}
	return false
}

// job is the entry of a program as it stands there.
func (s *share) job(i int) job {
	j := &s.Program.Jobs[i]
	return job{Job: j, share: s, steps: func() walker { return j.Plan.Walk() }}
}

// ready checks a share and finds where its tensors lie.
func (k *core) ready(w work.Share) (*share, error) {
	s := &share{Share: w}
	for i := range w.Program.Jobs {
		j := &w.Program.Jobs[i]
		if j.Op < 0 || j.Op >= len(w.Graph.Ops) {
			return nil, fmt.Errorf("%s: job %d is operator %d of %d", k.Name(), i, j.Op, len(w.Graph.Ops))
		}
		if j.Plan == nil {
			return nil, fmt.Errorf("%s: layer %s has no mapping", k.Name(), w.Graph.Ops[j.Op].Name)
		}
		if p := j.Plan; p.Steps > maxSteps && !k.estimates {
			t := p.Tile
			return nil, fmt.Errorf("layer %s has %d steps (tiles of %d x %d x %d), which are walked one by one: a layer has at most %d (larger buffers in sram: make larger tiles; fidelity: analytic estimates such layers)",
				w.Graph.Ops[j.Op].Name, p.Steps, t.M, t.N, t.K, int64(maxSteps))
		}
		if w.Ahead && (len(j.After) > 0 || j.Awaited) && w.Issuer == nil {
			return nil, fmt.Errorf("%s: layer %s is shared with other cores, and no core reports to the others what is done", k.Name(), w.Graph.Ops[j.Op].Name)
		}
	}
	if err := k.place(s); err != nil {
		return nil, err
	}
	return s, nil
}

// place looks up the addresses of everything the program may move and checks
// that they have a home.
func (k *core) place(s *share) error {
	s.base = make(addresses, firstTensor+len(s.Graph.Tensors))
	s.roles = make([]graph.Role, len(s.Graph.Tensors))
	for i := range s.roles {
		s.roles[i] = s.Graph.Tensors[i].Role
	}
	s.scores = s.Graph.Scores()
	s.reuse = predictReuse(s)
	if k.routes == nil {
		return fmt.Errorf("%s has no memory", k.Name())
	}
	home := func(what string, addr, size uint64) error {
		for size > 0 {
			r, _, _, ok := k.routes.Map.Find(addr)
			if !ok {
				return fmt.Errorf("%s: %s reaches address %#x, which has no home", k.Name(), what, addr)
			}
			run := min(r.Size-(addr-r.Base), size)
			addr, size = addr+run, size-run
		}
		return nil
	}
	if n := s.Program.Scratch; n > 0 {
		s.base[0] = s.Base(dma.Scratch)
		if err := home("scratch memory", s.base[0], uint64(n)); err != nil {
			return err
		}
	}
	used := make([]bool, len(s.Graph.Tensors))
	for _, j := range s.Program.Jobs {
		for _, op := range j.All() {
			for _, ids := range [][]graph.TensorID{s.Graph.Ops[op].In, s.Graph.Ops[op].Out} {
				for _, id := range ids {
					if id != graph.None {
						used[id] = true
					}
				}
			}
		}
	}
	for id, u := range used {
		if !u {
			continue
		}
		t := &s.Graph.Tensors[id]
		if x := s.pieces(graph.TensorID(id)); x != nil { // Spread has checked that they have homes
			s.base[firstTensor+id], _, _ = x.Find(0, 0)
			continue
		}
		at := s.Base(graph.TensorID(id))
		s.base[firstTensor+id] = at
		if s.Tensors != nil {
			s.Tensors.Expect(graph.TensorID(id), at, s.reuse.left[id])
		}
		if err := home("tensor "+t.Name, at, uint64(t.Bytes())); err != nil {
			return err
		}
	}
	return nil
}
