package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// nvdlaTitles are the columns of NVDLA's layer table that describe a layer, by their letters. The
// others are results.
var nvdlaTitles = []string{
	"layer", "layerattribute", "inputfeaturemapsc", "inputheighth", "inputwidthw", "outputfeaturemapsk", "filterheightr", "filterwidths",
	"zeropaddingz", "verticalconvsrtideh", "horizontalconvstridev", "poolingafterconv", "poolingheightd", "poolingwidthe",
	"verticalpoolingstridef", "horizontalpoolingstrideg",
}

// Positions in nvdlaTitles.
const (
	sheetName = iota
	sheetAttribute
	sheetC
	sheetH
	sheetW
	sheetK
	sheetR
	sheetS
	sheetZ
	sheetStrideH
	sheetStrideW
	sheetPooled
	sheetPoolR
	sheetPoolS
	sheetPoolStrideH
	sheetPoolStrideW
	sheetFields
)

// nvdlaAttributes are the kinds of layers of the sheet.
var nvdlaAttributes = []string{"conv", "conv + elwise", "fc"}

type nvdlaReader struct{}

func init() {
	format.All.Add(registry.Entry[format.Reader]{
		Name:   "nvdla",
		Doc:    "Layer table of NVDLA's performance sheet, as CSV: convolutions with what is fused with them, one layer per line.",
		Source: "NVDLA_OpenSource_Performance.xlsx of the NVDLA project",
		New:    nvdlaReader{},
	})
}

// letters is a title in lower case without anything but letters.
func letters(s string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' {
			return c
		}
		return -1
	}, strings.ToLower(s))
}

// nvdlaHeader returns the positions of the columns of nvdlaTitles, and the missing ones.
func nvdlaHeader(r row) (at [sheetFields]int, missing []string) {
	for i, title := range nvdlaTitles {
		at[i] = slices.IndexFunc(r.cells, func(c cell) bool {
			got := letters(c.text)
			return got == title || i == sheetStrideH && got == "verticalconvstrideh" // the sheet has a slip of the pen
		})
		if at[i] < 0 {
			missing = append(missing, title)
		}
	}
	return at, missing
}

// findNVDLA is the row of titles: the sheet has its configuration above it.
func findNVDLA(rows []row) int {
	return slices.IndexFunc(rows, func(r row) bool {
		_, missing := nvdlaHeader(r)
		return len(missing) <= sheetFields/2
	})
}

// Sniff implements Reader.
func (nvdlaReader) Sniff(_ string, head []byte) int {
	if format.IsText(head) && findNVDLA(splitRows(head)) >= 0 {
		return 95
	}
	return 0
}

// Read implements Reader. Rows are not connected: each has its own input and output.
// Options.Batch is the images of every layer.
func (nvdlaReader) Read(src format.Source, o format.Options) (*graph.Graph, error) {
	data, err := src.ReadAll(maxScaleSimBytes)
	if err != nil {
		return nil, err
	}
	rows := splitRows(data)
	p := &nvdlaParser{file: src.Name, batch: max(1, o.Batch)}
	from := findNVDLA(rows)
	if from < 0 {
		return nil, &format.Error{File: src.Name, Line: 1, Col: 1, Msg: "has no row of titles of NVDLA's performance sheet"}
	}
	var missing []string
	if p.at, missing = nvdlaHeader(rows[from]); missing != nil {
		return nil, &format.Error{File: src.Name, Line: rows[from].line, Col: 1, Msg: "lacks columns of NVDLA's performance sheet", Want: missing}
	}
	p.mac = slices.IndexFunc(rows[from].cells, func(c cell) bool { return letters(c.text) == "maccycles" })
	p.g = &graph.Graph{Name: format.GraphName(o, src.Name), Symbols: map[string]int{"batch": p.batch}}
	names := map[string]int{}
	for _, r := range rows[from+1:] {
		p.row(r, names)
	}
	if len(p.g.Ops) == 0 && p.errs.Err() == nil {
		p.errs.Add(&format.Error{File: src.Name, Line: rows[from].line, Col: 1, Msg: "no layer follows the titles"})
	}
	if err := p.errs.Err(); err != nil {
		return nil, err
	}
	p.g.Notes = []string{fmt.Sprintf("%s: sizes of layers, strides, padding and pooling are read; the configuration above the titles and columns of results are not: the node says the configuration%s", src.Name, p.merged())}
	return p.g, nil
}

// A nvdlaParser makes a graph of rows.
type nvdlaParser struct {
	file  string
	batch int
	at    [sheetFields]int
	mac   int // column of results; -1: none
	empty int // rows that the sheet merges into others
	g     *graph.Graph
	errs  format.ErrorList
}

// merged returns the part of a message that counts rows without results, or "".
func (p *nvdlaParser) merged() string {
	if p.empty == 0 {
		return ""
	}
	return fmt.Sprintf("; %d rows without MAC cycles are merged into others by the sheet, and left out", p.empty)
}

