package grid

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/configs"
)

// AxisFile stands for the file of an axis that the command line gives.
const AxisFile = "--axis"

// Extend adds axes as --axis writes them: Core.rows=16,32, or with several paths
// "Core.rows, Core.cols=16,32", or with what a sweep file has for values:
// Core.rows={from: 8, to: 64, times: 2}. One for paths that the grid has takes their place.
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
