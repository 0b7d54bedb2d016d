package mapping

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A division is how many parts the axes of a matrix operator are cut into: products
// (heads, groups), images, rows, columns, and the sum (0: not cut). Each part is a core's.
type division struct{ batch, image, row, col, k int }

func (d division) cores() int { return d.batch * d.image * d.row * d.col * max(d.k, 1) }

// share shares out operator i, which runs on the array, under the split auto.
func (x *Mapper) share(s *splitter, i int, cores []Core, spec Spec, extra []*graph.Op) []portion {
	op := &s.g.Ops[i]
	m, ok := op.Matrix()
	if !ok {
		return x.shareAttention(s, i, cores, spec)
	}
	all := whole(collapse(m))
	return x.divide(s.g, op, &all, cores, len(cores), spec, extra)
}

// divide shares out a matrix operator, or a share of it, the way that takes the busiest
// core the least time, as estimated with the bandwidth that so many cores share: among
// all grids of products x images x rows x columns on the cores, or on some of them. Where some
// may be left idle (spares), the requests of all count a little (grids.rank), so that cores whose
// parts would be shorter than bursts are left idle. Rules for layers are left aside, so
// that a mapping given back makes the same shares.
func (x *Mapper) divide(g *graph.Graph, op *graph.Op, all *share, cores []Core, together int, spec Spec, extra []*graph.Op) []portion {
	spec.Layers = nil
	t := grids{x: x, g: g, op: op, all: all, cores: cores, together: together, spec: &spec, extra: extra}
	t.begin()
	return t.portions(nil, t.search())
}

// begin looks at what is shared out, and at the cores.
func (t *grids) begin() {
	m, _ := t.op.Matrix()
	m = collapse(m)
	t.unit, t.length, t.least = 1, m.K, overflow
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
	x.asked = memoKey{}
	t.try(divisions(t.all, t.unit, n, false)[0])
	key := gridKey{x.asked, *t.all, n, t.together, t.multicast}
	keep := !t.differ && x.asked != (memoKey{})
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
	first           memoKey
	all             share
	cores, together int
	multicast       bool
}

// grids is the search for the way to share out a matrix operator.
type grids struct {
	x            *Mapper
	g            *graph.Graph
	op           *graph.Op
	all          *share
	cores        []Core
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
	if h, err := newMachine(*core, t.g, t.op); err == nil && core.Planner == nil && !t.differ {
		t.array = t.all.size() * m.K * h.rate.Den / (h.rate.Num * h.rows * h.cols)
	}
	if t.dense = m.Conv == nil && x.lays == nil && x.stays == nil; !t.dense || x.sharers(t.cores, core.Memory.Home) < len(t.cores) {
		return
	}
	wide := func(id graph.TensorID, n int64) int64 { // all of it, or as much as there is
		v := t.g.Tensor(id)
		return min(size(n, widthOf(v)), v.Bytes())
	}
	products, rows, cols := t.all.batch.len(), t.all.row.len(), t.all.n.len()
	t.floor = core.Memory.time(wide(t.op.In[0], products*rows*m.K)+wide(t.op.In[1], ceil(products, int64(max(m.SharedB, 1)))*m.K*cols)+wide(t.op.Out[0], products*rows*cols), 0)
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
		if c > 0 && t.cores[c] == t.cores[0] && q.sh.size() <= portions[0].sh.size() {
			continue // no slower than the first
		}
		p, err := t.x.planPortion(t.op, t.g, t.cores, *t.spec, q, t.extra)
		if err != nil { // smaller shares may still fit
			time = overflow
			break
		}
		time, requests = max(time, p.Time), max(requests, p.requests(&t.cores[c].Memory))
	}
	rank := t.rank(d, time, requests)
	if t.x.trial {
		t.tried = append(t.tried, ranked{d, rank})
	}
	if t.best.cores() == 0 || rank < t.least || rank == t.least && rank < overflow && t.spares() && d.cores() > t.best.cores() {
		t.least, t.best = rank, d
	}
}

// rank is the time of a grid and a little for the requests of all its cores, as in shape.time: cores
// that hide what they move are equally fast here, and not where others share the memory.
func (t *grids) rank(d division, time, requests int64) int64 {
	if time == overflow || !t.spares() {
		return time
	}
	return t.x.spread(t.cores, d.cores(), time, requests)
}

// spread is the time of what n cores do, each with so many requests, and a little for the requests of all.
// What several cores made goes to the memory and back, where that of one may stay with it.
func (x *Mapper) spread(cores []Core, n int, time, requests int64) int64 {
	core := &cores[0]
	if n > 1 && core.OnChip != KeepNone {
		time += 2 * core.Memory.Latency
	}
	return time + requests*int64(min(n, x.sharers(cores, core.Memory.Home)))/effortShare
}

// bound is the least rank that a grid can have: its arrays are full, the memory moves each operand of
// a single product once, and rows of results that are cut are a request each.
func (t *grids) bound(d division) int64 {
	writes := int64(0)
	if t.dense && d.col > 1 {
		writes = t.all.batch.len() * t.all.row.len() * int64(d.col)
	}
	cores := int64(d.cores())
	return t.rank(d, max(t.array/cores, t.floor), 1+writes/cores)
}

// spares reports whether cores may be left idle, which they are not in a stage of a pipeline: others use the
// memory at the same time.
func (t *grids) spares() bool { return t.together <= len(t.cores) && t.x.spares(t.cores) }

// spares reports whether some of the cores may be left idle: they are equal, and no cache is in between, of
// which it is not known what the requests of several cores for the same bytes cost.
func (x *Mapper) spares(cores []Core) bool { return x.alike(cores) && !cores[0].Memory.Caches }

