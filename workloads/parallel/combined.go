package parallel

import (
	"fmt"
	"iter"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A pass is where a stage is in a turn.
type pass struct {
	suffix   string
	began    int32                      // first operator of the turn, or of the part of it, in hand
	waits    int32                      // transfer that recomputation waits for; -1: none
	gathered map[*weight]graph.TensorID // with Zero 3, of the turn in hand
	ahead    graph.TensorID             // with Zero 3: result that the next gathering waits for
	late     []func()                   // gradients of weights that follow the next exchange, with Combined
}

// goesWith reports whether a pass forward and the pass back after it are of unlike microbatches or chunks.
func (t turn) goesWith(after turn) bool {
	return !t.backward && after.backward && (t.micro != after.micro || t.chunk != after.chunk)
}

// carry carries out a turn.
func (s *stage) carry(t turn) {
	c := s.chunks[t.chunk]
	s.suffix = fmt.Sprintf(".m%d", t.micro)
	if len(s.chunks) > 1 {
		s.suffix = fmt.Sprintf(".c%d%s", t.chunk, s.suffix)
	}
	if s.gathered == nil || !s.Early {
		s.gathered, s.ahead = map[*weight]graph.TensorID{}, graph.None
	}
	if !t.backward {
		s.forward(c, t)
		return
	}
	if s.backward(c, t); s.Zero >= 2 {
		s.reduce()
	}
}

// together carries out turns in parts that end at exchanges of experts, one part of each in turn. The chip has
// them in this order, so that an exchange goes on beside the next part of the other turn.
//
// Source: NVIDIA, Megatron-LM, --overlap-moe-expert-parallel-comm (combined 1F1B), with --delay-wgrad-compute.
func (s *stage) together(all ...turn) {
	at, pauses, next := slices.Repeat([]pass{s.pass}, len(all)), make([]func(), len(all)), make([]func() (struct{}, bool), len(all))
	for i, t := range all {
		var stop func()
		next[i], stop = iter.Pull(func(yield func(struct{}) bool) {
			pauses[i] = func() { yield(struct{}{}) }
			s.pause = pauses[i]
			s.carry(t)
		})
		defer stop()
	}
	for left := true; left; {
		left = false
		for i := range all {
			if next[i] == nil {
				continue
			}
			s.pass, s.pause, s.began = at[i], pauses[i], int32(len(s.out.Ops))
			if _, more := next[i](); !more {
				next[i] = nil
			}
			s.chain()
			at[i], left = s.pass, true
		}
	}
	s.pause = nil
}

// settle adds the gradients of weights that were put off.
func (s *stage) settle() {
	for _, f := range s.late {
		f()
	}
	s.late = nil
}
