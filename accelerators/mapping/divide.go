package mapping

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A division is how many parts the axes of a matrix operator are cut into: products
// (heads, groups), images, rows, columns, and the sum (0: not cut). Each part is a core's.
type division struct{ batch, image, row, col, k int }

func (d division) cores() int { return d.batch * d.image * d.row * d.col * max(d.k, 1) }

// share shares out operator i, which runs on the array, under the split auto.
func (x *Mapper) share(s *splitter, i int, cores []machine.Core, spec Spec, extra []*graph.Op) []portion {
	op := &s.g.Ops[i]
	m, ok := op.Matrix()
	if !ok {
		return x.shareAttention(s, i, cores, spec)
	}
	all := product.Whole(product.Collapse(m))
	return x.divide(s.g, op, &all, cores, len(cores), spec, extra)
}

// divide shares out a matrix operator, or a share of it, the way that takes the busiest
// core the least time, as estimated with the bandwidth that so many cores share: among
// all grids of products x images x rows x columns on the cores, or on some of them. Where some
// may be left idle (spares), the requests of all count a little (grids.rank), so that cores whose
// parts would be shorter than bursts are left idle. Rules for layers are left aside, so
// that a mapping given back makes the same shares.
func (x *Mapper) divide(g *graph.Graph, op *graph.Op, all *product.Share, cores []machine.Core, together int, spec Spec, extra []*graph.Op) []portion {
	spec.Layers = nil
	t := grids{x: x, g: g, op: op, all: all, cores: cores, together: together, spec: &spec, extra: extra}
	t.begin()
	return t.portions(nil, t.search())
}

// begin looks at what is shared out, and at the cores.
func (t *grids) begin() {
	m, _ := t.op.Matrix()
	m = product.Collapse(m)
	t.unit, t.length, t.least = 1, m.K, machine.Overflow
	if m.Conv != nil && m.Conv.Transposed {
		t.unit = int64(m.Conv.R * m.Conv.S)
	}
	t.differ = !t.x.alike(t.cores)
	t.multicast = !t.differ && t.spec.casts(&t.cores[0])
	t.bounds(m)
}

// search finds the best grid. Layers that repeat have one search.
func (t *grids) search() division {
	x, n := t.x, len(t.cores)
	x.asked = tile.Key{}
	t.try(divisions(t.all, t.unit, n, false)[0])
	key := gridKey{x.asked, *t.all, n, t.together, t.multicast}
	keep := !t.differ && x.asked != (tile.Key{})
	if known, ok := x.grids[key]; ok && keep {
		return known
	}
	if t.spares() {
		t.climb(t.trials())
	}
	for _, d := range t.among(n, false) {
		t.try(d)
	}
	if keep {
		x.grids[key] = t.best
	}
	return t.best
}

