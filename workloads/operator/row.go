package operator

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Row is one operator of a list.
type Row struct {
	Name  string
	Op    string
	Sizes map[string]int // by column; left out: the operator's default
	DType *graph.DType   // nil: that of the workload
	// Weight and KV are the element types of weights and of cached keys and values; nil: DType.
	Weight, KV *graph.DType
}

// Bounds of one list, so that sums over it stay exact.
const (
	maxRows = 1 << 16
	maxSize = 1<<31 - 1
	maxWork = 1 << 60 // multiply-accumulates of a row
	maxRoom = 1 << 50 // elements of a row's tensors
)

// A fault is one thing wrong with a row, at one of its columns.
type fault struct {
	column string
	text   string
	want   []string
}

// zero are the sizes that may be nothing, and apart those that do not multiply the work.
var (
	zero  = map[string]bool{"padding": true, "context": true, "causal": true, "partial": true, "gated": true, "distribution": true, "sms": true}
	apart = map[string]bool{"stride": true, "padding": true, "groups": true, "kv_heads": true, "causal": true, "partial": true, "statistics": true,
		"experts": true, "expert_parallel": true, "tensor_parallel": true, "gated": true, "distribution": true, "ranks": true, "sms": true}
	flag = map[string]bool{"causal": true, "gated": true} // true or 1, false or 0
)

func bit(on bool) int {
	if on {
		return 1
	}
	return 0
}

// check returns the error of a row.
func (r *Row) check() (out []fault) {
	f, ok := formOf(r.Op)
	if !ok {
		return []fault{{"op", fmt.Sprintf("unknown operator %q", r.Op), Names()}}
	}
	if out = r.checkSizes(f); r.Op == "decode" || r.Op == "mla_decode" {
		out = append(out, r.checkDecode()...)
	}
	if r.Op == "moe" && len(out) == 0 {
		out = r.checkMoE(f)
	}
	if strings.Contains(r.Name, Part) {
		out = append(out, fault{"name", fmt.Sprintf("the name %q has %q in it, which parts a row from its operators", r.Name, Part), nil})
	}
	if len(out) > 0 {
		return out
	}
	// Building a graph of the row alone reports sizes that do not fit together.
	work := 1.0
	for _, s := range f.sizes {
		if !apart[s.name] {
			work *= float64(max(r.get(f, s.name), 1))
		}
	}
	if work > maxWork || work > maxRoom && !f.has("k") && !f.has("kernel") && !f.has("heads") {
		return []fault{{"op", fmt.Sprintf("%s of these sizes is too large (want at most 2^60 products, or 2^50 elements)", r.Op), nil}}
	}
	b := graph.NewBuilder(r.Name)
	f.build(b, r.Name, func(name string) int { return r.get(f, name) })
	g, err := b.Graph()
	if err != nil {
		return []fault{{"op", strings.TrimPrefix(err.Error(), r.Name+": "), nil}} // graph and operator have one name
	}
	return r.checkTypes(g)
}

// checkSizes reports sizes that the operator does not have, those out of range and missing ones.
func (r *Row) checkSizes(f form) (out []fault) {
	for _, name := range sizeNames() {
		n, given := r.Sizes[name]
		switch {
		case given && !f.has(name):
			out = append(out, fault{name, fmt.Sprintf("%s has no %s", r.Op, name), f.names()})
		case given && flag[name] && (n < 0 || n > 1):
			out = append(out, fault{name, fmt.Sprintf("%s is %d (want true or false)", name, n), nil})
		case given && (n < 0 || n == 0 && !zero[name] || n > maxSize):
			out = append(out, fault{name, fmt.Sprintf("%s is %d (want %d to 2^31-1)", name, n, 1-bit(zero[name])), nil})
		}
	}
	for _, s := range f.sizes {
		if _, given := r.Sizes[s.name]; !given && !s.optional {
			out = append(out, fault{s.name, fmt.Sprintf("%s needs %s", r.Op, s.name), nil})
		}
	}
	return out
}

