package hammer

import "math/rand/v2"

// para refreshes one neighbour of an activated row with a probability, either of them equally
// likely, and keeps no state.
//
// Reference: Kim et al., ISCA 2014, section 8.
type para struct {
	random *rand.PCG
	below  uint64 // of 2^53
}

// Activated implements Defence.
func (p *para) Activated(int, uint32, int64) Ask {
	if p.random == nil {
		return Ask{}
	}
	x := p.random.Uint64()
	if x>>11 >= p.below {
		return Ask{}
	}
	return Ask{Low: x&1 == 0, High: x&1 == 1}
}

// Refreshed implements Defence.
func (*para) Refreshed(int) {}

// Managed implements Defence.
func (*para) Managed(int) (uint32, bool) { return 0, false }
