package grid

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/configs"
)

// AxisFile is the file name in positions of axes from the command line.
const AxisFile = "--axis"

// Extend adds axes in the syntax of --axis: Core.rows=16,32, or several paths "Core.rows,
// Core.cols=16,32", or values in the syntax of a sweep file: Core.rows={from: 8, to: 64, times:
// 2}. An axis of paths that the grid has replaces that axis.
func (g *Grid) Extend(axes []string) error {
	var errs configs.Errors
	for n, text := range axes {
		key, values, ok := strings.Cut(text, "=")
		pos := configs.Pos{File: AxisFile, Line: n + 1}
		if !ok || strings.TrimSpace(key) == "" || strings.TrimSpace(values) == "" {
			errs.Add(&configs.Error{Pos: pos, Msg: fmt.Sprintf("%q is not of the form PATH=VALUE,VALUE", text)})
			continue
		}
		if c := strings.TrimSpace(values)[0]; c != '[' && c != '{' {
			values = "[" + values + "]"
		}
		v, err := configs.ParseValue(AxisFile, []byte("axis: "+values))
		if err != nil {
			errs.Add(fmt.Errorf("--axis %s: %w", text, err))
			continue
		}
		axis, err := decodeAxis(key, v.Get("axis"))
		if err != nil {
			errs.Add(fmt.Errorf("--axis %s: %w", text, err))
			continue
		}
		axis.At = pos
		at, split := -1, false
		for _, p := range axis.Paths {
			if k := g.AxisOf(p); k >= 0 {
				if !slices.Equal((*g)[k].Paths, axis.Paths) {
					split = true
					errs.Add(&configs.Error{Pos: pos, Msg: fmt.Sprintf("%s stands on the axis %q: name all its paths to replace it", p, (*g)[k].Joined())})
				}
				at = k
			}
		}
		switch {
		case split:
		case at >= 0:
			(*g)[at] = axis
		default:
			*g = append(*g, axis)
		}
	}
	if err := errs.Err(); err != nil {
		return err
	}
	if n := g.Len(); n > MaxGrid || n <= 0 {
		return fmt.Errorf("the grid has more than %d points", MaxGrid)
	}
	return nil
}
