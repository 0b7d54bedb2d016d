package grid

import (
	"strings"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
)

// SetPrefix begins the name of a column that holds a setting, which may be called
// like a metric: set:Mem.bandwidth is what was asked for, Mem.bandwidth what came
// of it.
const SetPrefix = "set:"

// SettingColumn is the column of a setting's text.
func SettingColumn(path string) string { return SetPrefix + path }

// QuantityColumn is the column of a setting as a number in a base unit:
// set:Mem.bandwidth [B/s].
func QuantityColumn(path, unit string) string { return SetPrefix + path + " [" + unit + "]" }

// SettingOf is the path that a column of settings is of, and its unit: "" for the
// text. ok is false for other columns.
func SettingOf(column string) (path, unit string, ok bool) {
	path, ok = strings.CutPrefix(column, SetPrefix)
	if head, rest, found := strings.Cut(path, " ["); ok && found && strings.HasSuffix(rest, "]") {
		return head, strings.TrimSuffix(rest, "]"), true
	}
	return path, "", ok
}

// A Column is a column of the table of a sweep that comes from setting at
// of its points.
type Column struct {
	stats.Column
	path     string
	at       int
	quantity bool
}

// SettingColumns are the settings of the grid as text and, where all values of one
// have a unit of one kind, as numbers.
func (g Grid) SettingColumns() (out []Column) {
	at := 0
	for _, a := range g {
		for k, path := range a.Paths {
			out = append(out, Column{Column: stats.Column{Name: SettingColumn(path), Text: "Value set."}, path: path, at: at})
			if unit := a.unit(k); unit != "" {
				c := stats.Column{Name: QuantityColumn(path, unit), Text: "The same in " + unit + "."}
				out = append(out, Column{Column: c, path: path, at: at, quantity: true})
			}
			at++
		}
	}
	return out
}

// unit is the base unit of all values of path k, "" if they have none in common.
func (a Axis) unit(k int) string {
	common := ""
	for i, v := range a.Values {
		_, unit, ok := units.SI(v[k])
		if !ok || i > 0 && unit != common {
			return ""
		}
		common = unit
	}
	return common
}

// Cell is the column's value of a point with these settings. No rate is 0: where a key
// takes 0B/s it stands for something else (no limit, that of the link), which is no
// number; nil.
func (c Column) Cell(set []string) any {
	_, v, _ := strings.Cut(set[c.at], "=")
	if !c.quantity {
		return v
	}
	x, unit, _ := units.SI(v)
	if x == 0 && strings.HasSuffix(unit, "/s") {
		return nil
	}
	return x
}