// checkDecode returns the error of a row of one token per request.
func (r *Row) checkDecode() (out []fault) {
	context, sequence := r.Sizes["context"], r.Sizes["sequence"]
	switch {
	case context == 0 && sequence == 0:
		out = append(out, fault{"context", r.Op + " needs context (or sequence): the tokens that it reads", nil})
	case context > 0 && sequence > 1:
		out = append(out, fault{"sequence", fmt.Sprintf("sequence is %d, and has no effect: %s reads the %d tokens of context (want one of the two, or sequence 1)", sequence, r.Op, context), nil})
	}
	if causal, given := r.Sizes["causal"]; given && causal == 0 {
		out = append(out, fault{"causal", "causal: false has no effect: decode is of the last token, which sees all of them", nil})
	}
	return out
}

func (r *Row) get(f form, name string) int {
	if n, ok := r.Sizes[name]; ok {
		return n
	}
	i := slices.IndexFunc(f.sizes, func(s size) bool { return s.name == name })
	return f.sizes[i].absent
}

// Graph returns a graph of checked rows, in their order, each row with separate tensors. Rows
// without an element type have the types d.
func Graph(name string, rows []Row, d graph.DTypes) (*graph.Graph, error) {
	b := graph.NewBuilder(name)
	b.Grow(len(rows), 3*len(rows))
	for i := range rows {
		r := &rows[i]
		f, ok := formOf(r.Op)
		if !ok {
			return nil, fmt.Errorf("%s: unknown operator %q", r.Name, r.Op)
		}
		f.build(b, r.Name, func(name string) int { return r.get(f, name) })
	}
	g, err := b.Graph()
	if err != nil {
		return nil, err
	}
	g.List = true
	g.SetDTypes(d)
	row := -1
	defer func() { // of transfers, when the element types are known
		for i := range g.Ops {
			if t, ok := g.Ops[i].Kind.(graph.Transfer); ok {
				t.Bytes = g.Tensor(g.Ops[i].In[0]).Bytes()
				g.Ops[i].Kind = t
			}
		}
	}()
	for i := range g.Ops {
		if row < 0 || rows[row].Name != RowOf(g.Ops[i].Name) {
			row++ // operators of a row follow each other
		}
		if own, ok := rows[row].types(d); ok {
			op := &g.Ops[i]
			for _, id := range slices.Concat(op.In, op.Out) {
				if id != graph.None {
					g.Tensors[id].DType = own.Of(g.Tensors[id].Role)
				}
			}
			g.KeepDTypes()
			g.SettleBlocks(own.Plain())
		}
	}
	return g, nil
}

// types are the element types of a row; ok is false where they are those of the list, d.
func (r *Row) types(d graph.DTypes) (own graph.DTypes, ok bool) {
	if r.DType != nil {
		d = graph.Uniform(*r.DType)
	}
	if r.Weight != nil {
		d.Weight = *r.Weight
	}
	if r.KV != nil {
		d.KV = *r.KV
	}
	return d, r.DType != nil || r.Weight != nil || r.KV != nil
}

// typeColumns are the columns of element types.
var typeColumns = []string{"dtype", "weight_dtype", "kv_dtype"}

// setType notes an element type that a column of typeColumns has.
func (r *Row) setType(column, text string) error {
	t, err := graph.ParseDType(text)
	switch column {
	case "weight_dtype":
		r.Weight = &t
	case "kv_dtype":
		r.KV = &t
	default:
		r.DType = &t
	}
	return err
}

// checkTypes reports element types of tensors that the operator, g, has not.
func (r *Row) checkTypes(g *graph.Graph) (out []fault) {
	has := func(role graph.Role) bool {
		return slices.ContainsFunc(g.Tensors, func(t graph.Tensor) bool { return t.Role == role })
	}
	if r.Weight != nil && !has(graph.Weight) {
		out = append(out, fault{"weight_dtype", fmt.Sprintf("weight_dtype has no effect: %s has no weights", r.Op), nil})
	}
	if r.KV != nil && !has(graph.KV) {
		out = append(out, fault{"kv_dtype", fmt.Sprintf("kv_dtype has no effect: %s has no cached keys and values", r.Op), nil})
	}
	return out
}

// number is a size from a float, which readers of YAML and CSV may give.
func number(x float64) (int, bool) {
	return int(x), x == math.Trunc(x) && math.Abs(x) <= maxSize
}
