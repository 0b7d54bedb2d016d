package profile

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/configs"
)

// A cost is a row of the table.
type cost struct {
	cycles uint64
	pj     float64
}

// A key is a layer of a workload.
type key struct{ workload, layer string }

// columns of the table; the last may be left out.
var columns = []string{"machine", "workload", "layer", "cycles", "energy_nj"}

// read reads the rows of one machine. Errors have the line and column.
func read(r io.Reader, name, machine string) (map[key]cost, error) {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	head, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("%s:1:1: %w", name, err)
	}
	head = slices.Clone(head)
	index := map[string]int{}
	for i, h := range head {
		h = strings.TrimSpace(h)
		if !slices.Contains(columns, h) {
			line, col := in.FieldPos(i)
			return nil, fmt.Errorf("%s:%d:%d: unknown column %q (want: %s)", name, line, col, h, strings.Join(columns, ", "))
		}
		index[h] = i
	}
	for _, c := range columns[:4] {
		if _, ok := index[c]; !ok {
			return nil, fmt.Errorf("%s:1:1: no column %q", name, c)
		}
	}
	out, machines := map[key]cost{}, map[string]bool{}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, configs.CSVError(name, err)
		}
		at := func(column string) string {
			if i, ok := index[column]; ok {
				return strings.TrimSpace(row[i])
			}
			return ""
		}
		wrong := func(column, want string) error {
			line, col := in.FieldPos(index[column])
			return fmt.Errorf("%s:%d:%d: %s is %q (want %s)", name, line, col, column, at(column), want)
		}
		machines[at("machine")] = true
		if at("machine") != machine {
			continue
		}
		k, c := key{at("workload"), at("layer")}, cost{}
		if c.cycles, err = strconv.ParseUint(at("cycles"), 10, 48); err != nil {
			return nil, wrong("cycles", "a whole number below 2^48")
		}
		if text := at("energy_nj"); text != "" {
			if c.pj, err = strconv.ParseFloat(text, 64); err != nil || !(c.pj >= 0 && c.pj < 1e18) {
				return nil, wrong("energy_nj", "nanojoules, 0 or more")
			}
			c.pj *= 1e3
		}
		if _, ok := out[k]; ok {
			return nil, wrong("layer", "one row per layer of a workload")
		}
		out[k] = c
	}
	if len(out) == 0 {
		var names []string
		for m := range machines {
			names = append(names, m)
		}
		slices.Sort(names)
		return nil, fmt.Errorf("%s: no row of machine %q (want one of: %s)", name, machine, strings.Join(names, ", "))
	}
	return out, nil
}
