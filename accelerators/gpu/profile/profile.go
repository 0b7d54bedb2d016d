// Package profile reads CSV tables of measured kernel times, as profilers of LLM servers write them,
// and interpolates between the measured sizes.
//
//	layer,tokens,time_us                                  Dense: layers by tokens
//	layer,sequences,time_us                               Dense: layers by sequences
//	prefill_chunk,kv_prefill,n_decode,kv_decode,time_us   ReadAttention
//	tokens,activated_experts,time_us                      ReadMixture: a mixture of experts
//
// Tables have microseconds; functions return seconds. A time is interpolated linearly along each size
// of a table. Above the largest size the slope of the last two sizes goes on. Below the smallest size
// the time is that of the smallest.
//
// In a row of attention with a chunk and with decodes, one kernel attends for both. Attention.Both
// returns its time.
//
// Left out: kernels that were not measured, which other rules of the GPU price.
package profile

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/configs"
)

// A Curve has the times in s of the sizes in Size, which ascend.
type Curve struct{ Size, Time []float64 }

// At interpolates the time in s at a size.
func (c *Curve) At(size float64) float64 {
	if len(c.Size) == 1 || size <= c.Size[0] {
		return c.Time[0]
	}
	i, _ := slices.BinarySearch(c.Size, size)
	i = min(max(i, 1), len(c.Size)-1)
	f := (size - c.Size[i-1]) / (c.Size[i] - c.Size[i-1])
	return c.Time[i-1] + f*(c.Time[i]-c.Time[i-1])
}

// A Surface has times by two sizes: for each first size, a Curve over the second size.
type Surface struct {
	Size   []float64
	Curves []*Curve
}

// At interpolates the time in s at two sizes.
func (s *Surface) At(first, second float64) float64 {
	c := Curve{Size: s.Size, Time: make([]float64, len(s.Curves))}
	for i, x := range s.Curves {
		c.Time[i] = x.At(second)
	}
	return c.At(first)
}

// A row is one line of a table.
type row struct {
	layer string
	sizes []float64
	us    float64
}

// read reads lines under a header: the first of the columns is a name if it is layer.
func read(file string, data []byte, headers ...[]string) ([]row, error) {
	c := csv.NewReader(bytes.NewReader(data))
	c.TrimLeadingSpace, c.Comment, c.ReuseRecord = true, '#', true
	fail := func(cell int, format string, a ...any) error {
		line, col := 1, 1
		if c.InputOffset() > 0 {
			line, col = c.FieldPos(cell)
		}
		return &configs.Error{Pos: configs.Pos{File: file, Line: line, Col: col}, Msg: fmt.Sprintf(format, a...)}
	}
	head, err := c.Read()
	var want []string
	for _, h := range headers {
		want = append(want, strings.Join(h, ","))
	}
	if err != nil || !slices.ContainsFunc(headers, func(h []string) bool { return slices.Equal(h, head) }) {
		return nil, &configs.Error{Pos: configs.Pos{File: file, Line: 1, Col: 1}, Msg: fmt.Sprintf("the columns are %q", strings.Join(head, ",")), Want: want}
	}
	named := head[0] == "layer"
	var out []row
	for {
		cells, err := c.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, &configs.Error{Pos: configs.Pos{File: file}, Msg: err.Error()}
		}
		var r row
		for i, x := range cells {
			if i == 0 && named {
				r.layer = strings.Clone(x)
				continue
			}
			v, err := strconv.ParseFloat(x, 64)
			last := i == len(cells)-1
			if err != nil || !(v >= 0 && v < 1e15) || last && v == 0 {
				return nil, fail(i, "%q is no size and no time", x)
			}
			if last {
				r.us = v
			} else {
				r.sizes = append(r.sizes, v)
			}
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		return nil, fail(0, "the table has no rows")
	}
	return out, nil
}

// Dense reads a table of dense layers and returns a Curve for each name of a layer. file is the name
// of the file in errors.
func Dense(file string, data []byte) (map[string]*Curve, error) {
	rows, err := read(file, data, []string{"layer", "tokens", "time_us"}, []string{"layer", "sequences", "time_us"})
	if err != nil {
		return nil, err
	}
	by := map[string]map[float64]float64{}
	for _, r := range rows {
		if by[r.layer] == nil {
			by[r.layer] = map[float64]float64{}
		}
		if _, twice := by[r.layer][r.sizes[0]]; twice {
			return nil, &configs.Error{Pos: configs.Pos{File: file}, Msg: fmt.Sprintf("layer %s has two times of %g", r.layer, r.sizes[0])}
		}
		by[r.layer][r.sizes[0]] = r.us
	}
	out := map[string]*Curve{}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		out[name] = curve(by[name])
	}
	return out, nil
}

