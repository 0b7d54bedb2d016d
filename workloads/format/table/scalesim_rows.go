package table

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/workloads/format"
)

// Bounds of one topology file.
const (
	maxScaleSimBytes = 64 << 20
	maxLayers        = 1 << 16 // a DP row stands for one per channel
)

// readScaleSim parses a topology file into layers and collects every error.
func readScaleSim(src format.Source, o format.Options) ([]ScaleSimLayer, error) {
	data, err := src.ReadAll(maxScaleSimBytes)
	if err != nil {
		return nil, err
	}
	if isUTF16(data) {
		return nil, &format.Error{File: src.Name, Line: 1, Col: 1, Msg: "the file is UTF-16; save it as UTF-8"}
	}
	rows := splitRows(data)
	if len(rows) == 0 {
		return nil, &format.Error{File: src.Name, Line: 1, Col: 1, Msg: "the file has no header line", Want: headerExamples}
	}
	p := &scaleSimParser{file: src.Name, symbols: o.Symbols, unbound: map[string]bool{}}
	if !p.header(rows[0]) {
		return nil, p.errs.Err()
	}
	for _, r := range rows[1:] {
		p.row(r)
	}
	last := rows[len(rows)-1]
	switch {
	case len(rows) == 1:
		p.fail(last, last.at(len(last.cells)), "the file ends behind the header, without a layer")
	case p.heading:
		p.fail(last, last.at(len(last.cells)), "the file ends behind the heading %q; is it cut off?", p.section)
	}
	return p.layers, p.errs.Err()
}

type scaleSimParser struct {
	file    string
	symbols map[string]int
	columns scaleSimColumns
	section string
	heading bool // the last row was a heading
	layers  []ScaleSimLayer
	work    int64
	unbound map[string]bool // symbols without value that were reported
	errs    format.ErrorList
}

func (p *scaleSimParser) fail(r row, c cell, msg string, args ...any) {
	p.errs.Add(&format.Error{File: p.file, Line: r.line, Col: c.col, Msg: fmt.Sprintf(msg, args...)})
}

// row parses one line: a layer, or a heading.
func (p *scaleSimParser) row(r row) {
	cells := 0
	for _, c := range r.cells {
		if c.text != "" {
			cells++
		}
	}
	name := r.at(p.columns.name).text
	if p.heading = cells == 1 && name != ""; p.heading {
		p.section = name
		return
	}
	before := p.errs.Count
	l := ScaleSimLayer{Name: name, Section: p.section, Line: r.line, GEMM: p.columns.gemm, Batch: 1}
	if l.Name == "" {
		l.Name = fmt.Sprintf("layer_%d", len(p.layers)+1)
	}
	num := func(f field) int { return p.number(r, p.columns.at[f], f) }
	if l.GEMM {
		m, n, k := num(fieldM), num(fieldN), num(fieldK)
		l.H, l.W, l.R, l.S, l.C, l.Filters = m, k, 1, k, 1, n
		l.StrideH, l.StrideW = 1, 1
	} else {
		l.H, l.W, l.R, l.S = num(fieldH), num(fieldW), num(fieldR), num(fieldS)
		l.C, l.Filters, l.StrideH = num(fieldC), num(fieldFilters), num(fieldStride)
		l.StrideW = l.StrideH
	}
	p.optional(r, &l)
	if p.errs.Count > before {
		return
	}
	if l.R > l.H {
		p.fail(r, r.at(p.columns.at[fieldR]), "the filter height %d is larger than the ifmap height %d (this format has no padding)", l.R, l.H)
		return
	}
	if l.S > l.W {
		p.fail(r, r.at(p.columns.at[fieldS]), "the filter width %d is larger than the ifmap width %d (this format has no padding)", l.S, l.W)
		return
	}
	p.accept(r, l)
}

// optional reads what may stand after the required columns.
func (p *scaleSimParser) optional(r row, l *ScaleSimLayer) {
	for i := range max(len(r.cells), p.columns.width) {
		c := r.at(i)
		if c.text == "" || strings.HasPrefix(c.text, "#") {
			continue
		}
		switch f := p.columns.field(i); {
		case f == fieldStrideW:
			l.StrideW = p.number(r, i, f)
		case f == fieldBatch && !strings.Contains(c.text, ":"):
			l.Batch = p.number(r, i, f)
		case f == fieldSparsity, f == fieldBatch, f == fieldExtra && strings.Contains(c.text, ":"):
			p.sparsity(r, c, l)
		case f == fieldExtra && l.GEMM: // SCALE-Sim: a number in column 5 is the batch
			l.Batch = p.number(r, i, fieldBatch)
		case f == fieldExtra: // SCALE-Sim v2: a number in column 9 is the second stride
			l.StrideW = p.number(r, i, fieldStrideW)
		case f == fieldBeyond:
			p.fail(r, c, "%q stands behind the last column of the header", c.text)
		}
	}
}

