package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/plot/vg"

	"github.com/causeway-sim/causeway/components/report"
)

// looks holds the flags of plot for the appearance of a figure.
type looks struct {
	width, x, y string
	logX, logY  bool
	top         int
	wide        vg.Length
}

func (l *looks) flags(c *cobra.Command) {
	c.Flags().StringVar(&l.width, "width", "two", "how wide: one or two columns of a paper (8.5 or 17.5 cm), or a length (84mm)")
	c.Flags().StringVar(&l.x, "xlabel", "", "title of the horizontal axis")
	c.Flags().StringVar(&l.y, "ylabel", "", "title of the vertical axis")
	c.Flags().BoolVar(&l.logX, "logx", false, "logarithmic horizontal axis")
	c.Flags().BoolVar(&l.logY, "logy", false, "logarithmic vertical axis")
	c.Flags().IntVar(&l.top, "top", 0, "only the N largest bars or lines; what is left of bars that stack is one, others")
}

// check reads the width.
func (l *looks) check() error {
	if l.top < 0 {
		return fmt.Errorf("--top %d: want a number of bars or lines, or 0 for all", l.top)
	}
	switch l.width {
	case "one":
		l.wide = report.OneColumn
		return nil
	case "two":
		l.wide = report.TwoColumns
		return nil
	}
	mm, err := strconv.ParseFloat(strings.TrimSuffix(l.width, "mm"), 64)
	if err != nil || !strings.HasSuffix(l.width, "mm") || mm < 40 || mm > 400 {
		return fmt.Errorf("--width %q: want one or two, the columns of a paper, or a length from 40mm to 400mm", l.width)
	}
	l.wide = vg.Length(mm) * vg.Millimeter
	return nil
}

// apply gives a figure its looks.
func (l *looks) apply(f *report.Figure) error {
	f.Width = l.wide
	if l.top > 0 {
		f.Figure = f.Top(l.top)
	}
	if err := f.Scale(l.logX, l.logY); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	f.Titles(l.x, l.y)
	return nil
}
