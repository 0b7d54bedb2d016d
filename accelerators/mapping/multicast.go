package mapping

import "github.com/causeway-sim/causeway/accelerators/mapping/dma"

// fetched corrects the traffic of a plan for what the core fetches itself.
func (p *Plan) fetched() {
	p.into = [2]int64{p.Traffic.Ifmap, p.Traffic.Filter}
	p.Traffic.Ifmap, p.Traffic.Filter = 0, 0
	for st := range p.All() {
		for i := range st.Loads {
			switch t := &st.Loads[i]; t.Buffer {
			case dma.Ifmap:
				p.Traffic.Ifmap += t.Bytes()
			case dma.Filter:
				p.Traffic.Filter += t.Bytes()
			}
		}
	}
}

// Multicast reports whether operands reach the core from others, too.
func (p *Plan) Multicast() bool { return p.tiles.Fetches[0].Shared() || p.tiles.Fetches[1].Shared() }