// row adds a layer.
func (p *nvdlaParser) row(r row, names map[string]int) {
	attribute := r.at(p.at[sheetAttribute]).text
	if attribute == "" {
		return // sums
	}
	if p.mac >= 0 && r.at(p.mac).text == "" && len(r.cells) > p.mac {
		p.empty++
		return
	}
	if !slices.Contains(nvdlaAttributes, attribute) {
		p.errs.Add(&format.Error{File: p.file, Line: r.line, Col: r.at(p.at[sheetAttribute]).col, Msg: fmt.Sprintf("%q is no kind of layer", attribute), Want: nvdlaAttributes})
		return
	}
	var n [sheetFields]int
	ok := true
	read := func(field, least int) {
		c := r.at(p.at[field])
		x, err := strconv.Atoi(c.text)
		if err != nil || x < least || x > maxLayers {
			ok = false
			p.errs.Add(&format.Error{File: p.file, Line: r.line, Col: c.col, Msg: fmt.Sprintf("%s is %q (want %d to %d)", nvdlaTitles[field], c.text, least, maxLayers)})
		}
		n[field] = x
	}
	for f := sheetC; f <= sheetPooled; f++ {
		least := 1
		if f == sheetZ || f == sheetPooled {
			least = 0
		}
		read(f, least)
	}
	for f := sheetPoolR; f < sheetFields && n[sheetPooled] != 0; f++ {
		read(f, 1)
	}
	if ok {
		p.layer(r, &n, attribute, format.UniqueName(names, r.at(p.at[sheetName]).text))
	}
}

// layer adds the operators of a row: a convolution, an addition, a pooling.
func (p *nvdlaParser) layer(r row, n *[sheetFields]int, attribute, name string) {
	top, bottom := sheetPadding(n[sheetH], n[sheetR], n[sheetStrideH], n[sheetZ] != 0)
	left, right := sheetPadding(n[sheetW], n[sheetS], n[sheetStrideW], n[sheetZ] != 0)
	c := graph.Conv{N: p.batch, C: n[sheetC], H: n[sheetH], W: n[sheetW], K: n[sheetK], R: n[sheetR], S: n[sheetS],
		StrideH: n[sheetStrideH], StrideW: n[sheetStrideW], DilationH: 1, DilationW: 1, Groups: 1,
		PadTop: top, PadBottom: bottom, PadLeft: left, PadRight: right}
	if err := c.Check(); err != nil {
		p.errs.Add(&format.Error{File: p.file, Line: r.line, Col: 1, Msg: err.Error()})
		return
	}
	add := func(what string, role graph.Role, shape ...int) graph.TensorID {
		return p.g.Add(graph.Tensor{Name: name + "." + what, Role: role, Shape: shape})
	}
	role := func(last bool) graph.Role {
		if last {
			return graph.Output
		}
		return graph.Activation
	}
	pooled, adds := n[sheetPooled] != 0, attribute == nvdlaAttributes[1]
	tail := add("conv", role(!pooled && !adds), c.OutShape()...)
	p.g.Append(graph.Op{Name: name, Kind: c, Out: []graph.TensorID{tail},
		In: []graph.TensorID{add("ifmap", graph.Input, c.N, c.C, c.H, c.W), add("filter", graph.Weight, c.K, c.C, c.R, c.S)}})
	if adds {
		s := c.OutShape()
		in := []graph.TensorID{tail, add("other", graph.Input, s...)}
		tail = add("sum", role(!pooled), s...)
		p.g.Append(graph.Op{Name: name + ".add", Kind: graph.Elementwise{Func: "add", Elements: p.g.Tensor(tail).Elements(), Inputs: 2, OpsPer: 1}, In: in, Out: []graph.TensorID{tail}})
	}
	if !pooled {
		return
	}
	k := graph.Pool{N: c.N, C: c.K, H: c.OutH(), W: c.OutW(), R: n[sheetPoolR], S: n[sheetPoolS], StrideH: n[sheetPoolStrideH], StrideW: n[sheetPoolStrideW], CeilMode: true}
	if k.H < k.R || k.W < k.S {
		p.errs.Add(&format.Error{File: p.file, Line: r.line, Col: r.at(p.at[sheetPoolR]).col, Msg: fmt.Sprintf("a pooling of %d x %d is larger than what it pools, %d x %d", k.R, k.S, k.H, k.W)})
		return
	}
	p.g.Append(graph.Op{Name: name + ".pool", Kind: k, In: []graph.TensorID{tail}, Out: []graph.TensorID{add("pool", graph.Output, k.OutShape()...)}})
}

// sheetPadding makes the usual rule of a convolution give the sheet's rows: ceil(size /
// stride) with padding, ceil((size - window) / stride) + 1 without.
func sheetPadding(size, window, stride int, padded bool) (before, after int) {
	n := (size-window+stride-1)/stride + 1
	if padded {
		n = (size + stride - 1) / stride
	}
	all := max(0, (n-1)*stride+window-size)
	if !padded {
		return 0, all
	}
	return all - all/2, all / 2
}
