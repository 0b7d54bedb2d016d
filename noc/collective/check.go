package collective

import (
	"fmt"
	"math/rand/v2"
)

// Validate returns an error for a range outside the buffer, an unknown peer or dependency, a
// message that is not sent and received once with equal sizes, or a step that waits for a later
// one. CheckResult proves the results.
func (s *Schedule) Validate() error {
	type end struct {
		rank, peer int32
		bytes      int64
		seen       uint8 // 1 sent, 2 received
	}
	ends, joint := map[int32]end{}, combined{}
	for r, ops := range s.Ops {
		for i, op := range ops {
			bad := func(format string, args ...any) error {
				return fmt.Errorf("schedule %s: rank %d: operation %d (%s): %s", s.Name, r, i, op.Kind, fmt.Sprintf(format, args...))
			}
			if wrong := s.wrong(r, i, &op); wrong != "" {
				return bad("%s", wrong)
			}
			if op.Kind == Copy {
				continue
			}
			if op.Kind == Combine {
				if wrong := joint.add(r, &op); wrong != "" {
					return bad("%s", wrong)
				}
				continue
			}
			src, dst, side := int32(r), op.Peer, uint8(1)
			if op.Kind != Send {
				src, dst, side = op.Peer, int32(r), 2
			}
			e, known := ends[op.Tag]
			if known && (e.rank != src || e.peer != dst || e.bytes != op.Bytes || e.seen&side != 0) {
				return bad("message %d is another one elsewhere", op.Tag)
			}
			ends[op.Tag] = end{src, dst, op.Bytes, e.seen | side}
		}
	}
	for r, ops := range s.Ops {
		for i, op := range ops {
			if op.Kind == Combine && joint[op.Tag].ranks != len(s.Ops) {
				return fmt.Errorf("schedule %s: rank %d: operation %d (%s): %d of %d ranks take part in sum %d", s.Name, r, i, op.Kind, joint[op.Tag].ranks, len(s.Ops), op.Tag)
			}
			if op.Kind < Copy && ends[op.Tag].seen != 3 {
				return fmt.Errorf("schedule %s: rank %d: operation %d (%s): message %d has one end only", s.Name, r, i, op.Kind, op.Tag)
			}
		}
	}
	return s.checkSteps()
}

// wrong is what is wrong with operation i of a rank taken alone, "" for nothing.
func (s *Schedule) wrong(rank, i int, op *Op) string {
	if op.Off < 0 || op.Bytes < 1 && (s.Operation != Barrier || op.Bytes < 0) || op.Off > s.Buffer-op.Bytes {
		return fmt.Sprintf("range %d+%d is not within the %d B of the buffer", op.Off, op.Bytes, s.Buffer)
	}
	for _, a := range op.After {
		if a < 0 || int(a) >= i {
			return fmt.Sprintf("waits for operation %d", a)
		}
	}
	switch {
	case op.Kind > Combine:
		return "unknown kind"
	case op.Kind == Copy && (op.From < 0 || op.From > s.Buffer-op.Bytes):
		return fmt.Sprintf("source %d+%d is not within the %d B of the buffer", op.From, op.Bytes, s.Buffer)
	case op.Kind < Copy && (op.Peer < 0 || int(op.Peer) >= len(s.Ops) || int(op.Peer) == rank):
		return fmt.Sprintf("peer is %d", op.Peer)
	}
	return ""
}

// Execute runs the schedule on real vectors: buf[r] is the working buffer of rank r, one number
// per byte. rng picks the next of the operations that may start; a nil rng takes the first. It
// returns an error if the remaining operations wait for each other.
func (s *Schedule) Execute(buf [][]int64, rng *rand.Rand) error {
	return s.execute(buf, rng, func(int32, int32) {})
}

// execute is Execute, and calls did for each operation that is done.
func (s *Schedule) execute(buf [][]int64, rng *rand.Rand, did func(rank, op int32)) error {
	t := NewTracker(s)
	type opID struct{ rank, op int32 }
	var ready []opID
	t.Start(func(rank, op int32) { ready = append(ready, opID{rank, op}) })
	mail, joint := map[int32][]int64{}, map[int32][]opID{}
	waiting := map[int32]opID{}
	for len(ready) > 0 {
		i := 0
		if rng != nil {
			i = rng.IntN(len(ready))
		}
		id := ready[i]
		ready[i] = ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		op := &s.Ops[id.rank][id.op]
		part := buf[id.rank][op.Off : op.Off+op.Bytes]
		switch op.Kind {
		case Send:
			mail[op.Tag] = append([]int64(nil), part...)
			if w, ok := waiting[op.Tag]; ok {
				delete(waiting, op.Tag)
				ready = append(ready, w)
			}
		case Copy:
			copy(part, buf[id.rank][op.From:op.From+op.Bytes])
		case Combine:
			all := append(joint[op.Tag], id)
			if joint[op.Tag] = all; len(all) < len(s.Ops) {
				continue
			}
			sum := make([]int64, op.Bytes)
			for _, x := range all {
				o := &s.Ops[x.rank][x.op]
				for k := range sum {
					sum[k] += buf[x.rank][o.Off+int64(k)]
				}
			}
			for _, x := range all {
				copy(buf[x.rank][s.Ops[x.rank][x.op].Off:], sum)
				if x != id {
					did(x.rank, x.op)
					t.Done(x.rank, x.op, func(rank, op int32) { ready = append(ready, opID{rank, op}) })
				}
			}
		default:
			m, ok := mail[op.Tag]
			if !ok {
				waiting[op.Tag] = id
				continue
			}
			delete(mail, op.Tag)
			for k, v := range m {
				if op.Kind == Recv {
					part[k] = v
				} else {
					part[k] += v
				}
			}
		}
		did(id.rank, id.op)
		t.Done(id.rank, id.op, func(rank, op int32) { ready = append(ready, opID{rank, op}) })
	}
	if n := t.Left(); n > 0 {
		return fmt.Errorf("schedule %s: %d operations wait for each other", s.Name, n)
	}
	return nil
}

