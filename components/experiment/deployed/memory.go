package deployed

import (
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Weights is the bytes of the weights that the chip with the most layers holds.
func (p *Price) Weights() (uint64, error) {
	inside, outside := 0.0, 0.0
	for _, l := range p.first {
		g, err := p.rank.Graph(zoo.Params{Groups: []zoo.Group{{Requests: 1, Tokens: 1, Context: 64, Sample: true}}, Only: []int{l}, Routed: true})
		if err != nil {
			return 0, err
		}
		in, out := 0.0, 0.0
		for i := range g.Tensors {
			if t := &g.Tensors[i]; t.Role == graph.Weight {
				if _, rest, ok := graph.InLayer(t.Name); ok {
					in += float64(p.typeOf(strings.TrimSuffix(rest, ".weight")).Bytes(t.Elements()))
				} else {
					out += float64(graph.BF16.Bytes(t.Elements()))
				}
			}
		}
		if p.whole.Mixed(l) {
			in += p.expertBytes()
		}
		inside, outside = inside+in*float64(p.like[l]), out
	}
	return uint64(inside/float64(p.layout.Pipeline) + outside), nil
}

// expertBytes is the bytes of a layer's experts on one rank.
func (p *Price) expertBytes() float64 {
	d := &p.whole
	hidden, products := d.Hidden, 3
	if d.ExpertHidden > 0 {
		hidden = d.ExpertHidden
	}
	if d.Plain {
		products = 2
	}
	all := int64(d.Experts) * int64(products) * int64(hidden) * int64(d.FF)
	return float64(p.types.Experts.Bytes(all)) / float64(p.layout.Expert*p.layout.ExpertTensor)
}

// Entries is how many tokens have room for their keys and values in so many bytes of each chip: those of
// all groups of requests together.
func (p *Price) Entries(room uint64) int {
	each := EntryBytes(p.rank, p.types.KV)
	if each == 0 {
		return 0
	}
	return int(room*uint64(p.layout.Pipeline)/each) * p.layout.Data
}

// EntryBytes is the bytes of a token's keys and values in all layers of a model. Views of a cache, such as the
// latents without their rotary part, are no bytes of their own.
func EntryBytes(d zoo.Decoder, kv graph.DType) (sum uint64) {
	of, first := d.Kinds()
	each := map[int]uint64{}
	for _, l := range first {
		g, err := d.Graph(zoo.Params{Phase: zoo.Decode, Context: 1 << 10, Only: []int{l}, Routed: true})
		if err != nil {
			return 0
		}
		for i, at := range g.Storage() {
			if t := &g.Tensors[i]; at.In == graph.TensorID(i) && t.Role == graph.KV && len(t.Shape) > 2 && t.Shape[2] == 1<<10 {
				each[l] += uint64(kv.Bytes(t.Elements() >> 10))
			}
		}
	}
	for _, k := range of {
		sum += each[k]
	}
	return sum
}