// first is the portion of the first core of a grid: no other is larger.
func (t *grids) first(d division) portion {
	sh := share{batch: t.all.batch.first(1, d.batch), image: t.all.image.first(1, d.image), row: t.all.row.first(1, d.row), n: t.all.n.first(t.unit, d.col)}
	if d.k > 0 {
		sh.k, sh.sum = part{0, t.length / int64(d.k)}, multicastShare{0, int64(d.k)}
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
func (x *Mapper) shareAttention(s *splitter, i int, cores []Core, spec Spec) (best []portion) {
	op := &s.g.Ops[i]
	k := op.Kind.(graph.Attention)
	spec.Layers = nil
	least := int64(overflow)
	for _, n := range attentionNumbers(k, len(cores)) {
		fewer := *s
		fewer.cores = n
		portions := slices.DeleteFunc(numbered(fewer.attention(i, k)), func(q portion) bool { return q.none() })
		time, requests := int64(0), int64(0)
		for _, q := range []*portion{&portions[0], &portions[len(portions)-1]} {
			q.together = len(portions)
			p, err := x.planPortion(op, s.g, cores, spec, q, nil)
			if err != nil {
				time = overflow
				break
			}
			time, requests = max(time, p.Time), max(requests, p.requests(&cores[q.core].Memory))
		}
		if time < overflow {
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
func (x *Mapper) shareVector(g *graph.Graph, op *graph.Op, cores []Core) []portion {
	best, least := len(cores), int64(overflow)
	for n := best; n > 0 && x.spares(cores); n /= 2 {
		core := cores[0]
		together := min(n, x.sharers(cores, core.Memory.Home))
		core.Memory = core.Memory.shared(together)
		p, err := x.stream(op, g, core, part{int64(n) - 1, int64(n)}, int64(n)) // no other is larger
		if err != nil || p.work == nil {
			break
		}
		if p.work.units == 1 && n > 1 { // there may be fewer than cores
			all, err := x.stream(op, g, core, part{}, 0)
			if err != nil {
				break
			}
			if u := int(all.work.units); u < n {
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
		out[c] = portion{cut: part{int64(c), int64(c + 1)}, of: int64(best)}
	}
	return numbered(out)
}

func numbered(p []portion) []portion {
	for c := range p {
		p[c].core, p[c].part = c, c
	}
	return p
}

// size is the number of elements of the share's index space.
func (s *share) size() int64 { return s.batch.len() * s.image.len() * s.row.len() * s.n.len() }

// divisions lists grids of at most n parts that leave no more of the cores idle than
// they must: of each axis the divisors of n and what the axis has, with even set also the divisors of that.
func divisions(all *share, unit int64, n int, even bool) (out []division) {
	counts := func(length int64, most int) (out []int) {
		for c := 1; c <= most && int64(c) <= length; c++ {
			if n%c == 0 || int64(c) == length || even && length%int64(c) == 0 {
				out = append(out, c)
			}
		}
		return out
	}
	used := 0
	for _, c := range counts(all.n.len()/unit, n) {
		rows := all.row.len()
		if unit > 1 { // rows of a transposed convolution overlap
			rows = 1
		}
		for _, r := range counts(rows, n/c) {
			for _, i := range counts(all.image.len(), n/(c*r)) {
				if r > 1 && int64(i) < min(all.image.len(), int64(n/(c*r))) {
					continue // images before rows of images
				}
				for _, b := range counts(all.batch.len(), n/(c*r*i)) {
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

// cut divides a range evenly into n, in whole units.
func (p part) cut(unit int64, n int) []part {
	out := even(p.len()/unit, n)
	for i := range out {
		out[i] = part{p.from + out[i].from*unit, p.from + out[i].to*unit}
	}
	return out
}

// first is the first and largest of n parts of a range, in whole units.
func (p part) first(unit int64, n int) part {
	return part{p.from, p.from + ceil(p.len()/unit, int64(n))*unit}
}

// portions are the parts of a grid on the first cores, those of the sum over length
// elements running fastest, then columns.
func (d division) portions(out []portion, all *share, unit, length int64) []portion {
	bs, is := all.batch.cut(1, d.batch), all.image.cut(1, d.image)
	rs, cs := all.row.cut(1, d.row), all.n.cut(unit, d.col)
	out = slices.Grow(out, d.cores())
	for _, b := range bs {
		for _, i := range is {
			for _, r := range rs {
				for _, c := range cs {
					sh := share{batch: b, image: i, row: r, n: c}
					for j := range int64(max(d.k, 1)) {
						if d.k > 0 {
							each := length / int64(d.k)
							sh.k, sh.sum = part{j * each, (j + 1) * each}, multicastShare{j, int64(d.k)}
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
func (d division) shareFetches(portions []portion, all *share, unit int64) {
	even := all.n.len()/unit%int64(d.col) == 0 && all.row.len()%int64(d.row) == 0 && all.image.len()%int64(d.image) == 0
	if !even {
		return
	}
	for c := range portions {
		k, c := &portions[c].sh, c/max(d.k, 1)
		k.casts[0] = multicastShare{int64(c % d.col), int64(d.col)}
		k.casts[1] = multicastShare{int64(c / d.col % (d.image * d.row)), int64(d.image * d.row)}
	}
}

// casts reports whether equal cores fetch together what they share: before one memory.
func (s *Spec) casts(core *Core) bool {
	return s.Multicast == "all" || s.Multicast != "none" && !core.Memory.Caches && core.Memory.Home != ""
}