// value is what rank has at a byte of its input, different for all.
func value(rank int, at int64) int64 {
	return int64(rank+1)*1_000_003 + at*7919 + int64(rank)*at
}

// inputs are the working buffers of all ranks before the run, and which ranks have no data.
func (s *Schedule) inputs() (buf [][]int64, idle []bool) {
	buf, idle = make([][]int64, len(s.Ops)), make([]bool, len(s.Ops))
	for _, r := range s.Idle {
		idle[r] = true
	}
	for r := range buf {
		buf[r] = make([]int64, s.Buffer)
		for i := range buf[r] {
			buf[r][i] = -1 << 40 // scratch, and what is not there yet
		}
		for c := range s.Chunks {
			for _, in := range s.input(r, c) {
				for i := in.Off; i < in.End(); i++ {
					buf[r][i] = value(r, i)
					if idle[r] {
						buf[r][i] = 0
					}
				}
			}
		}
	}
	return buf, idle
}

// CheckResult executes the schedule on vectors of different numbers, and returns an error for a
// byte that differs from the operation's result.
func (s *Schedule) CheckResult(rng *rand.Rand) error {
	if s.Operation == Barrier {
		return s.checkBarrier(rng)
	}
	n := len(s.Ops)
	buf, idle := s.inputs()
	if err := s.Execute(buf, rng); err != nil {
		return err
	}
	sum := func(at int64) (v int64) {
		for r := range n {
			if !idle[r] {
				v += value(r, at)
			}
		}
		return v
	}
	for r := range buf {
		if idle[r] {
			continue
		}
		for c := range s.Chunks {
			for k, out := range s.output(r, c) {
				for i := out.Off; i < out.End(); i++ {
					var want int64
					switch s.Operation {
					case AllReduce, ReduceScatter, ReduceTo:
						want = sum(i)
					case Broadcast:
						want = value(s.Root, i)
					case AllGather, Gather:
						want = value(k, i)
					case Scatter:
						want = value(s.Root, i)
					case AllToAll: // block k came from rank k, where it was block r
						want = value(k, s.Blocks(c, 0)[r].Off+i-out.Off)
					}
					if buf[r][i] != want {
						return fmt.Errorf("schedule %s: %s: rank %d ends with %d at byte %d, want %d", s.Name, s.Operation, r, buf[r][i], i, want)
					}
				}
			}
		}
	}
	return nil
}

// checkBarrier executes the schedule and checks that at the end each rank depends on all ranks.
func (s *Schedule) checkBarrier(rng *rand.Rand) error {
	n := len(s.Ops)
	words := (n + 63) / 64
	heard := make([][][]uint64, n) // by rank and operation
	mail := map[int32][]uint64{}
	all := make([][]uint64, n) // what all operations of a rank have heard
	for r := range heard {
		heard[r] = make([][]uint64, len(s.Ops[r]))
		all[r] = make([]uint64, words)
		all[r][r/64] |= 1 << (r % 64)
	}
	merge := func(into, from []uint64) {
		for i, x := range from {
			into[i] |= x
		}
	}
	err := s.execute(make([][]int64, n), rng, func(rank, i int32) {
		op := &s.Ops[rank][i]
		h := make([]uint64, words)
		h[rank/64] |= 1 << (rank % 64)
		for _, a := range op.After {
			merge(h, heard[rank][a])
		}
		switch op.Kind {
		case Send:
			mail[op.Tag] = h
		case Recv, Reduce:
			merge(h, mail[op.Tag])
		}
		heard[rank][i] = h
		merge(all[rank], h)
	})
	if err != nil {
		return err
	}
	for r := range all {
		for of := range n {
			if all[r][of/64]>>(of%64)&1 == 0 {
				return fmt.Errorf("schedule %s: rank %d ends without rank %d having begun", s.Name, r, of)
			}
		}
	}
	return nil
}

// input lists what rank r brings to chunk c.
func (s *Schedule) input(r, c int) []Range {
	switch s.Operation {
	case AllGather, Gather:
		return s.Blocks(c, 0)[r : r+1]
	case AllToAll:
		return s.Blocks(c, 0)
	case Broadcast, Scatter:
		if r != s.Root {
			return nil
		}
	}
	return s.Chunks[c : c+1]
}

// output lists what rank r takes from chunk c.
func (s *Schedule) output(r, c int) []Range {
	switch s.Operation {
	case ReduceScatter, Scatter:
		return s.Blocks(c, 0)[r : r+1]
	case Gather:
		if r != s.Root {
			return nil
		}
		return s.Blocks(c, 0)
	case AllGather:
		return s.Blocks(c, 0)
	case AllToAll:
		return s.Blocks(c, 1)
	case ReduceTo:
		if r != s.Root {
			return nil
		}
	}
	return s.Chunks[c : c+1]
}
