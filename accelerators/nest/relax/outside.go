package relax

import (
	"math"
	"slices"
)

// A Memory is the memory outside the outermost level: how long it is busy with what that level
// moves. Tensors take their times one after the other.
type Memory struct {
	Request float64 // cycles that a request takes at least; 0 is none
	Tensors []Stored
}

// A Stored tensor is how one lies in memory.
type Stored struct {
	// Size and Stride are those of its ranks in words. Packed: its tiles lie one after the other.
	Size, Stride []int64
	Packed       bool

	Word  float64 // cycles of a word at the bandwidth
	Sum   float64 // cycles of a word of partial sums
	Burst float64 // words of the longest request; 0 is no limit
	Share float64 // of the words that are data: padding is none
}

// chains finds the ranks of every tensor that follow each other in memory, those next to each
// other first.
func (m *model) chains() {
	m.chain = make([][]int, m.nT)
	if m.memory == nil {
		return
	}
	for t := range m.nT {
		x := &m.memory.Tensors[t]
		var order []int
		for i := range x.Size {
			if x.Size[i] > 1 {
				order = append(order, i)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return int(x.Stride[a] - x.Stride[b]) })
		run := int64(1)
		for _, i := range order {
			if x.Stride[i] != run && !x.Packed {
				break
			}
			run *= x.Size[i]
			m.chain[t] = append(m.chain[t], i)
		}
	}
}

// run is the logarithm of the words of tensor t that follow each other in memory, of the box that
// one turn of the loops of the outermost level takes: a rank counts as far as those inside it in
// memory are whole.
func (m *model) run(out *dual, t int) {
	m.reset(out)
	b, x := m.boxMid(0), &m.memory.Tensors[t]
	whole := 1.0 // how far ranks up to here are whole
	m.reset(&m.ratio)
	for _, i := range m.chain[t] {
		r, size := &m.rank[t][i], float64(x.Size[i])
		span := r.span(b.ext)
		log, inside := math.Log(span), span < size
		if !inside {
			log = math.Log(size)
		}
		out.v += whole * log
		if m.grad {
			for v, g := range m.ratio.d {
				out.d[v] += log * g
			}
			if inside {
				m.eachSpan(out, r, b, whole/span)
			}
		}
		if !inside || x.Packed {
			continue
		}
		w, slope := turns(math.Log(size) - log)
		if m.grad {
			for v := range m.ratio.d {
				m.ratio.d[v] *= 1 - w
			}
			m.eachSpan(&m.ratio, r, b, whole*slope/span)
		}
		if whole *= 1 - w; whole == 0 {
			return
		}
	}
}

// eachSpan adds the derivatives of the span of a rank, times g.
func (m *model) eachSpan(to *dual, r *rank, b box, g float64) {
	for k, d := range r.dim {
		for _, v := range m.inner[d][:b.n[d]] {
			to.d[v] += g * r.coef[k] * b.ext[d]
		}
	}
}

// fetch adds how long the memory is busy with tensor t, of which m.traffic leaves or comes.
func (m *model) fetch(t int, written bool) {
	x := &m.memory.Tensors[t]
	m.run(&m.tiled, t)
	part := &m.part[0]
	again := written && m.traffic.v > part.v
	if again {
		m.busy(part, x.Word, x, 1)
		m.busy(&m.traffic, x.Sum, x, 2)
		m.busy(part, x.Sum, x, -2)
		return
	}
	m.busy(&m.traffic, x.Word, x, x.Share)
}

// busy adds the time of words, given as a logarithm: that of their bytes, or that of their
// requests, in runs as long as m.tiled says.
func (m *model) busy(log *dual, word float64, x *Stored, times float64) {
	run, short := m.tiled.v, true
	if x.Burst > 0 && run > math.Log(x.Burst) {
		run, short = math.Log(x.Burst), false
	}
	each, narrow := word, false
	if r := m.memory.Request * math.Exp(-run); r > word {
		each, narrow = r, short
	}
	time := times * each * math.Exp(log.v)
	m.outside.v += time
	if !m.grad {
		return
	}
	for i, d := range log.d {
		m.outside.d[i] += time * d
	}
	if narrow {
		for i, d := range m.tiled.d {
			m.outside.d[i] -= time * d
		}
	}
}
