package table

import (
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/workloads/format"
)

// A field is what a column of a topology file holds.
type field uint8

const (
	fieldName field = iota
	fieldH
	fieldW
	fieldR
	fieldS
	fieldC
	fieldFilters
	fieldStride
	fieldM
	fieldN
	fieldK
	lastRequired = fieldK
)

const (
	fieldStrideW field = iota + lastRequired + 1
	fieldBatch
	fieldSparsity
	fieldNote   // a column with a title that means nothing here
	fieldExtra  // the untitled column right after the required ones
	fieldBeyond // an untitled column further right
)

var fieldNames = map[field]string{
	fieldName: "layer name", fieldH: "ifmap height", fieldW: "ifmap width",
	fieldR: "filter height", fieldS: "filter width", fieldC: "channels",
	fieldFilters: "num filter", fieldStride: "strides", fieldM: "M", fieldN: "N", fieldK: "K",
	fieldStrideW: "stride width", fieldBatch: "batch size", fieldSparsity: "sparsity",
}

func (f field) String() string { return fieldNames[f] }

// headerExamples are the two shapes of a header.
var headerExamples = []string{
	`"Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides"`,
	`"Layer, M, N, K"`,
}

// titles maps column titles, lower case and without blanks, to fields.
var titles = map[string]field{
	"layername": fieldName, "layer": fieldName, "name": fieldName, "l": fieldName, "layers": fieldName,
	"ifmapheight": fieldH, "ifmaph": fieldH, "inputheight": fieldH,
	"ifmapwidth": fieldW, "ifmapw": fieldW, "inputwidth": fieldW,
	"filterheight": fieldR, "filterh": fieldR, "kernelheight": fieldR,
	"filterwidth": fieldS, "filterw": fieldS, "kernelwidth": fieldS,
	"channels": fieldC, "channel": fieldC, "numchannels": fieldC, "numchannel": fieldC,
	"numfilter": fieldFilters, "numfilters": fieldFilters, "filters": fieldFilters,
	"strides": fieldStride, "stride": fieldStride, "strideheight": fieldStride, "strideh": fieldStride,
	"stridewidth": fieldStrideW, "stridew": fieldStrideW,
	"m": fieldM, "n": fieldN, "k": fieldK,
	"batch": fieldBatch, "batchsize": fieldBatch, "batches": fieldBatch,
	"sparsity": fieldSparsity, "sparsityratio": fieldSparsity, "sparsitysupport": fieldSparsity, "nm": fieldSparsity,
}

var titleCleaner = strings.NewReplacer(" ", "", "_", "", "-", "", "\t", "", "\u00a0", "", ":", "", ".", "")

func titleField(s string) (field, bool) {
	f, ok := titles[titleCleaner.Replace(strings.ToLower(s))]
	return f, ok
}

// scaleSimColumns has the position of each field.
type scaleSimColumns struct {
	gemm   bool
	name   int
	at     [lastRequired + 1]int // column of each required field
	fields []field               // of each column
	width  int                   // columns of the header, without empty ones at the end
}

// field is what column i holds.
func (c *scaleSimColumns) field(i int) field {
	if i < len(c.fields) {
		return c.fields[i]
	}
	if i == c.width {
		return fieldExtra
	}
	return fieldBeyond
}

// sniffScaleSimHeader reports whether a line is the header of a topology file, possibly with
// errors.
func sniffScaleSimHeader(r row) bool {
	known, mnk := 0, 0
	for _, c := range r.cells {
		if f, ok := titleField(c.text); ok && f != fieldName {
			known++
			if f == fieldM || f == fieldN || f == fieldK {
				mnk++
			}
		}
	}
	return known >= 4 || mnk == 3
}

func allNumbers(cells []cell) bool {
	for _, c := range cells {
		if _, err := strconv.ParseFloat(c.text, 64); err != nil {
			return false
		}
	}
	return true
}

// header reads the titles; false when the rows cannot be read with them.
func (p *scaleSimParser) header(r row) bool {
	cols := &p.columns
	seen := p.titles(r)
	_, cols.gemm = seen[fieldK]
	need := []field{fieldName, fieldH, fieldW, fieldR, fieldS, fieldC, fieldFilters, fieldStride}
	if cols.gemm {
		need = []field{fieldName, fieldM, fieldN, fieldK}
	}
	var missing []string
	for _, f := range need {
		i, ok := seen[f]
		if !ok {
			missing = append(missing, f.String())
		}
		cols.at[f] = i
	}
	cols.name = cols.at[fieldName]
	if len(missing) >= len(need)-1 {
		what := "the first line is not the header of a topology file"
		if n := len(r.cells); n >= 4 && allNumbers(r.cells[1:4]) {
			what = "the first line is a layer, but it must be the header"
		}
		p.errs.Add(&format.Error{File: p.file, Line: r.line, Col: 1, Msg: what, Want: headerExamples})
		return false
	}
	if len(missing) > 0 {
		p.fail(r, r.at(len(r.cells)), "the header lacks %s", strings.Join(missing, ", "))
		for i, f := range cols.fields {
			if f == fieldNote {
				p.fail(r, r.cells[i], "unknown column %q", r.cells[i].text)
			}
		}
	}
	for i, f := range cols.fields { // a required field of the other kind of file
		if f <= lastRequired && f != fieldName && (f >= fieldM) != cols.gemm {
			p.fail(r, r.cells[i], "column %q does not belong into a file of this kind", r.cells[i].text)
		}
	}
	return p.errs.Err() == nil
}

// titles finds the field of each column, and in which column each field is.
func (p *scaleSimParser) titles(r row) map[field]int {
	cols := &p.columns
	seen := map[field]int{}
	for i, c := range r.cells {
		f, ok := titleField(c.text)
		switch {
		case c.text == "" && i > 0 && cols.fields[i-1] < fieldNote:
			f = fieldExtra
		case c.text == "":
			f = fieldBeyond
		case !ok:
			f = fieldNote
		}
		// Two "IFMAP Width" and no height, as DeepBench's files have it: the first
		// is the height. Two strides: height and width.
		if first, dup := seen[f]; dup {
			switch {
			case (f == fieldW || f == fieldS) && !titled(r, f-1):
				cols.fields[first] = f - 1
				seen[f-1] = first
			case f == fieldStride:
				f = fieldStrideW
			case f < fieldNote:
				p.fail(r, c, "the column %q appears twice", c.text)
			}
		}
		seen[f] = i
		if c.text != "" {
			cols.width = i + 1
		}
		cols.fields = append(cols.fields, f)
	}
	cols.fields = cols.fields[:cols.width]
	return seen
}

// titled reports whether a column of the header has the title f.
func titled(r row, f field) bool {
	for _, c := range r.cells {
		if g, ok := titleField(c.text); ok && g == f {
			return true
		}
	}
	return false
}
