// Package search finds the cheapest point of a space by random draws, local search, exhaustive
// search, or along derivatives of a relaxed cost. Searches of mappings use it. Left out: costs,
// neighbourhoods and derivatives, which the caller's Space gives.
//
// A Space makes Walkers; a Walker draws, changes and enumerates legal points and gives their
// cost, in any unit. Random draws points, local walks downhill from the best of some draws,
// exhaustive evaluates all points. A Proposer is a Walker that finds points by descending along
// derivatives, for gradient; a space without one refuses that.
//
//	best, report, err := search.Run(space, search.Options{Algorithm: search.Local, Evaluations: 100000})
//
// The work is cut into Streams parts, each with its own random numbers and its share of the
// evaluations. The result does not depend on the number of workers. Of points of equal cost the
// first of the lowest part wins.
//
// # Sources
//
// Parashar et al., Timeloop, ISPASS 2019, section V (random and exhaustive mappers).
// Kirkpatrick et al., Optimization by Simulated Annealing, Science 220, 1983.
package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
)

// A Space is a set of points of type P.
type Space[P any] interface {
	// Walker returns a new Walker, for one goroutine.
	Walker() Walker[P]
}

// A Walker visits the points of a space. In steady state only New may allocate.
type Walker[P any] interface {
	New() *P
	Copy(to, from *P)
	// Random draws a point into p; if false, the point is not legal and p must not be used.
	Random(r *rand.Rand, p *P) bool
	// Near moves p, which is legal, to a neighbour; if false, the neighbour is not legal.
	Near(r *rand.Rand, p *P) bool
	// All calls yield with each legal point of one part of several; the parts together are the
	// space. yield may not keep the point; false from yield ends the walk.
	All(part, parts int, p *P, yield func(*P) bool)
	// Cost returns the cost of a legal point; lower is better.
	Cost(p *P) float64
}

// A Proposer is a Walker of a space with a relaxed cost, which has derivatives.
type Proposer[P any] interface {
	Walker[P]
	// Propose descends along the derivatives from one of many starts, of which each has a number,
	// and calls yield with legal points near to where it ends. yield returns their Cost; more is
	// false where it must not be called again. p is scratch.
	Propose(r *rand.Rand, start int, p *P, yield func(*P) (cost float64, more bool)) Passes
}

// Passes are evaluations of a relaxed cost.
type Passes struct {
	Gradients int64 // with its derivatives
	Values    int64 // without
}

// The values of Options.Algorithm.
const (
	Random     = "random"
	Local      = "local"
	Exhaustive = "exhaustive"
	Gradient   = "gradient"
)

// Algorithms lists the values of Options.Algorithm.
var Algorithms = []string{Random, Local, Exhaustive, Gradient}

// Options configure a search.
type Options struct {
	Algorithm   string
	Evaluations int64 // most legal points that are evaluated; 0 is no limit, for exhaustive only
	Seed        uint64
	Workers     int // 0 is one; changes no result
}

// A Report describes a finished search.
type Report struct {
	Cost      float64
	Evaluated int64 // legal points
	Pruned    int64 // drawn points that are not legal
	Passes    Passes
	Complete  bool // every point was evaluated
}

// Streams is the number of parts of a search.
const Streams = 32

// ErrNoGradient is the error of Run if the algorithm is gradient and Walkers are no Proposers.
var ErrNoGradient = fmt.Errorf("algorithm is %s, and the space has no relaxed cost with derivatives (want one of: %s, %s, %s)", Gradient, Random, Local, Exhaustive)

// ErrNothing is the error of Run if no legal point was found.
var ErrNothing = errors.New("no legal point was found")

// Check returns an error for an unknown algorithm, no evaluations, or negative workers.
func (o Options) Check() error {
	switch {
	case !slices.Contains(Algorithms, o.Algorithm):
		return fmt.Errorf("algorithm is %q (want one of: %s)", o.Algorithm, strings.Join(Algorithms, ", "))
	case o.Evaluations < 0 || o.Evaluations == 0 && o.Algorithm != Exhaustive:
		return fmt.Errorf("evaluations are %d (want 1 or more)", o.Evaluations)
	case o.Workers < 0:
		return fmt.Errorf("workers are %d (want 1 or more)", o.Workers)
	}
	return nil
}

