package graph

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Layers returns the part of g in layers first to last, counted from 0: the operators whose names
// begin with L0., L1. and so on. Results of other operators that they read become inputs; their
// results that others read become outputs. Tensors without an operator in the part are removed,
// including weights.
func (g *Graph) Layers(first, last int) (*Graph, error) {
	have := g.layerCount()
	switch {
	case have == 0:
		return nil, fmt.Errorf("%s has no numbered layers (operators called L0., L1. and so on)", g.Name)
	case first < 0 || last < first || last >= have:
		return nil, fmt.Errorf("layers %d..%d of %s (want some of 0..%d)", first, last, g.Name, have-1)
	}
	out := &Graph{Name: g.Name, Symbols: g.Symbols, Notes: slices.Clone(g.Notes)}
	kept := make([]bool, len(g.Ops))
	for i := range g.Ops {
		n, ok := layerOf(g.Ops[i].Name)
		kept[i] = ok && n >= first && n <= last
	}
	made, read := g.usedOutside(kept)
	at := map[TensorID]TensorID{None: None}
	take := func(ids []TensorID, input bool) (list []TensorID) {
		for _, id := range ids {
			if _, ok := at[id]; !ok {
				t := g.Tensors[id]
				switch {
				case t.Role == Activation && input && made[id]:
					t.Role = Input
				case t.Role == Activation && !input && read[id] && !g.readBy(id, kept):
					t.Role = Output
				}
				at[id] = out.Add(t)
			}
			list = append(list, at[id])
		}
		return list
	}
	for i := range g.Ops {
		if kept[i] {
			op := g.Ops[i]
			op.In, op.Out = take(op.In, true), take(op.Out, false)
			out.Append(op)
		}
	}
	out.Notes = append(out.Notes, fmt.Sprintf("Layers %d to %d of %d are carried out (workload.layers), and nothing before or after them.", first, last, have))
	return out, nil
}

// layerCount is one more than the highest number of a layer; 0 without numbered layers.
func (g *Graph) layerCount() (n int) {
	for i := range g.Ops {
		if k, ok := layerOf(g.Ops[i].Name); ok {
			n = max(n, k+1)
		}
	}
	return n
}

// usedOutside marks the tensors that operators write and read which are not kept.
func (g *Graph) usedOutside(kept []bool) (made, read []bool) {
	made, read = make([]bool, len(g.Tensors)), make([]bool, len(g.Tensors))
	for i := range g.Ops {
		if kept[i] {
			continue
		}
		for _, id := range g.Ops[i].Out {
			made[id] = true
		}
		for _, id := range g.Ops[i].In {
			if id != None {
				read[id] = true
			}
		}
	}
	return made, read
}

// readBy reports whether an operator that is kept reads the tensor.
func (g *Graph) readBy(id TensorID, kept []bool) bool {
	for i := range g.Ops {
		if kept[i] && slices.Contains(g.Ops[i].In, id) {
			return true
		}
	}
	return false
}

// LayerOf returns the layer of an operator by its name: 3 for L3.q.
func LayerOf(name string) (n int, ok bool) { return layerOf(name) }

// InLayer returns the layer of an operator and its name in it: 3 and q for L3.q. Outside of layers
// rest is the whole name.
func InLayer(name string) (n int, rest string, ok bool) {
	if n, ok = layerOf(name); !ok {
		return 0, name, false
	}
	_, rest, _ = strings.Cut(name, ".")
	return n, rest, true
}

// layerOf is the number of the layer that an operator belongs to: 3 for L3.q.
func layerOf(name string) (n int, ok bool) {
	number, _, dot := strings.Cut(strings.TrimPrefix(name, "L"), ".")
	if !dot || !strings.HasPrefix(name, "L") {
		return 0, false
	}
	n, err := strconv.Atoi(number)
	return n, err == nil && n >= 0
}