func curve(times map[float64]float64) *Curve {
	c := &Curve{Size: slices.Sorted(maps.Keys(times))}
	for _, x := range c.Size {
		c.Time = append(c.Time, times[x]*1e-6)
	}
	return c
}

// Attention has times of attention in s. Prefill is by the tokens of a chunk and by the KV entries
// before it. Decode is by the number of requests and by the KV entries of each. A nil Surface was not
// measured.
type Attention struct {
	Prefill, Decode *Surface
	mixed           *tree
}

// A tree is a time by several sizes: for each value of the first a tree over the others.
type tree struct {
	size []float64
	sub  []*tree // nil: the leaves
	time []float64
}

// add puts a time at its sizes.
func (t *tree) add(sizes []float64, s float64) {
	i, known := slices.BinarySearch(t.size, sizes[0])
	last := len(sizes) == 1
	if !known {
		t.size = slices.Insert(t.size, i, sizes[0])
		if last {
			t.time = slices.Insert(t.time, i, s)
		} else {
			t.sub = slices.Insert(t.sub, i, &tree{})
		}
	}
	if !last {
		t.sub[i].add(sizes[1:], s)
	} else {
		t.time[i] = s
	}
}

// at is the time at sizes, linear between neighbours as a Curve's.
func (t *tree) at(sizes []float64) float64 {
	value := func(i int) float64 {
		if len(sizes) == 1 {
			return t.time[i]
		}
		return t.sub[i].at(sizes[1:])
	}
	if len(t.size) == 1 || sizes[0] <= t.size[0] {
		return value(0)
	}
	i, exact := slices.BinarySearch(t.size, sizes[0])
	if exact {
		return value(i)
	}
	i = min(max(i, 1), len(t.size)-1)
	f := (sizes[0] - t.size[i-1]) / (t.size[i] - t.size[i-1])
	low := value(i - 1)
	return low + f*(value(i)-low)
}

// Both interpolates the time in s of one kernel that attends for a chunk of a prompt, after before KV
// entries, and for decodes with entries KV entries each. ok is false if no such row was measured.
func (a *Attention) Both(chunk, before, decodes, entries float64) (s float64, ok bool) {
	if a.mixed == nil {
		return 0, false
	}
	return a.mixed.at([]float64{chunk, before, decodes, entries}), true
}

// ReadMixture reads a table of a mixture of experts: its time in s by tokens and by the number of
// experts that get tokens.
func ReadMixture(file string, data []byte) (*Surface, error) {
	rows, err := read(file, data, []string{"tokens", "activated_experts", "time_us"})
	if err != nil {
		return nil, err
	}
	times := map[float64]map[float64]float64{}
	for _, r := range rows {
		if times[r.sizes[0]] == nil {
			times[r.sizes[0]] = map[float64]float64{}
		}
		times[r.sizes[0]][r.sizes[1]] = r.us
	}
	return surface(times), nil
}

// ReadAttention reads a table of attention. file is the name of the file in errors.
func ReadAttention(file string, data []byte) (*Attention, error) {
	rows, err := read(file, data, []string{"prefill_chunk", "kv_prefill", "n_decode", "kv_decode", "time_us"})
	if err != nil {
		return nil, err
	}
	prefill, decode := map[float64]map[float64]float64{}, map[float64]map[float64]float64{}
	var mixed *tree
	for _, r := range rows {
		at, x, y := decode, r.sizes[2], r.sizes[3]
		switch {
		case r.sizes[0] > 0 && r.sizes[2] > 0:
			if mixed == nil {
				mixed = &tree{}
			}
			mixed.add(r.sizes, r.us*1e-6)
			continue
		case r.sizes[0] > 0:
			at, x, y = prefill, r.sizes[0], r.sizes[1]
		}
		if at[x] == nil {
			at[x] = map[float64]float64{}
		}
		at[x][y] = r.us
	}
	return &Attention{surface(prefill), surface(decode), mixed}, nil
}

func surface(times map[float64]map[float64]float64) *Surface {
	if len(times) == 0 {
		return nil
	}
	s := &Surface{Size: slices.SortedFunc(maps.Keys(times), cmp.Compare[float64])}
	for _, x := range s.Size {
		s.Curves = append(s.Curves, curve(times[x]))
	}
	return s
}
