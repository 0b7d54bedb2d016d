package operator

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// notes are the columns that change nothing.
var notes = []string{"tags", measured}

// measured is the column of a measured time, in ns.
const measured = "measured_ns"

// checkMeasured returns the error of a measured time.
func checkMeasured(text string) string {
	if x, err := strconv.ParseFloat(text, 64); err != nil || !(x >= 0) || math.IsInf(x, 1) {
		return fmt.Sprintf("%s is %q (want a number of 0 or more)", measured, text)
	}
	return ""
}

// columns lists all columns that a list may have.
func columns() []string {
	return slices.Concat([]string{"name", "op"}, sizeNames(), typeColumns, notes)
}

// maxBytes bounds a file before it is read.
const maxBytes = 64 << 20

// Open reads the list in a file.
func Open(path string) ([]Row, error) {
	st, err := os.Stat(path)
	if err == nil && st.Size() > maxBytes {
		err = fmt.Errorf("%d bytes, more than the %d that a list may have", st.Size(), maxBytes)
	}
	if err != nil {
		return nil, &configs.Error{Pos: configs.Pos{File: path}, Msg: err.Error()}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, &configs.Error{Pos: configs.Pos{File: path}, Msg: err.Error()}
	}
	return Read(path, data)
}

// A reader is a file that is being read.
type reader struct {
	file   string
	csv    *csv.Reader
	header []string
	at     map[string]int // column by name
	errs   configs.Errors
	names  map[string]int // line of each row by name
	count  map[string]int // rows so far by operator
}

// Read is like Open for a text in memory; file is its name in errors. A line that begins with # is
// a comment.
func Read(file string, data []byte) ([]Row, error) {
	c := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	c.TrimLeadingSpace, c.Comment, c.FieldsPerRecord = true, '#', -1
	r := &reader{file: file, csv: c, at: map[string]int{}, names: map[string]int{}, count: map[string]int{}}
	if !r.head() {
		return nil, r.errs.Err()
	}
	var rows []Row
	for len(r.errs) < 20 {
		cells, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			r.errs.Add(configs.CSVError(r.file, err))
			break
		}
		row := r.row(cells)
		if len(rows) == maxRows {
			r.fail(0, nil, "more than %d rows", maxRows)
			break
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 && len(r.errs) == 0 {
		r.errs.Add(&configs.Error{Pos: configs.Pos{File: file, Line: 1, Col: 1}, Msg: "the list has no rows"})
	}
	return rows, r.errs.Err()
}

// fail reports a fault at a cell of the line in hand.
func (r *reader) fail(cell int, want []string, format string, a ...any) {
	line, col := r.csv.FieldPos(cell)
	r.errs.Add(&configs.Error{Pos: configs.Pos{File: r.file, Line: line, Col: col}, Msg: fmt.Sprintf(format, a...), Want: want})
}

// head reads the first line.
func (r *reader) head() bool {
	cells, err := r.csv.Read()
	if errors.Is(err, io.EOF) {
		r.errs.Add(&configs.Error{Pos: configs.Pos{File: r.file, Line: 1, Col: 1}, Msg: "the list is empty (want a line of column names)", Want: columns()})
		return false
	}
	if err != nil {
		r.errs.Add(configs.CSVError(r.file, err))
		return false
	}
	for i, c := range cells {
		name := strings.TrimSpace(c)
		_, twice := r.at[name]
		switch {
		case !slices.Contains(columns(), name):
			e := len(r.errs)
			r.fail(i, columns(), "unknown column %q", name)
			r.errs[e].(*configs.Error).Nearest = configs.Nearest(name, columns())
		case twice:
			r.fail(i, nil, "column %q is here twice", name)
		}
		r.at[name] = i
		r.header = append(r.header, name)
	}
	if _, ok := r.at["op"]; !ok && len(r.errs) == 0 {
		r.fail(0, nil, "there is no column op")
	}
	return len(r.errs) == 0
}

// cell reads cell i of a row.
func (r *reader) cell(row *Row, i int, c string) {
	switch r.header[i] {
	case "tags":
	case measured:
		if text := checkMeasured(c); text != "" {
			r.fail(i, nil, "%s", text)
		}
	case "name":
		row.Name = c
	case "op":
		row.Op = c
	case "dtype", "weight_dtype", "kv_dtype":
		if row.setType(r.header[i], c) != nil {
			r.fail(i, graph.DTypeNames(), "unknown data type %q", c)
		}
	case distribution:
		law, ok := lawOf(c)
		if row.Sizes[distribution] = law; !ok {
			text, want := lawFault(c)
			r.fail(i, want, "%s", text)
		}
	default:
		r.size(row, i, c)
	}
}

// size reads a size, or true or false where it is a flag.
func (r *reader) size(row *Row, i int, c string) {
	name := r.header[i]
	if on, err := strconv.ParseBool(c); err == nil && flag[name] {
		row.Sizes[name] = bit(on)
		return
	}
	x, err := strconv.ParseFloat(c, 64)
	n, whole := number(x)
	switch {
	case len(c) > 1 && c[0] == '0' && '0' <= c[1] && c[1] <= '9':
		r.fail(i, nil, "%s is %q (want a whole number without leading zeros)", name, c)
	case (err != nil || !whole) && flag[name]:
		r.fail(i, nil, "%s is %q (want true or false)", name, c)
	case err != nil || !whole:
		r.fail(i, nil, "%s is %q (want a whole number)", name, c)
	default:
		row.Sizes[name] = n
	}
}

func (r *reader) row(cells []string) Row {
	row := Row{Sizes: map[string]int{}}
	if len(cells) > len(r.header) {
		r.fail(len(r.header), nil, "%d cells under %d columns", len(cells), len(r.header))
		return row
	}
	before := len(r.errs)
	for i, c := range cells {
		c = strings.TrimSpace(c)
		if c == "" {
			continue
		}
		r.cell(&row, i, c)
	}
	if row.Op == "" {
		r.fail(0, Names(), "the row names no operator")
	}
	if len(r.errs) > before {
		return row
	}
	row.nameAfter(r.count)
	line, _ := r.csv.FieldPos(0)
	if at, dup := r.names[row.Name]; dup {
		r.fail(min(max(r.at["name"], 0), len(cells)-1), nil, "a row is called %q already, in line %d", row.Name, at)
	}
	r.names[row.Name] = line
	for _, f := range row.check() {
		i, ok := r.at[f.column]
		if !ok || i >= len(cells) {
			i = min(r.at["op"], len(cells)-1)
		}
		e := len(r.errs)
		r.fail(i, f.want, "%s", f.text)
		if f.column == "op" && f.want != nil {
			r.errs[e].(*configs.Error).Nearest = configs.Nearest(row.Op, f.want)
		}
	}
	return row
}

// nameAfter gives a row without a name that of its operator and a number, from 1.
func (r *Row) nameAfter(count map[string]int) {
	count[r.Op]++
	if r.Name == "" {
		r.Name = fmt.Sprintf("%s_%d", r.Op, count[r.Op])
	}
}
