package studies

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/validation"
	"github.com/causeway-sim/causeway/configs"
)

// BuiltIn is dir if it is there, else a folder with the studies that the program
// holds, until done is called.
func BuiltIn(dir string) (at string, done func(), err error) {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return dir, func() {}, nil
	}
	root, err := Unpack()
	return filepath.Join(root, "configs", "studies"), func() { os.RemoveAll(root) }, err
}

// Unpack puts examples and studies into a new folder, as the repository has them.
func Unpack() (root string, err error) {
	if root, err = os.MkdirTemp("", "causeway-*"); err != nil {
		return "", err
	}
	if err = os.CopyFS(filepath.Join(root, "configs"), configs.Library); err != nil {
		os.RemoveAll(root)
	}
	return root, err
}

// A total is the figures of one label of one study, or of all.
type total struct {
	study, label         string
	figures, bounds      int // bounds are of figures
	holds, misses, fails int
	errors               []float64 // absolute, in percent
	margins              []float64 // of the bounds, in percent
}

// add counts a row that could be compared.
func (t *total) add(r *validation.Row) {
	t.figures++
	switch {
	case r.Failed():
		t.fails++
	case r.Missed:
		t.misses++
	default:
		t.holds++
	}
	if e, ok := r.Error(); ok {
		t.errors = append(t.errors, math.Abs(e))
	}
	if m, ok := r.Margin(); ok {
		t.bounds++
		t.margins = append(t.margins, m)
	}
}

// median is that of some values, nil of none. It sorts them.
func median(v []float64) any {
	n := len(v)
	if n == 0 {
		return nil
	}
	slices.Sort(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

// PrintTotal prints the errors by study and label, those of all by label, and why rows miss.
func PrintTotal(w io.Writer, reports []*validation.Report) {
	if len(reports) < 2 {
		return
	}
	by := map[[2]string]*total{}
	var order []*total
	count := func(study string, r *validation.Row) {
		key := [2]string{study, r.Label}
		if by[key] == nil {
			by[key] = &total{study: study, label: r.Label}
			order = append(order, by[key])
		}
		by[key].add(r)
	}
	const all = "~all" // after every name
	absent := 0
	for _, rep := range reports {
		for i := range rep.Rows {
			r := &rep.Rows[i]
			if r.NoInput {
				absent++
				continue
			}
			count(rep.Study.Name, r)
			count(all, r)
		}
	}
	slices.SortStableFunc(order, func(a, b *total) int { return cmp.Or(cmp.Compare(a.study, b.study), cmp.Compare(a.label, b.label)) })
	t := &stats.Table{Columns: []stats.Column{
		{Name: "study"}, {Name: "label"}, {Name: "rule_%", Unit: stats.Percent}, {Name: "figures", Unit: stats.One}, {Name: "hold", Unit: stats.One}, {Name: "missed", Unit: stats.One}, {Name: "fail", Unit: stats.One},
		{Name: "median_%", Unit: stats.Percent}, {Name: "greatest_%", Unit: stats.Percent}, {Name: "bounds", Unit: stats.One}, {Name: "median_margin_%", Unit: stats.Percent},
	}}
	for _, x := range order {
		name := x.study
		if name == all {
			name = "all"
		}
		var most any
		middle := median(x.errors)
		if n := len(x.errors); n > 0 {
			most = x.errors[n-1]
		}
		t.Append(name, x.label, validation.Limit(x.label), int64(x.figures), int64(x.holds), int64(x.misses), int64(x.fails), middle, most, int64(x.bounds), median(x.margins))
	}
	report.Table(w, t)
	if misses := MissesOf(reports); len(misses) > 0 {
		t := &stats.Table{Columns: []stats.Column{{Name: "label"}, {Name: "missed", Unit: stats.One}, {Name: "study"}, {Name: "greatest_%", Unit: stats.Percent}, {Name: "because"}}}
		for _, m := range misses {
			t.Append(m.Label, int64(m.Rows), m.study, m.greatest(), m.Because)
		}
		report.Table(w, t)
	}
	if absent > 0 {
		fmt.Fprintf(w, "%d figures not compared for want of files\n", absent)
	}
}

// A Miss is the rows of a label of a study that miss for one reason.
type Miss struct {
	Label, study, Because string
	Rows                  int
	errors                []float64 // absolute, in percent
}

// greatest is the greatest error of the rows, nil if they are bounds.
func (m *Miss) greatest() any {
	if len(m.errors) == 0 {
		return nil
	}
	return slices.Max(m.errors)
}

// MissesOf lists the misses that studies explain, by label.
func MissesOf(reports []*validation.Report) (out []*Miss) {
	for _, rep := range reports {
		for i := range rep.Rows {
			r := &rep.Rows[i]
			if !r.Missed {
				continue
			}
			at := slices.IndexFunc(out, func(m *Miss) bool {
				return m.Label == r.Label && m.study == r.Study && m.Because == r.Because
			})
			if at < 0 {
				at, out = len(out), append(out, &Miss{Label: r.Label, study: r.Study, Because: r.Because})
			}
			out[at].Rows++
			if e, ok := r.Error(); ok {
				out[at].errors = append(out[at].errors, math.Abs(e))
			} else if r.OfErrors() {
				out[at].errors = append(out[at].errors, r.Simulated)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *Miss) int { return cmp.Compare(a.Label, b.Label) })
	return out
}
