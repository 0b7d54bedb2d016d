// Package profile reads tables of measured kernel times, as profilers of LLM servers
// write them, and answers for sizes between those that were measured.
//
//	layer,tokens,time_us                                  (dense layers; or layer,sequences,time_us)
//	prefill_chunk,kv_prefill,n_decode,kv_decode,time_us   (attention)
//
// Between two measured sizes the time is linear, along each axis of a table. Above the
// largest it goes on as between the two largest; below the least it is that of the least.
//
//	tokens,activated_experts,time_us                      (a mixture of experts)
//
// A batch of a server is one kernel that attends for a chunk of a prompt and for sequences
// that decode; rows with both say what they take together.
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

// A Curve is a time by one size, ascending.
type Curve struct{ Size, Time []float64 }

// At is the time at a size.
func (c *Curve) At(size float64) float64 {
	if len(c.Size) == 1 || size <= c.Size[0] {
		return c.Time[0]
	}
	i, _ := slices.BinarySearch(c.Size, size)
	i = min(max(i, 1), len(c.Size)-1)
	f := (size - c.Size[i-1]) / (c.Size[i] - c.Size[i-1])
	return c.Time[i-1] + f*(c.Time[i]-c.Time[i-1])
}

// A Surface is a time by two sizes: a curve over the second for each of the first.
type Surface struct {
	Size   []float64
	Curves []*Curve
}

// At is the time at two sizes.
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

// Dense reads a table of dense layers.
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

// Attention are the times of attention in s: of a prefill by the tokens of the chunk and
// the entries before them, of a decode by requests and entries of each. nil: none was
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

// Both is the time of one kernel for a chunk of a prompt and decodes; ok is false where
// that was not measured.
func (a *Attention) Both(chunk, before, decodes, entries float64) (s float64, ok bool) {
	if a.mixed == nil {
		return 0, false
	}
	return a.mixed.at([]float64{chunk, before, decodes, entries}), true
}

// ReadMixture reads a table of a mixture of experts: its time in s by tokens and experts
// that have some.
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

// ReadAttention reads a table of attention.
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
