package skip

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/configs"
)

// A Table has values by layer.
type Table struct {
	path string
	rows map[place]row
}

// A place is a layer; workload "" is every workload.
type place struct{ workload, layer string }

type row struct {
	Operand
	scale float64
	line  int
}

var columns = []string{"workload", "layer", "zeros", "scale", "threshold"}

// Read reads a CSV table. A missing value is that of the distribution. Errors have the line and
// column.
func Read(path string, d *Distribution) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(f, path, d)
}

func read(f io.Reader, name string, d *Distribution) (*Table, error) {
	in := &reader{Reader: csv.NewReader(f), name: name, index: map[string]int{}}
	in.Comment, in.TrimLeadingSpace = '#', true
	if err := in.heading(); err != nil {
		return nil, err
	}
	t := &Table{path: name, rows: map[place]row{}}
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, configs.CSVError(name, err)
		}
		p, r, err := in.row(cells, d)
		if err != nil {
			return nil, err
		}
		if _, twice := t.rows[p]; twice || p.layer == "" {
			line, col := in.FieldPos(in.index["layer"])
			return nil, fmt.Errorf("%s:%d:%d: layer is %q (want one row per layer)", name, line, col, p.layer)
		}
		t.rows[p] = r
	}
	return t, nil
}

// A reader reads a table.
type reader struct {
	*csv.Reader
	name  string         // of the file
	index map[string]int // of columns
}

// heading reads which columns there are.
func (in *reader) heading() error {
	head, err := in.Read()
	if err != nil {
		return fmt.Errorf("%s:1:1: %w", in.name, err)
	}
	for i, h := range head {
		h = strings.TrimSpace(h)
		line, col := in.FieldPos(i)
		if _, twice := in.index[h]; twice || !slices.Contains(columns, h) {
			return fmt.Errorf("%s:%d:%d: column %q is unknown or there twice (want: %s)", in.name, line, col, h, strings.Join(columns, ", "))
		}
		in.index[h] = i
	}
	for _, c := range []string{"layer", "zeros"} {
		if _, ok := in.index[c]; !ok {
			return fmt.Errorf("%s:1:1: no column %q", in.name, c)
		}
	}
	return nil
}

// row parses a row: its layer and its values.
func (in *reader) row(cells []string, d *Distribution) (p place, r row, err error) {
	layer := in.index["layer"]
	p.layer = strings.TrimSpace(cells[layer])
	r.line, _ = in.FieldPos(layer)
	if i, ok := in.index["workload"]; ok {
		p.workload = strings.TrimSpace(cells[i])
	}
	if r.Zeros, err = in.number(cells, "zeros", d.Zeros, 0, 1); err != nil {
		return p, r, err
	}
	if r.scale, err = in.number(cells, "scale", 1, 1e-18, 1e18); err != nil {
		return p, r, err
	}
	r.Threshold, err = in.number(cells, "threshold", d.Threshold, 0, 1e18)
	return p, r, err
}

// number is what a row has in a column; otherwise: where there is nothing in it.
func (in *reader) number(cells []string, column string, otherwise, least, most float64) (float64, error) {
	i, ok := in.index[column]
	if !ok || strings.TrimSpace(cells[i]) == "" {
		return otherwise, nil
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(cells[i]), 64)
	if err != nil || !(x >= least && x <= most) {
		line, col := in.FieldPos(i)
		return 0, fmt.Errorf("%s:%d:%d: %s is %q (want a number from %g to %g)", in.name, line, col, column, cells[i], least, most)
	}
	return x, nil
}

// find is the row of a layer: one of its workload before one of any.
func (t *Table) find(workload, layer string) (p place, ok bool) {
	for _, p = range []place{{workload, layer}, {"", layer}} {
		if _, ok = t.rows[p]; ok {
			return p, true
		}
	}
	return p, false
}

// Share returns the share of skipped values of a layer, by its row in the table if t is not nil.
func (s *Spec) Share(t *Table, workload, layer string) Share {
	d := s.Operand()
	if t != nil {
		if p, ok := t.find(workload, layer); ok {
			r := t.rows[p]
			return d.share(r.Operand, r.scale)
		}
	}
	return d.share(d.Operand, 1)
}

// Check returns an error for a matrix product of a workload without a row, and for a row of the
// workload without a layer.
func (t *Table) Check(workload string, layers []string) error {
	var names []string
	for p := range t.rows {
		names = append(names, p.layer)
	}
	slices.Sort(names)
	known := map[string]bool{}
	for _, l := range layers {
		known[l] = true
		if _, ok := t.find(workload, l); !ok {
			return &configs.Error{Msg: fmt.Sprintf("%s has no row for layer %s of %s", t.path, l, workload), Want: names, Nearest: configs.Nearest(l, names)}
		}
	}
	var wrong []string
	for p, r := range t.rows {
		if p.workload == workload && !known[p.layer] {
			wrong = append(wrong, fmt.Sprintf("%s:%d:1: %s has no matrix product called %q", t.path, r.line, workload, p.layer))
		}
	}
	slices.Sort(wrong)
	if len(wrong) > 0 {
		return errors.New(wrong[0])
	}
	return nil
}
