package grid

import (
	"strings"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
)

// SetPrefix begins the name of a column of settings, because a setting and a metric may have one
// name: set:Mem.bandwidth is the setting, Mem.bandwidth the metric.
const SetPrefix = "set:"

// SettingColumn returns the name of the column of a setting's text.
func SettingColumn(path string) string { return SetPrefix + path }

// QuantityColumn is the column of a setting as a number in a base unit:
// set:Mem.bandwidth [B/s].
func QuantityColumn(path, unit string) string { return SetPrefix + path + " [" + unit + "]" }

// SettingOf returns the path and the unit of a column of settings; the unit is "" for a text. ok
// is false for other columns.
func SettingOf(column string) (path, unit string, ok bool) {
	path, ok = strings.CutPrefix(column, SetPrefix)
	if head, rest, found := strings.Cut(path, " ["); ok && found && strings.HasSuffix(rest, "]") {
		return head, strings.TrimSuffix(rest, "]"), true
	}
	return path, "", ok
}

// A Column is a column of a sweep's table with the values of one setting.
type Column struct {
	stats.Column
	path     string
	at       int
	quantity bool
}

// SettingColumns returns the columns of the grid's settings: as text, and also as numbers if all
// values of a path have units of one kind.
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

// Cell returns the column's value for a point with these settings. A rate of 0 is nil, because
// 0B/s stands for something else in every key, such as no limit.
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
