package main

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

// builtInStudies is dir if it is there, else a folder with the studies that the program
// holds, until done is called.
func builtInStudies(dir string) (at string, done func(), err error) {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return dir, func() {}, nil
	}
	root, err := unpack()
	return filepath.Join(root, "configs", "studies"), func() { os.RemoveAll(root) }, err
}

// unpack puts examples and studies into a new folder, as the repository has them.
func unpack() (root string, err error) {
	if root, err = os.MkdirTemp("", "causeway-*"); err != nil {
		return "", err
	}
	if err = os.CopyFS(filepath.Join(root, "configs"), configs.Library); err != nil {
		os.RemoveAll(root)
	}
	return root, err
}

// A total is the points of one label of one study, or of all.
type total struct {
	study, label  string
	points, holds int
	errors        []float64 // absolute, in percent
}

// printTotal prints the errors by study and label, and those of all by label.
func printTotal(w io.Writer, reports []*validation.Report) {
	if len(reports) < 2 {
		return
	}
	by := map[[2]string]*total{}
	var order []*total
	count := func(study, label string, r validation.Row) {
		key := [2]string{study, label}
		if by[key] == nil {
			by[key] = &total{study: study, label: label}
			order = append(order, by[key])
		}
		t := by[key]
		t.points++
		if r.OK {
			t.holds++
		}
		if e, ok := r.Error(); ok {
			t.errors = append(t.errors, math.Abs(e))
		}
	}
	const all = "~all" // after every name
	holds, points, absent := 0, 0, 0
	for _, rep := range reports {
		for _, r := range rep.Rows {
			if r.NoInput {
				absent++
				continue
			}
			if points++; r.OK {
				holds++
			}
			count(rep.Study.Name, r.Label, r)
			count(all, r.Label, r)
		}
	}
	slices.SortStableFunc(order, func(a, b *total) int { return cmp.Or(cmp.Compare(a.study, b.study), cmp.Compare(a.label, b.label)) })
	t := &stats.Table{Columns: []stats.Column{
		{Name: "study"}, {Name: "label"}, {Name: "points", Unit: stats.One}, {Name: "hold", Unit: stats.One}, {Name: "median_%", Unit: stats.Percent}, {Name: "MAPE_%", Unit: stats.Percent}, {Name: "greatest_%", Unit: stats.Percent},
	}}
	for _, x := range order {
		name := x.study
		if name == all {
			name = "all"
		}
		var median, mean, most any
		if n := len(x.errors); n > 0 {
			sum := 0.0
			for _, e := range x.errors {
				sum += e
			}
			slices.Sort(x.errors)
			median, mean, most = (x.errors[(n-1)/2]+x.errors[n/2])/2, sum/float64(n), x.errors[n-1]
		}
		t.Append(name, x.label, int64(x.points), int64(x.holds), median, mean, most)
	}
	report.Table(w, t)
	fmt.Fprintf(w, "%d of %d published figures hold, in %d studies", holds, points, len(reports))
	if absent > 0 {
		fmt.Fprintf(w, "; %d not compared for want of files", absent)
	}
	fmt.Fprintln(w)
}