func (p *scaleSimParser) sparsity(r row, c cell, l *ScaleSimLayer) {
	n, m, ok := strings.Cut(c.text, ":")
	a, err1 := strconv.Atoi(strings.TrimSpace(n))
	b, err2 := strconv.Atoi(strings.TrimSpace(m))
	if !ok || err1 != nil || err2 != nil || a < 1 || b < a || b > 1<<16 {
		p.fail(r, c, "sparsity %q is not N:M with 1 <= N <= M <= %d, for example 2:4", c.text, 1<<16)
		return
	}
	l.SparseN, l.SparseM = a, b
}

// number is the value of a cell: a whole number from 1, or a symbol that the
// options bind.
func (p *scaleSimParser) number(r row, i int, f field) int {
	c := r.at(i)
	if c.text == "" {
		p.fail(r, c, "%s is missing", f)
		return 0
	}
	v, err := strconv.ParseInt(c.text, 10, 64)
	if err != nil {
		x, ferr := strconv.ParseFloat(c.text, 64)
		switch {
		case isSymbol(c.text):
			n, ok := p.symbols[c.text]
			if !ok && p.unbound[c.text] { // said before
				p.errs.Again()
				return 0
			}
			if !ok {
				p.unbound[c.text] = true
				p.fail(r, c, "%s is the symbol %q, which has no value; give it one (symbols: {%s: ...})", f, c.text, c.text)
				return 0
			}
			v = int64(n)
		case ferr == nil && x == math.Trunc(x) && math.Abs(x) <= 1<<53:
			v = int64(x) // a spreadsheet's 64.0
		case ferr == nil || strings.Trim(c.text, "+-0123456789") == "":
			p.fail(r, c, "%s is %s; it must be a whole number from 1 to %d", f, c.text, format.MaxDim)
			return 0
		default:
			p.fail(r, c, "%s is %q, which is not a number", f, c.text)
			return 0
		}
	}
	if v < 1 || v > format.MaxDim {
		p.fail(r, c, "%s is %s; it must be a whole number from 1 to %d", f, c.text, format.MaxDim)
		return 0
	}
	return int(v)
}

// accept checks the size of a layer and appends it, once per channel where
// SCALE-Sim would.
func (p *scaleSimParser) accept(r row, l ScaleSimLayer) {
	times, depthwise := 1, !l.GEMM && strings.Contains(l.Name, "DP")
	if depthwise { // Deviation 4
		times, l.C = l.C, 1
	}
	if times > maxLayers-len(p.layers) {
		p.fail(r, cell{col: 1}, "with layer %s the file has more than %d layers", l.Name, maxLayers)
		return
	}
	ok := true
	mul := func(limit int64, f ...int64) int64 {
		n := int64(1)
		for _, v := range f {
			m, fits := format.Product(n, v)
			if !fits || m > limit {
				ok = false
				return 1
			}
			n = m
		}
		return n
	}
	l.M = mul(format.MaxElements, int64(l.OutH()), int64(l.OutW()))
	l.N = int64(l.Filters)
	l.K = mul(format.MaxElements, int64(l.R), int64(l.S), int64(l.C))
	mul(format.MaxElements, int64(l.Batch), int64(l.H), int64(l.W), int64(l.C))
	mul(format.MaxElements, l.K, l.N)
	mul(format.MaxElements, int64(l.Batch), l.M, l.N)
	p.work += mul(format.MaxWork, int64(times), int64(l.Batch), l.M, l.N, l.K)
	if !ok || p.work > format.MaxWork {
		p.fail(r, cell{col: 1}, "layer %s is too large: at most 2^52 elements per array and 2^60 multiply-accumulates per file", l.Name)
		return
	}
	name := l.Name
	for i := range times {
		if depthwise {
			l.Name = fmt.Sprintf("%sChannel_%d", name, i)
		}
		p.layers = append(p.layers, l)
	}
}

// isSymbol reports whether s is an identifier.
func isSymbol(s string) bool {
	for i, c := range s {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// isUTF16 reports whether the text begins with a byte order mark of UTF-16.
func isUTF16(b []byte) bool {
	return len(b) >= 2 && (b[0] == 0xff && b[1] == 0xfe || b[0] == 0xfe && b[1] == 0xff)
}
