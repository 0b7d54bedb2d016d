package policy

import (
	"math/rand/v2"

	"github.com/causeway-sim/causeway/components/registry"
)

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "random",
		Doc:    "Evicts any line, drawn from the seed.",
		Source: "Belady, A study of replacement algorithms for a virtual-storage computer, IBM Systems Journal 1966",
		New: plain(func(g Geometry) Policy {
			return &random{uint32(g.Ways), rand.New(rand.NewPCG(g.Seed, 0x72616e646f6d))} // the stream is "random" in ASCII
		}),
	})
}

type random struct {
	ways uint32
	rng  *rand.Rand
}

func (p *random) Hit(int, int, Access)   {}
func (p *random) HitAny(int, int)        {}
func (p *random) Victim(int, Access) int { return int(p.rng.Uint32N(p.ways)) }
func (p *random) Fill(int, int, Access)  {}
func (p *random) Evict(int, int)         {}