// trials are grids on some of the cores with their ranks by tiles on a coarse grid, the best first.
func (t *grids) trials() []ranked {
	first, least := t.best, t.least
	t.x.trial = true
	for _, n := range t.numbers() {
		if t.array/int64(n) > least { // the arrays of so few take longer
			continue
		}
		for _, d := range t.among(n, true) {
			t.try(d)
		}
	}
	t.x.trial = false
	t.best, t.least = first, least
	slices.SortStableFunc(t.tried, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	return t.tried
}

// climb searches all tiles of the best grids of trials, and of grids near the best one as long as one of
// those is better: a trial is up to a third off.
func (t *grids) climb(trials []ranked) {
	for _, r := range trials[:min(len(trials), finalGrids)] {
		t.try(r.division)
	}
	for best := (division{}); best != t.best; {
		best = t.best
		for _, r := range trials {
			if r.near(best) {
				t.try(r.division)
			}
		}
	}
}

// near reports whether the numbers of parts differ by a factor of two at most.
func (d division) near(e division) bool {
	close := func(a, b int) bool { return a <= 2*b && b <= 2*a }
	return close(d.batch, e.batch) && close(d.image, e.image) && close(d.row, e.row) && close(d.col, e.col) && close(max(d.k, 1), max(e.k, 1))
}

// finalGrids is how many of the best grids of trials are searched.
const finalGrids = 8

// A ranked grid is one that was tried.
type ranked struct {
	division
	rank int64
}

// numbers are the numbers of cores that are tried: all and halves of halves. Those come first that are
// likely to be enough for the bandwidth of the memory.
func (t *grids) numbers() (out []int) {
	for n := len(t.cores); n > 0; n /= 2 {
		out = append(out, n)
	}
	likely := len(t.cores)
	if t.floor > 0 {
		likely = int(min(int64(likely), likelyCores*(t.array/t.floor+1)))
	}
	slices.SortStableFunc(out, func(a, b int) int {
		return cmp.Compare(max(a, likely)/min(a, likely), max(b, likely)/min(b, likely))
	})
	return out
}

// likelyCores is about how many cores keep the memory busy whose arrays together take as long as it. Only the
// time of the search depends on it.
const likelyCores = 16

// A gridKey is all that the choice of a grid on equal cores depends on: of the first grid, what its
// mapping depends on, and what is shared out.
type gridKey struct {
	first           tile.Key
	all             product.Share
	cores, together int
	multicast       bool
}

// grids is the search for the way to share out a matrix operator.
type grids struct {
	x            *Mapper
	g            *graph.Graph
	op           *graph.Op
	all          *product.Share
	cores        []machine.Core
	together     int // cores that use the memory at the same time as all of cores do
	spec         *Spec
	extra        []*graph.Op
	unit, length int64
	multicast    bool
	differ       bool // not all cores are equal
	best         division
	tried        []ranked // in trials
	least        int64    // rank of best
	array        int64    // cycles in which one full array would make all of it
	floor        int64    // cycles in which the memory moves each operand once; 0: not known
	dense        bool     // the results are rows in memory, none of which stays on the chip
}

// bounds notes what no grid is faster than.
func (t *grids) bounds(m graph.Matrix) {
	core, x := &t.cores[0], t.x
	if h, err := machine.New(*core, t.g, t.op); err == nil && core.Planner == nil && !t.differ {
		t.array = t.all.Size() * m.K * h.Rate.Den / (h.Rate.Num * h.Rows * h.Cols)
	}
	if t.dense = m.Conv == nil && x.lays == nil && x.stays == nil; !t.dense || x.sharers(t.cores, core.Memory.Home) < len(t.cores) {
		return
	}
	wide := func(id graph.TensorID, n int64) int64 { // all of it, or as much as there is
		v := t.g.Tensor(id)
		return min(v.Unit().Size(n), v.Bytes())
	}
	products, rows, cols := t.all.Batch.Len(), t.all.Row.Len(), t.all.N.Len()
	t.floor = core.Memory.Busy(wide(t.op.In[0], products*rows*m.K)+wide(t.op.In[1], integer.Ceil(products, int64(max(m.SharedB, 1)))*m.K*cols)+wide(t.op.Out[0], products*rows*cols), 0)
}

// among lists the grids on n cores; with even set, also those of parts of equal lengths that do not divide n.
func (t *grids) among(n int, even bool) []division {
	return append(divisions(t.all, t.unit, n, even), t.sums(n, even)...)
}

// try keeps a grid if its rank is the least. Of equal ones the first has the most cores, then the fewest
// parts of columns, then of rows.
func (t *grids) try(d division) {
	if t.best.cores() > 0 && t.spares() && t.bound(d) > t.least {
		return
	}
	portions := t.x.spare[:0]
	if t.differ {
		portions = t.portions(portions, d)
	} else {
		portions = append(portions, t.first(d)) // no other is larger
	}
	t.x.spare = portions
	time, requests := int64(0), int64(0)
	for c := range portions {
		q := &portions[c]
		q.together = max(t.together*d.cores()/len(t.cores), 1)
		if c > 0 && t.cores[c] == t.cores[0] && q.sh.Size() <= portions[0].sh.Size() {
			continue // no slower than the first
		}
		p, err := t.x.planPortion(t.op, t.g, t.cores, *t.spec, q, t.extra)
		if err != nil { // smaller shares may still fit
			time = machine.Overflow
			break
		}
		time, requests = max(time, p.Time), max(requests, p.requests(&t.cores[c].Memory))
	}
	rank := t.rank(d, time, requests)
	if t.x.trial {
		t.tried = append(t.tried, ranked{d, rank})
	}
	if t.best.cores() == 0 || rank < t.least || rank == t.least && rank < machine.Overflow && t.spares() && d.cores() > t.best.cores() {
		t.least, t.best = rank, d
	}
}

// rank is the time of a grid and a little for the requests of all its cores, as in tile.Solution.timeOn: cores
// that hide what they move are equally fast here, and not where others share the memory.
func (t *grids) rank(d division, time, requests int64) int64 {
	if time == machine.Overflow || !t.spares() {
		return time
	}
	return t.x.spread(t.cores, d.cores(), time, requests)
}

// spread is the time of what n cores do, each with so many requests, and a little for the requests of all.
// What several cores made goes to the memory and back, where that of one may stay with it.
func (x *Mapper) spread(cores []machine.Core, n int, time, requests int64) int64 {
	core := &cores[0]
	if n > 1 && core.OnChip != machine.KeepNone {
		time += 2 * core.Memory.Latency
	}
	return time + requests*int64(min(n, x.sharers(cores, core.Memory.Home)))/tile.EffortShare
}

// bound is the least rank that a grid can have: its arrays are full, the memory moves each operand of
// a single product once, and rows of results that are cut are a request each.
func (t *grids) bound(d division) int64 {
	writes := int64(0)
	if t.dense && d.col > 1 {
		writes = t.all.Batch.Len() * t.all.Row.Len() * int64(d.col)
	}
	cores := int64(d.cores())
	return t.rank(d, max(t.array/cores, t.floor), 1+writes/cores)
}

// spares reports whether cores may be left idle, which they are not in a stage of a pipeline: others use the
// memory at the same time.
func (t *grids) spares() bool { return t.together <= len(t.cores) && t.x.spares(t.cores) }

// spares reports whether some of the cores may be left idle: they are equal, and no cache is in between, of
// which it is not known what the requests of several cores for the same bytes cost.
func (x *Mapper) spares(cores []machine.Core) bool { return x.alike(cores) && !cores[0].Memory.Caches }

// first is the portion of the first core of a grid: no other is larger.
func (t *grids) first(d division) portion {
	sh := product.Share{Batch: t.all.Batch.First(1, d.batch), Image: t.all.Image.First(1, d.image), Row: t.all.Row.First(1, d.row), N: t.all.N.First(t.unit, d.col)}
	if d.k > 0 {
		sh.K, sh.Sum = product.Part{From: 0, To: t.length / int64(d.k)}, dma.Fetch{At: 0, Of: int64(d.k)}
	}
	one := []portion{{of: 1, sh: sh}}
	if t.multicast {
		d.shareFetches(one, t.all, t.unit)
	}
	return one[0]
}

// portions are those of all cores of a grid.
func (t *grids) portions(out []portion, d division) []portion {
	out = d.portions(out, t.all, t.unit, t.length)
	if t.multicast {
		d.shareFetches(out, t.all, t.unit)
	}
	return out
}

// shareAttention shares out an attention as splitter.attention does among all cores, or among fewer where
// these take the least time: each part reads all keys and values that it sees.
func (x *Mapper) shareAttention(s *splitter, i int, cores []machine.Core, spec Spec) (best []portion) {
	op := &s.g.Ops[i]
	k := op.Kind.(graph.Attention)
	spec.Layers = nil
	least := int64(machine.Overflow)
	for _, n := range attentionNumbers(k, len(cores)) {
		fewer := *s
		fewer.cores = n
		portions := slices.DeleteFunc(numbered(fewer.attention(i, k)), func(q portion) bool { return q.none() })
		time, requests := int64(0), int64(0)
		for _, q := range []*portion{&portions[0], &portions[len(portions)-1]} {
			q.together = len(portions)
			p, err := x.planPortion(op, s.g, cores, spec, q, nil)
			if err != nil {
				time = machine.Overflow
				break
			}
			time, requests = max(time, p.Time), max(requests, p.requests(&cores[q.core].Memory))
		}
		if time < machine.Overflow {
			time = x.spread(cores, len(portions), time, requests)
		}
		if best == nil || time < least {
			best, least = portions, time
		}
		if !x.spares(cores) {
			break
		}
	}
	return best
}

// attentionNumbers are the numbers of cores among which an attention may be shared: all, halves of halves,
// and as many as there are heads, with doubles and halves of that.
func attentionNumbers(k graph.Attention, cores int) (out []int) {
	for n := cores; n > 0; n /= 2 {
		out = append(out, n)
	}
	heads := k.Batch * k.Group
	for n := heads; n < cores; n *= 2 {
		out = append(out, n)
	}
	for n := heads / 2; n > 0; n /= 2 {
		out = append(out, min(n, cores))
	}
	slices.SortFunc(out, func(a, b int) int { return b - a })
	return slices.Compact(out)
}

// shareVector shares vector work out evenly, among as many cores as take the least time: fewer than there
// are where parts would be shorter than bursts.
func (x *Mapper) shareVector(g *graph.Graph, op *graph.Op, cores []machine.Core) []portion {
	best, least := len(cores), int64(machine.Overflow)
	for n := best; n > 0 && x.spares(cores); n /= 2 {
		core := cores[0]
		together := min(n, x.sharers(cores, core.Memory.Home))
		core.Memory = core.Memory.Shared(together)
		p, err := x.stream(op, g, core, product.Part{From: int64(n) - 1, To: int64(n)}, int64(n)) // no other is larger
		if err != nil || p.work == nil {
			break
		}
		if p.work.Units == 1 && n > 1 { // there may be fewer than cores
			all, err := x.stream(op, g, core, product.Part{}, 0)
			if err != nil {
				break
			}
			if u := int(all.work.Units); u < n {
				n = 2 * u
				best = u
				continue
			}
		}
		requests := p.requests(&core.Memory)
		if rank := x.spread(cores, n, p.without(nil, &core), requests); rank < least {
			best, least = n, rank
		}
		if requests*core.Memory.Burst <= 2*p.Traffic.Total() {
			break // whole bursts, nearly
		}
	}
	out := make([]portion, best)
	for c := range out {
		out[c] = portion{cut: product.Part{From: int64(c), To: int64(c + 1)}, of: int64(best)}
	}
	return numbered(out)
}

func numbered(p []portion) []portion {
	for c := range p {
		p[c].core, p[c].part = c, c
	}
	return p
}

// divisions lists grids of at most n parts that leave no more of the cores idle than
// they must: of each axis the divisors of n and what the axis has, with even set also the divisors of that.
func divisions(all *product.Share, unit int64, n int, even bool) (out []division) {
	counts := func(length int64, most int) (out []int) {
		for c := 1; c <= most && int64(c) <= length; c++ {
			if n%c == 0 || int64(c) == length || even && length%int64(c) == 0 {
				out = append(out, c)
			}
		}
		return out
	}
	used := 0
	for _, c := range counts(all.N.Len()/unit, n) {
		rows := all.Row.Len()
		if unit > 1 { // rows of a transposed convolution overlap
			rows = 1
		}
		for _, r := range counts(rows, n/c) {
			for _, i := range counts(all.Image.Len(), n/(c*r)) {
				if r > 1 && int64(i) < min(all.Image.Len(), int64(n/(c*r))) {
					continue // images before rows of images
				}
				for _, b := range counts(all.Batch.Len(), n/(c*r*i)) {
					d := division{b, i, r, c, 0}
					out = append(out, d)
					used = max(used, d.cores())
				}
			}
		}
	}
	kept := out[:0]
	for _, d := range out {
		if 2*d.cores() > used || d.cores() == 1 {
			kept = append(kept, d)
		}
	}
	return kept
}

// portions are the parts of a grid on the first cores, those of the sum over length
// elements running fastest, then columns.
func (d division) portions(out []portion, all *product.Share, unit, length int64) []portion {
	bs, is := all.Batch.Cut(1, d.batch), all.Image.Cut(1, d.image)
	rs, cs := all.Row.Cut(1, d.row), all.N.Cut(unit, d.col)
	out = slices.Grow(out, d.cores())
	for _, b := range bs {
		for _, i := range is {
			for _, r := range rs {
				for _, c := range cs {
					sh := product.Share{Batch: b, Image: i, Row: r, N: c}
					for j := range int64(max(d.k, 1)) {
						if d.k > 0 {
							each := length / int64(d.k)
							sh.K, sh.Sum = product.Part{From: j * each, To: (j + 1) * each}, dma.Fetch{At: j, Of: int64(d.k)}
						}
						k := len(out)
						out = append(out, portion{core: k, part: k, of: 1, sh: sh})
					}
				}
			}
		}
	}
	return out
}

// shareFetches has the cores of a grid that read the same rows of inputs fetch them together,
// and those that read the same columns of weights. Cores whose parts are not equally
// large do not run in step and fetch for themselves.
func (d division) shareFetches(portions []portion, all *product.Share, unit int64) {
	even := all.N.Len()/unit%int64(d.col) == 0 && all.Row.Len()%int64(d.row) == 0 && all.Image.Len()%int64(d.image) == 0
	if !even {
		return
	}
	for c := range portions {
		k, c := &portions[c].sh, c/max(d.k, 1)
		k.Fetches[0] = dma.Fetch{At: int64(c % d.col), Of: int64(d.col)}
		k.Fetches[1] = dma.Fetch{At: int64(c / d.col % (d.image * d.row)), Of: int64(d.image * d.row)}
	}
}

// casts reports whether equal cores fetch together what they share: before one memory.
func (s *Spec) casts(core *machine.Core) bool {
	return s.Multicast == "all" || s.Multicast != "none" && !core.Memory.Caches && core.Memory.Home != ""
}
