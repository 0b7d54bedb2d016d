package operator

import (
	"slices"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Decode reads the rows of a list in a configuration.
func Decode(list configs.Value) ([]Row, error) {
	var errs configs.Errors
	var rows []Row
	known := columns()
	count, names := map[string]int{}, map[string]bool{}
	if len(list.Items()) == 0 {
		return nil, list.Errorf(nil, "the list has no rows")
	}
	for _, v := range list.Items() {
		row, err := decode(v, known)
		errs.Add(err)
		if err != nil {
			continue
		}
		row.nameAfter(count)
		if names[row.Name] {
			errs.Add(v.Place("name").Errorf(nil, "a row is called %q already", row.Name))
		}
		names[row.Name] = true
		for _, f := range row.check() {
			at := v.Get(f.column)
			if !at.Exists() {
				at = v
			}
			e := at.Errorf(f.want, "%s", f.text)
			if f.column == "op" && f.want != nil {
				e.Nearest = configs.Nearest(row.Op, f.want)
			}
			errs.Add(e)
		}
		rows = append(rows, row)
	}
	return rows, errs.Err()
}

func decode(v configs.Value, known []string) (Row, error) {
	row := Row{Sizes: map[string]int{}}
	if v.Kind() != configs.Map {
		return row, v.Errorf(nil, "a row is a mapping with op: and its sizes")
	}
	var errs configs.Errors
	for _, key := range v.Keys() {
		x := v.Get(key)
		if !slices.Contains(known, key) {
			errs.Add(v.UnknownKey(key, known))
			continue
		}
		switch key {
		case "tags":
		case measured:
			if text := checkMeasured(x.Text()); text != "" {
				errs.Add(x.Errorf(nil, "%s", text))
			}
		case "name", "op", "dtype", "weight_dtype", "kv_dtype":
			s, err := x.String()
			errs.Add(err)
			switch {
			case err != nil:
			case key == "name":
				row.Name = s
			case key == "op":
				row.Op = s
			default:
				if row.setType(key, s) != nil {
					errs.Add(x.Errorf(graph.DTypeNames(), "unknown data type %q", s))
				}
			}
		case distribution:
			law, ok := lawOf(x.Text())
			if row.Sizes[distribution] = law; !ok {
				text, want := lawFault(x.Text())
				errs.Add(x.Errorf(want, "%s", text))
			}
		default:
			if on, err := x.Bool(); err == nil && flag[key] {
				row.Sizes[key] = bit(on)
				continue
			}
			n, err := x.Int()
			if err != nil && flag[key] {
				err = x.Errorf(nil, "%s is %q (want true or false)", key, x.Text())
			}
			errs.Add(err)
			row.Sizes[key] = int(n)
		}
	}
	if row.Op == "" && len(errs) == 0 {
		errs.Add(v.Errorf(Names(), "the row names no operator"))
	}
	return row, errs.Err()
}
