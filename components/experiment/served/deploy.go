package served

import (
	"cmp"
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/deployed"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// deploy serves a model whose steps are priced from its description (workload.deployment): one
// executor stands for all chips, which do equal work.
func (s *Served) deploy() error {
	a, w := s.a, s.w
	d := &w.Spec.Deployment
	at := w.At.Get("deployment")
	decoder, err := w.Decoder(a.Doc)
	if err != nil {
		return err
	}
	types, err := d.Types(at, w.Spec.DType.DTypes)
	if err != nil {
		return err
	}
	if s.issues() {
		return at.Errorf(nil, "has no effect with times: issued (want times: planned at %s)", s.server.Name())
	}
	if s.at, s.idx, s.nics, err = a.CoresOf(w, 1); err != nil {
		return err
	}
	chip, ok := a.Workers[s.idx[0]].(work.Pricer)
	if !ok || len(s.idx) != 1 {
		return s.at.Errorf(nil, "%s needs one node of kind gpu, which stands for all chips (workload.deployment)", s.server.Name())
	}
	w.Job.Priced = true
	var prices []*deployed.Price
	layouts := []deployed.Layout{d.Layout}
	if n := s.server.Instances(); n > 1 {
		layouts = []deployed.Layout{d.Prefill, d.Decode}
	}
	for i, l := range layouts {
		l.Machine = cmp.Or(l.Machine, d.Machine)
		layouts[i] = l
		p, err := deployed.New(decoder, l, types, cmp.Or(d.Distribution, "balanced"), chip)
		if err != nil {
			return at.Errorf(nil, "%v", err)
		}
		prices = append(prices, p)
	}
	requests, err := w.Spec.Requests.Make(w.At.Get("requests"), a.Doc.ResolveFile, (&system.Env{Seed: a.Seed}).Rand("requests of "+w.Name()))
	if err != nil {
		return err
	}
	entry := entryBytes(decoder, types.KV)
	service := work.Service{Name: w.Name(), Requests: requests, Loop: w.Spec.Requests.Concurrency, Entry: max(entry, 1), Chips: 1,
		Time: func(all []work.Batch, instance int) (units.Time, error) {
			if len(all) != 1 {
				return 0, fmt.Errorf("%s: replicas have no effect with workload.deployment (want deployment.data)", s.server.Name())
			}
			p := prices[0]
			if len(prices) > 1 && instance >= s.server.Prefills() {
				p = prices[1]
			}
			return p.Step(all[0])
		}}
	a.Notes = append(a.Notes, fmt.Sprintf("workload.deployment: one chip stands for %d of an instance; its kernels price the steps of %s.", layouts[0].Chips(), w.Name()))
	if err := s.server.Serve(service); err != nil {
		return w.At.Get("requests").Locate(err)
	}
	return nil
}

// entryBytes is the bytes of a token's keys and values in all layers of a model.
func entryBytes(d zoo.Decoder, kv graph.DType) (sum uint64) {
	of, first := d.Kinds()
	each := map[int]uint64{}
	for _, l := range first {
		g, err := d.Graph(zoo.Params{Phase: zoo.Decode, Context: 1 << 10, Only: []int{l}, Routed: true})
		if err != nil {
			return 0
		}
		for i := range g.Tensors {
			if t := &g.Tensors[i]; t.Role == graph.KV && len(t.Shape) > 2 && t.Shape[2] == 1<<10 {
				each[l] += uint64(kv.Bytes(t.Elements() >> 10))
			}
		}
	}
	for _, k := range of {
		sum += each[k]
	}
	return sum
}
