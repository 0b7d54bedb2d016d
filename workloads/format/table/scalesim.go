package table

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// A ScaleSimLayer is one row of a SCALE-Sim topology file with its numbers as
// the file has them. A matrix product has H = M, W = S = K, R = C = 1, the
// form in which SCALE-Sim simulates it.
type ScaleSimLayer struct {
	Name    string
	Section string // the heading it stands under, if the file has headings
	Line    int

	H, W             int // ifmap; there is no padding
	R, S             int // filter
	C, Filters       int
	StrideH, StrideW int

	GEMM    bool
	M, N, K int64 // ofmap pixels, filters, window; of one image
	Batch   int   // images, or independent products; 1 if the file is silent

	// SparseN of every SparseM weights are kept. Both are 0 when the row says
	// nothing.
	SparseN, SparseM int
}

// OutH is the number of ofmap rows, by SCALE-Sim's rule.
func (l ScaleSimLayer) OutH() int { return (l.H-l.R+l.StrideH-1)/l.StrideH + 1 }

// OutW is the number of ofmap columns.
func (l ScaleSimLayer) OutW() int { return (l.W-l.S+l.StrideW-1)/l.StrideW + 1 }

// MACs is the number of multiply-accumulates of the dense layer.
func (l ScaleSimLayer) MACs() int64 { return int64(l.Batch) * l.M * l.N * l.K }

// ScaleSimLayers reads the rows of a SCALE-Sim topology file. Of the options
// only the symbols count. Layer i is operator i of the graph that Open returns.
func ScaleSimLayers(path string, o format.Options) ([]ScaleSimLayer, error) {
	src, done, err := format.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer done()
	return readScaleSim(src, o)
}

type scaleSimReader struct{}

func init() {
	format.All.Add(registry.Entry[format.Reader]{
		Name:   "scalesim",
		Doc:    "SCALE-Sim topology file: convolutions or M, N, K products, one layer per line.",
		Source: "SCALE-Sim v3, scalesim/topology_utils.py",
		New:    scaleSimReader{},
	})
}

// Sniff implements Reader: the first line must be a header that is understood.
func (scaleSimReader) Sniff(_ string, head []byte) int {
	if isUTF16(head) {
		return 5 // text at least, and Read says what to do
	}
	if !format.IsText(head) {
		return 0
	}
	rows := splitRows(head)
	if len(rows) == 0 {
		return 0
	}
	if sniffScaleSimHeader(rows[0]) {
		return 90
	}
	// Numbers in columns, or at least a name in front of numbers: probably this
	// format with the header forgotten, which Read can explain.
	if n := len(rows[0].cells); n >= 4 && allNumbers(rows[0].cells[1:4]) {
		return 10
	}
	return 0
}

// Read implements Reader. Options.Batch multiplies the batch of every layer:
// images of a convolution, rows of a matrix product.
func (scaleSimReader) Read(src format.Source, o format.Options) (*graph.Graph, error) {
	layers, err := readScaleSim(src, o)
	if err != nil {
		return nil, err
	}
	batch := o.Batch
	if batch == 0 {
		batch = 1
	}
	if batch < 0 {
		return nil, &format.Error{File: src.Name, Offset: -1, Msg: fmt.Sprintf("the batch is %d; it must be at least 1", batch)}
	}
	var total int64
	for _, l := range layers {
		n, ok := format.Product(int64(batch), l.MACs())
		if total += n; !ok || total > format.MaxWork {
			return nil, &format.Error{File: src.Name, Line: l.Line, Col: 1, Msg: fmt.Sprintf("with batch %d the file has more than %d multiply-accumulates", batch, int64(format.MaxWork))}
		}
	}
	g := &graph.Graph{Name: format.GraphName(o, src.Name), Symbols: map[string]int{}}
	for k, v := range o.Symbols {
		g.Symbols[k] = v
	}
	g.Symbols["batch"] = batch
	names := map[string]int{}
	for _, l := range layers {
		name := l.Name
		if l.Section != "" {
			name = l.Section + "/" + name
		}
		l.append(g, format.UniqueName(names, name), batch)
	}
	g.Notes = sparsityNote(src.Name, layers)
	return g, nil
}

// sparsityNote notes that the graph leaves out the sparsity of rows, if some have it.
func sparsityNote(file string, layers []ScaleSimLayer) []string {
	n, first := 0, ScaleSimLayer{}
	for _, l := range layers {
		if l.SparseN < l.SparseM {
			if n++; n == 1 {
				first = l
			}
		}
	}
	if n == 0 {
		return nil
	}
	more := ""
	switch {
	case n == 2:
		more = " (and another layer)"
	case n > 2:
		more = fmt.Sprintf(" (and %d other layers)", n-1)
	}
	return []string{fmt.Sprintf("%s:%d: layer %s keeps %d of %d weights%s: Sparsity has no effect but under timing: scalesim; the layers are computed as dense",
		file, first.Line, first.Name, first.SparseN, first.SparseM, more)}
}

// append adds the layer as one operator. Layers of a topology file are not
// connected: each has its own input and output.
func (l ScaleSimLayer) append(g *graph.Graph, name string, batch int) {
	add := func(what string, role graph.Role, shape ...int) graph.TensorID {
		return g.Add(graph.Tensor{Name: name + "." + what, Role: role, Shape: shape})
	}
	op := graph.Op{Name: name}
	if l.GEMM {
		m := graph.MatMul{Batch: l.Batch, M: int(l.M) * batch, N: int(l.N), K: int(l.K), SharedB: 1}
		in, weight, out := []int{m.M, m.K}, []int{m.K, m.N}, []int{m.M, m.N}
		if l.Batch > 1 { // independent products, each with its own second matrix
			lead := []int{l.Batch}
			in, weight, out = append(lead, in...), append(lead, weight...), append(lead, out...)
		}
		op.Kind = m
		op.In = []graph.TensorID{add("ifmap", graph.Input, in...), add("filter", graph.Weight, weight...)}
		op.Out = []graph.TensorID{add("ofmap", graph.Output, out...)}
		g.Append(op)
		return
	}
	c := graph.Conv{
		N: l.Batch * batch, C: l.C, H: l.H, W: l.W, K: l.Filters, R: l.R, S: l.S,
		StrideH: l.StrideH, StrideW: l.StrideW, DilationH: 1, DilationW: 1, Groups: 1,
		// what makes the usual floor rule give SCALE-Sim's ceil (Deviation 3)
		PadBottom: (l.OutH()-1)*l.StrideH + l.R - l.H,
		PadRight:  (l.OutW()-1)*l.StrideW + l.S - l.W,
	}
	op.Kind = c
	op.In = []graph.TensorID{add("ifmap", graph.Input, c.N, c.C, c.H, c.W), add("filter", graph.Weight, c.K, c.C, c.R, c.S)}
	op.Out = []graph.TensorID{add("ofmap", graph.Output, c.N, c.K, c.OutH(), c.OutW())}
	g.Append(op)
}
