package node

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// Names that exporters give to symbolic dimensions, in lower case. What is not
// listed is bound by Options.Symbols; the first dimension of an input is the
// batch whatever its name.
var (
	batchSymbols    = []string{"n", "b", "bs", "batch", "batch_size", "batchsize", "batch_dim"}
	sequenceSymbols = []string{"sequence", "seq", "seq_len", "seqlen", "seq_length", "sequence_length", "s"}
	// unnamedSymbols are placeholder names; such a dimension is called INPUT.POSITION, or batch at
	// position 0.
	unnamedSymbols = []string{"", "none", "?", "-1", "unk", "unknown"}
	contextSymbols = []string{"context", "past", "past_len", "past_seq_len", "past_sequence_length", "past_sequence", "total_sequence_length"}
)

// A binding gives the inputs of a model concrete shapes.
type binding struct {
	m        *Model
	errs     format.ErrorList
	batch    int
	bound    map[string]int // symbols
	reported map[string]bool
	symbolic bool     // some dimension took the batch
	fixed    []*Value // inputs whose first dimension is the number 1
	first    string   // input, for an error
}

// bind declares the inputs of the model with concrete shapes.
func (m *Model) bind(s *Scope, inputs []*onnxpb.ValueInfoProto) error {
	if m.Options.Batch < 0 {
		return &format.Error{File: m.file, Offset: -1, Msg: fmt.Sprintf("the batch is %d; it must be at least 1", m.Options.Batch)}
	}
	b := &binding{m: m, batch: max(m.Options.Batch, 1), bound: map[string]int{}, reported: map[string]bool{}}
	for _, in := range inputs {
		if s.values[in.Name] != nil {
			continue // an initializer that is listed as an input too
		}
		if v := b.input(in); v != nil {
			s.values[in.Name] = v
		}
	}
	if err := b.errs.Err(); err != nil {
		return err
	}
	if b.batch > 1 && !b.symbolic {
		// Exported for one image: the first dimension of the inputs is replaced, and so are
		// reshapes to it.
		if len(b.fixed) == 0 {
			return &format.Error{File: m.file, Offset: -1, Msg: fmt.Sprintf("batch %d: the model has no symbolic batch and no batch of 1; its first input is %s", b.batch, b.first)}
		}
		for _, v := range b.fixed {
			v.Shape[0] = b.batch
		}
		m.Rebatch = b.batch
	}
	m.b.Symbol("batch", b.batch)
	for name, n := range b.bound {
		m.b.Symbol(name, n)
	}
	return nil
}

// input is the value of an input; nil where an error was added.
func (b *binding) input(in *onnxpb.ValueInfoProto) *Value {
	t := in.GetType().GetTensorType()
	if t == nil || t.Shape == nil {
		b.fail(in, "the input %q has no tensor shape", in.Name)
		return nil
	}
	v := &Value{Name: in.Name, Elem: ElemType(t.ElemType), Role: graph.Input, ID: graph.None}
	if isCache(in.Name) {
		v.Role = graph.KV
	}
	if !b.shape(v, in, t.Shape.Dim) {
		return nil
	}
	wide := make([]int64, len(v.Shape))
	for i, d := range v.Shape {
		wide[i] = int64(d)
	}
	if _, fits := Dims(wide); !fits || slices.Contains(v.Shape, 0) {
		b.fail(in, "the input %q has the shape %v (want dimensions from 1 to %d and at most 2^52 elements)", in.Name, v.Shape, format.MaxDim)
		return nil
	}
	if b.first == "" {
		b.first = fmt.Sprintf("%q of shape %v", in.Name, v.Shape)
	}
	if len(v.Shape) > 1 && v.Shape[0] == 1 && !b.symbolic {
		b.fixed = append(b.fixed, v)
	}
	return v
}

// shape gives v its dimensions; false where one has no value.
func (b *binding) shape(v *Value, in *onnxpb.ValueInfoProto, list []*onnxpb.TensorShapeProto_Dimension) bool {
	ok := true
	for i, d := range list {
		size, name := d.GetDimValue(), d.GetDimParam()
		if name == "" && size > 0 {
			v.Shape = append(v.Shape, int(min(size, format.MaxDim+1)))
			continue
		}
		if slices.Contains(unnamedSymbols, strings.ToLower(name)) {
			if name = "batch"; i > 0 {
				name = fmt.Sprintf("%s.%d", in.Name, i)
			}
		}
		n, isBatch, found := b.m.symbol(name, i, b.batch, b.bound)
		if !found {
			if ok = false; !b.reported[name] {
				b.reported[name] = true
				b.fail(in, "the input %q has the symbolic dimension %q at position %d, which has no value; give it one (symbols: {%s: ...})", in.Name, name, i, name)
			}
			continue
		}
		b.symbolic = b.symbolic || isBatch
		v.Shape = append(v.Shape, n)
	}
	return ok
}

func (b *binding) fail(in *onnxpb.ValueInfoProto, msg string, args ...any) {
	b.errs.Add(&format.Error{File: b.m.file, Offset: in.FileOffset, Msg: fmt.Sprintf(msg, args...)})
}

// isCache reports whether an input is a key or value cache, by the names that exporters of
// language models use.
func isCache(name string) bool {
	return strings.HasPrefix(name, "past_key") || strings.HasPrefix(name, "past_value") || strings.HasPrefix(name, "past.") || strings.HasPrefix(name, "cache_")
}

// symbol is the value of a symbolic dimension at position at of an input.
func (m *Model) symbol(name string, at, batch int, bound map[string]int) (n int, isBatch, ok bool) {
	if v, known := m.Options.Symbols[name]; known && v > 0 {
		bound[name] = v
		return v, slices.Contains(batchSymbols, strings.ToLower(name)), true
	}
	if v, known := bound[name]; known {
		return v, false, true
	}
	lower := strings.ToLower(name)
	switch {
	case m.Options.Sequence > 0 && slices.Contains(sequenceSymbols, lower):
		n = m.Options.Sequence
	case m.Options.Context > 0 && slices.Contains(contextSymbols, lower):
		n = m.Options.Context
	case slices.Contains(batchSymbols, lower),
		at == 0 && !slices.Contains(sequenceSymbols, lower) && !slices.Contains(contextSymbols, lower):
		n, isBatch = batch, true
	default:
		// Sums such as "past_sequence_length + sequence_length".
		parts := strings.Split(name, "+")
		if len(parts) < 2 {
			return 0, false, false
		}
		for _, p := range parts {
			p = strings.TrimSpace(p)
			if k, err := strconv.Atoi(p); err == nil && k >= 0 && k <= format.MaxDim {
				n += k
				continue
			}
			k, _, found := m.symbol(p, max(at, 1), batch, bound)
			if !found {
				return 0, false, false
			}
			n += k
		}
	}
	bound[name] = n
	return n, isBatch, true
}