// Run returns the best point of a space. The error is that of Options.Check, of ctx,
// ErrNoGradient or ErrNothing.
func Run[P any](ctx context.Context, s Space[P], o Options) (*P, Report, error) {
	if err := o.Check(); err != nil {
		return nil, Report{}, err
	}
	if o.Algorithm == Gradient {
		if _, ok := s.Walker().(Proposer[P]); !ok {
			return nil, Report{}, ErrNoGradient
		}
	}
	found := make([]part[P], Streams)
	next, mu := 0, sync.Mutex{}
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next - 1
	}
	var wg sync.WaitGroup
	for range min(max(1, o.Workers), Streams) {
		wg.Go(func() {
			w := s.Walker()
			for i := take(); i < Streams && ctx.Err() == nil; i = take() {
				found[i] = newPart(ctx, w, o, i)
				found[i].run()
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, Report{}, err
	}
	r := Report{Cost: math.Inf(1), Complete: o.Algorithm == Exhaustive}
	var best *P
	for i := range found {
		p := &found[i]
		r.Evaluated += p.evaluated
		r.Pruned += p.pruned
		r.Passes.Gradients += p.passes.Gradients
		r.Passes.Values += p.passes.Values
		r.Complete = r.Complete && !p.cut
		if p.any && p.cost < r.Cost {
			best, r.Cost = p.best, p.cost
		}
	}
	if best == nil {
		return nil, r, ErrNothing
	}
	return best, r, nil
}

// A part is one of the Streams parts of a search.
type part[P any] struct {
	ctx               context.Context
	w                 Walker[P]
	o                 Options
	index             int
	rand              *rand.Rand
	budget            int64
	limited           bool
	evaluated, pruned int64
	passes            Passes
	any, cut          bool
	best              *P
	cost              float64
}

// each is how many evaluations a part of a search along derivatives has at least, so that one
// start leads to the next.
const each = 12

// parts is how many parts of a search have evaluations.
func (o Options) parts() int64 {
	if o.Algorithm == Gradient {
		return min(Streams, max(1, o.Evaluations/each))
	}
	return Streams
}

func newPart[P any](ctx context.Context, w Walker[P], o Options, i int) part[P] {
	parts := o.parts()
	budget := o.Evaluations / parts
	if int64(i) < o.Evaluations%parts {
		budget++
	}
	if int64(i) >= parts {
		budget = 0
	}
	return part[P]{ctx: ctx, w: w, o: o, index: i, rand: rand.New(rand.NewPCG(o.Seed, uint64(i))),
		budget: budget, limited: o.Evaluations > 0, best: w.New(), cost: math.Inf(1)}
}

func (p *part[P]) run() {
	switch p.o.Algorithm {
	case Random:
		p.random(p.w.New(), p.budget)
	case Local:
		p.local()
	case Gradient:
		p.gradient(p.w.(Proposer[P]))
	case Exhaustive:
		p.w.All(p.index, Streams, p.w.New(), func(x *P) bool {
			if p.limited && p.evaluated == p.budget || p.evaluated%4096 == 4095 && p.ctx.Err() != nil {
				p.cut = true
				return false
			}
			p.look(x)
			return true
		})
	}
}

// look evaluates a point and keeps the best.
func (p *part[P]) look(x *P) float64 {
	c := p.w.Cost(x)
	p.evaluated++
	if c < p.cost {
		p.any, p.cost = true, c
		p.w.Copy(p.best, x)
	}
	return c
}

// patience is how many draws in a row may fail to be legal, and deadEnd how many steps
// from a point.
const (
	patience = 200_000
	deadEnd  = 1_000
)

// random draws n legal points and returns the least cost; x is left at the last.
func (p *part[P]) random(x *P, n int64) {
	misses := 0
	for i := int64(0); i < n && misses < patience; {
		if !p.w.Random(p.rand, x) {
			misses++
			p.pruned++
			if misses%4096 == 0 && p.ctx.Err() != nil {
				return
			}
			continue
		}
		misses = 0
		i++
		p.look(x)
	}
}

// barren is how many starts in a row may propose no legal point.
const barren = 16

// gradient descends from start after start until its evaluations are spent.
func (p *part[P]) gradient(w Proposer[P]) {
	x := w.New()
	for start, misses := p.index, 0; p.evaluated < p.budget && misses < barren && p.ctx.Err() == nil; start += int(p.o.parts()) {
		before := p.evaluated
		n := w.Propose(p.rand, start, x, func(x *P) (float64, bool) { return p.look(x), p.evaluated < p.budget })
		p.passes.Gradients += n.Gradients
		p.passes.Values += n.Values
		if misses++; p.evaluated > before {
			misses = 0
		} else {
			p.pruned++
		}
	}
}

// local draws some points, then walks from the best: downhill always, uphill now and
// then and ever less, until nothing has improved for a while; then again from new
// draws.
func (p *part[P]) local() {
	const draws, stall = 32, 600
	here, there, start := p.w.New(), p.w.New(), p.w.New()
	for p.evaluated < p.budget && p.ctx.Err() == nil {
		cost, misses := math.Inf(1), 0
		for i := 0; i < draws && p.evaluated < p.budget && misses < patience; {
			if !p.w.Random(p.rand, there) {
				misses++
				p.pruned++
				continue
			}
			misses = 0
			i++
			if c := p.look(there); c < cost {
				cost = c
				p.w.Copy(start, there)
			}
		}
		if math.IsInf(cost, 1) {
			return
		}
		p.w.Copy(here, start)
		least, heat, moved := cost, 0.3, false
		for idle, misses := 0, 0; idle < stall && misses < deadEnd && p.evaluated < p.budget; {
			p.w.Copy(there, here)
			if !p.w.Near(p.rand, there) {
				misses++
				p.pruned++
				continue
			}
			misses, moved = 0, true
			c := p.look(there)
			heat *= 0.998
			if c <= cost || p.rand.Float64() < math.Exp((1-c/cost)/heat) {
				cost = c
				p.w.Copy(here, there)
			}
			if c < least {
				least, idle = c, 0
			} else {
				idle++
			}
		}
		if !moved {
			return // no point has a neighbour: there is nothing to walk
		}
	}
}

// Descend walks downhill from at, whose cost is least: it moves to the cheapest legal neighbour
// until none is cheaper, for at most rounds moves. It uses no random numbers. cost may complete a
// point; it returns false for one that is not legal.
func Descend[P any, C cmp.Ordered](at P, least C, near func(P) iter.Seq[P], cost func(*P) (C, bool), rounds int) P {
	for range rounds {
		moved := false
		for p := range near(at) {
			if c, ok := cost(&p); ok && c < least {
				at, least, moved = p, c, true
			}
		}
		if !moved {
			break
		}
	}
	return at
}
