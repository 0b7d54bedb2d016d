package served

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/deployed"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
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
	multiplies := func(graph.DType) bool { return false }
	if m, ok := chip.(work.Multiplier); ok {
		multiplies = m.Multiplies
	}
	types, said, err := w.Formats(a.Doc, multiplies)
	if err != nil {
		return err
	}
	if err := d.Fused.Check(); err != nil {
		return at.Place("fused").Errorf(nil, "%v", err)
	}
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
		p.Fuse(d.Fused)
		prices = append(prices, p)
	}
	requests, err := w.Spec.Requests.Make(w.At.Get("requests"), a.Doc.ResolveFile, (&system.Env{Seed: a.Seed}).Rand("requests of "+w.Name()))
	if err != nil {
		return err
	}
	entry := deployed.EntryBytes(decoder, types.KV)
	service := work.Service{Name: w.Name(), Requests: requests, Loop: w.Spec.Requests.Concurrency, Entry: max(entry, 1), Chips: 1, Layers: decoder.Layers, Senders: layouts[0].Chips(), Room: s.room(prices), Groups: s.groups(layouts),
		Time: func(all []work.Batch, instance int) (units.Time, error) {
			if len(all) > 1 && len(all) != s.groups(layouts)(instance) {
				return 0, fmt.Errorf("%s: replicas have no effect with workload.deployment (want deployment.data)", s.server.Name())
			}
			p := prices[0]
			if len(prices) > 1 && instance >= s.server.Prefills() {
				p = prices[1]
			}
			return p.Step(all...)
		}}
	if n := len(layouts); n > 1 { // each of the chips that hold a prompt's entries has an interface of its own
		service.Senders = min(service.Senders, layouts[1].Chips())
	}
	a.Notes = append(a.Notes, fmt.Sprintf("workload.deployment: one chip stands for %d of an instance; its kernels price the steps of %s, with %s.", layouts[0].Chips(), w.Name(), said))
	if err := s.server.Serve(service); err != nil {
		return w.At.Get("requests").Locate(err)
	}
	return nil
}

// groups is Groups of a work.Service: those of a layout have data parallel attention.
func (s *Served) groups(layouts []deployed.Layout) func(instance int) int {
	return func(instance int) int {
		l := layouts[0]
		if len(layouts) > 1 && instance >= s.server.Prefills() {
			l = layouts[1]
		}
		return l.Normal().Data
	}
}

// room is Room of a work.Service: the memory of a chip that weights leave, for each kind of instance.
func (s *Served) room(prices []*deployed.Price) func(instance int, share float64) (int, error) {
	chip, ok := s.a.Workers[s.idx[0]].(work.Holding)
	if !ok {
		return nil
	}
	return func(instance int, share float64) (int, error) {
		p := prices[0]
		if len(prices) > 1 && instance >= s.server.Prefills() {
			p = prices[1]
		}
		size := chip.MemorySize()
		if size == 0 {
			return 0, s.at.Errorf(nil, "kv_share of %s needs the size of the memory of %s (capacity)", s.server.Name(), s.a.Workers[s.idx[0]].Name())
		}
		weights, err := p.Weights()
		if err != nil {
			return 0, err
		}
		room := share * float64(size)
		if float64(weights) >= room {
			note := fmt.Sprintf("workload.deployment: weights take %s of a chip, and %s of its %s are for them and for keys and values (kv_share): memory limits nothing.", units.Bytes(weights), units.Bytes(room), units.Bytes(size))
			if !slices.Contains(s.a.Notes, note) {
				s.a.Notes = append(s.a.Notes, note)
			}
			return 0, nil
		}
		return p.Entries(uint64(room) - weights), nil
	}
}
