package library

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
)

// A Transfer is what the chips of a machine send each other: Ranks of them, over switched links.
type Transfer struct {
	Func  string  // one of graph.Exchanges
	Ranks int     // chips
	Bytes float64 // of a collective's larger buffer on one chip
	// Narrow says that elements are of less than two bytes: switches do not add them up.
	Narrow bool

	// Of dispatch and combine: tokens of each chip, their hidden elements of Size bytes, the
	// experts that a token picks of those on all chips, and SMs that send; 0: as many as it
	// takes, with kernels of low latency.
	Tokens, Hidden, Picks, Experts, SMs int
	Size                                float64
}

// links is the rules of transfers that libraries have for the chips of a generation, in a machine
// whose chips reach each other over one switch.
type links struct {
	fitted string
	nccl   map[string]*collective
	custom *custom
	near   map[string]*spread // dispatch and combine of low latency
	far    map[string]*stream // those of high throughput
}

// Links is the kernels that move data between the chips of a machine.
type Links struct {
	rules *links
	Fit   string // the rows that its values were fitted on
}

// LinksOf is the kernels for a generation; ok is false where none were measured.
func LinksOf(generation string) (l *Links, ok bool) {
	if generation == "sm103" { // its links are those of sm100
		generation = "sm100"
	}
	r, ok := nccl[generation]
	if !ok {
		return nil, false
	}
	return &Links{r, r.fitted}, true
}

// Transfer is the cost of a transfer on each of its chips; ok is false where there are no kernels
// for it.
func (l *Links) Transfer(c *Chip, p Transfer) (x kernel.Cost, ok bool) {
	switch p.Func {
	case "custom_all_reduce":
		if l.rules.custom == nil {
			return x, false
		}
		return l.rules.custom.cost(c, p, l.rules.nccl["all_reduce"]), true
	case "dispatch", "combine":
		if r, has := l.rules.far[p.Func]; has && p.SMs > 0 {
			return r.cost(c, p), true
		}
		if r, has := l.rules.near[p.Func]; has && p.SMs == 0 {
			return r.cost(c, p), true
		}
		return x, false
	}
	r, ok := l.rules.nccl[p.Func]
	if ok {
		x = r.cost(c, p)
	}
	return x, ok
}

// collective is the rule of a collective of NCCL, which takes the fastest of its protocols: LL
// sends a flag with every 4 bytes, LL128 one with 120, Simple waits for whole slots. Chips pass
// parts on in a ring, or the switch adds them up (NVLS).
type collective struct {
	launch float64 // s
	hop    float64 // s: of each chip that a part passes, with LL
	low    float64 // share of the link that LL reaches
	wait   float64 // s more of each chip with LL128
	line   float64 // share of LL128
	fill   float64 // s more with Simple
	simple float64 // share of Simple
	pair   float64 // link times over chips, for each byte: fewer chips have fewer channels
	ramp   float64 // of the root of the time on the link, in us: slots grow with the size
	inside float64 // s more with NVLS; without a share below: there is none
	nvls   float64 // share of NVLS
}

// wire is the bytes that each chip sends at the least.
func (p *Transfer) wire() float64 {
	w := p.Bytes * float64(p.Ranks-1) / float64(p.Ranks)
	if p.Func == "all_reduce" || p.Func == "custom_all_reduce" {
		w *= 2
	}
	return w
}

// cost is the time of a collective.
func (a *collective) cost(c *Chip, p Transfer) kernel.Cost {
	n, hops := float64(p.Ranks), float64(p.Ranks-1)
	sent := p.wire() / c.Link
	ramp := func(s float64) float64 { return a.ramp * math.Sqrt(s*us) }
	more := min(sent/a.low, a.wait*hops+sent/a.line, a.fill+sent*(1/a.simple+a.pair/n)+ramp(sent))
	if whole := p.Bytes / c.Link; a.nvls > 0 && p.Ranks > 2 && !p.Narrow {
		more = min(more, a.inside+whole*(n+1)/(n*a.nvls)+ramp(whole))
	}
	launch := a.launch + a.hop*hops
	return kernel.Cost{Total: launch + more, Launch: launch, Memory: more, Bytes: p.wire()}
}

// custom is the rule of TensorRT-LLM's own all-reduce: each chip reads what all others have
// (one-shot), or parts are added up and then gathered (two-shot); large ones are NCCL's.
type custom struct {
	launch float64 // s
	chip   float64 // s for each other chip
	once   float64 // share of the link that one-shot reaches
	again  float64 // s more of two-shot
	twice  float64 // share of two-shot
	nccl   float64 // of the time of NCCL
}

func (a *custom) cost(c *Chip, p Transfer, large *collective) kernel.Cost {
	others := float64(p.Ranks - 1)
	launch := a.launch + a.chip*others
	total := launch + min(p.Bytes*others/(c.Link*a.once), a.again+p.wire()/(c.Link*a.twice))
	p.Func = "all_reduce"
	total = min(total, large.cost(c, p).Total*a.nccl)
	launch = min(launch, total)
	return kernel.Cost{Total: total, Launch: launch, Memory: total - launch, Bytes: p.wire()}
}

// spread is the rule of dispatch or combine of low latency (DeepEP): each pick is sent on its own,
// and each expert is served by one group of warps.
type spread struct {
	launch float64 // s
	expert float64 // s of each expert of a chip
	link   float64 // share
	group  float64 // bytes per second of one expert's warps
	width  float64 // s of each hidden element
}

func (a *spread) cost(c *Chip, p Transfer) kernel.Cost {
	bytes := float64(p.Tokens) * float64(p.Picks) * float64(p.Hidden) * p.Size
	launch := a.launch + a.expert*float64(p.Experts)/float64(p.Ranks) + a.width*float64(p.Hidden)
	more := norm4(bytes/(c.Link*a.link), bytes/(float64(p.Experts)*a.group), 0)
	return kernel.Cost{Total: launch + more, Launch: launch, Memory: more, Bytes: bytes}
}

// stream is the rule of dispatch or combine of high throughput (DeepEP): a token goes once to each
// chip that has one of its experts, and some SMs send.
type stream struct {
	launch      float64 // s
	width       float64 // s of each hidden element
	token, chip float64 // s that an SM works on a token, and more for each chip that it goes to
	bytes, copy float64 // s of a byte of it, and of one of each chip
	link        float64 // share
}

func (a *stream) cost(c *Chip, p Transfer) kernel.Cost {
	n := float64(p.Ranks)
	chips := n * (1 - math.Pow(1-1/n, float64(p.Picks))) // with an expert of the token
	row := float64(p.Hidden) * p.Size
	each := a.token + a.chip*chips + row*(a.bytes+a.copy*chips)
	launch := a.launch + a.width*float64(p.Hidden)
	sent := float64(p.Tokens) * row * chips
	more := norm4(float64(p.Tokens)/float64(p.SMs)*each, sent/(c.Link*a.link), 0)
	return kernel.Cost{Total: launch + more, Launch: launch, Memory: more, Bytes: sent}
}
