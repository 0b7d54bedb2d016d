package zoo

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// All holds the models by name.
var All = registry.New[func(Params) (*graph.Graph, error)]("model")

// Build returns the model called name at the given parameters.
func Build(name string, p Params) (*graph.Graph, error) {
	e, err := All.Find(name)
	if err != nil {
		return nil, err
	}
	return e.New(p)
}

// A model is the description of a network in a file of this package.
type model struct {
	name, doc, source string
	sequence, image   limit // zero: the model has no such parameter
	decoder           bool  // has phase and context
	grouped           bool  // takes batches of unlike requests
	crossed           bool  // decodes with the sequence of an encoder
	ops, tensors      int   // room to make at once
	layers            int   // that Params.Only chooses from; 0: none
	build             func(b *graph.Builder, p Params)
}

func register(m model) {
	All.Add(registry.Entry[func(Params) (*graph.Graph, error)]{
		Name: m.name, Doc: m.doc, Source: m.source, Spec: m.spec(), New: m.graph,
	})
}

// graph builds the model.
func (m model) graph(p Params) (*graph.Graph, error) {
	p, err := m.resolve(p)
	if err != nil {
		return nil, err
	}
	b := graph.NewBuilder(m.name)
	ops, tensors := m.ops, m.tensors
	if n := len(p.Only); n > 0 && n < m.layers {
		ops, tensors = ops*(n+1)/m.layers, tensors*(n+1)/m.layers // as if what is outside layers were one more
	}
	b.Grow(ops, tensors)
	b.Symbol("batch", p.Batch)
	for _, s := range []struct {
		name string
		n    int
	}{{"sequence", p.Sequence}, {"context", p.Context}, {"image", p.Image}} {
		if s.n > 0 {
			b.Symbol(s.name, s.n)
		}
	}
	m.build(b, p)
	return b.Graph()
}
