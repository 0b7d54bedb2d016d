package array

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Element is the operand types.
type Element interface {
	~int8 | ~int16 | ~int32 | ~float32 | ~float64
}

// Sum is the types of partial sums.
type Sum interface {
	~int32 | ~int64 | ~float32 | ~float64
}

// A Matrix is Rows x Cols elements, row by row.
type Matrix[T any] struct {
	Rows, Cols int
	Data       []T
}

// New returns a matrix of zeros.
func New[T any](rows, cols int) Matrix[T] { return Matrix[T]{rows, cols, make([]T, rows*cols)} }

// At is the element of a row and a column.
func (m Matrix[T]) At(row, col int) T { return m.Data[row*m.Cols+col] }

// Set changes an element.
func (m Matrix[T]) Set(row, col int, v T) { m.Data[row*m.Cols+col] = v }

// A Trace counts what happened during a product.
type Trace struct {
	Cycles int // from the first operand's entry until the last sum is ready
	Full   int // until every processing element had an operand at the same time; 0: never
	MACs   int // products of elements that belong to the matrices
	Skewed int // moves of values through registers at the edges of the array
}

// Flows lists the dataflows of Multiply: dip, is, os, ws.
func Flows() []string { return []string{"dip", "is", "os", "ws"} }

// Multiply returns a x b, M x K by K x N, and its Trace on an array of rows x cols elements with
// multipliers of stages pipeline stages. The stationary tile must fit: K x N for ws and dip, K x
// M for is, M x N for os. Errors are an unknown flow, sizes below 1 or that do not agree, a tile
// that does not fit, and dip on an array that is no square.
func Multiply[T Element, S Sum](flow string, rows, cols, stages int, a, b Matrix[T]) (Matrix[S], Trace, error) {
	var none Matrix[S]
	if a.Cols != b.Rows || min(a.Rows, a.Cols, b.Cols) < 1 {
		return none, Trace{}, fmt.Errorf("array: %d x %d by %d x %d", a.Rows, a.Cols, b.Rows, b.Cols)
	}
	if rows < 1 || cols < 1 || stages < 1 {
		return none, Trace{}, errors.New("array: rows, columns and stages are at least 1")
	}
	var p pattern
	held := [2]int{a.Cols, b.Cols}
	switch flow {
	case "ws":
		p = pattern{time: a.Rows}
	case "dip":
		if rows != cols {
			return none, Trace{}, fmt.Errorf("array: dip wants a square, not %d x %d", rows, cols)
		}
		p = pattern{time: a.Rows, diagonal: true}
	case "is":
		held[1] = a.Rows
		p = pattern{time: b.Cols}
	case "os":
		held[0] = a.Rows
	default:
		return none, Trace{}, fmt.Errorf("array: unknown dataflow %q (want one of: %s)", flow, strings.Join(Flows(), ", "))
	}
	if held[0] > rows || held[1] > cols {
		return none, Trace{}, fmt.Errorf("array: a tile of %d x %d on %d x %d elements", held[0], held[1], rows, cols)
	}
	c := New[S](a.Rows, b.Cols)
	if flow == "os" {
		t := stayOutputs(rows, cols, stages, a, b, c)
		return c, t, nil
	}
	if flow == "is" { // (a x b)' = b' x a', with a' held
		ct := New[S](b.Cols, a.Rows)
		t := stayOperand(rows, cols, stages, p, transpose(b), transpose(a), ct)
		return transpose(ct), t, nil
	}
	t := stayOperand(rows, cols, stages, p, a, b, c)
	return c, t, nil
}

func transpose[T any](m Matrix[T]) Matrix[T] {
	out := New[T](m.Cols, m.Rows)
	for i := range m.Rows {
		for j := range m.Cols {
			out.Set(j, i, m.At(i, j))
		}
	}
	return out
}

// A cell is a register: a value and the time step it belongs to, 0 for nothing.
type cell[T any] struct {
	v    T
	step int
}

// A lane delays values by its length.
type lane[T any] struct{ regs []cell[T] }

// push moves everything on by one register and returns what leaves; a lane of no length
// returns what enters. moved counts the registers that took a value.
func (l *lane[T]) push(in cell[T], moved *int) cell[T] {
	if len(l.regs) == 0 {
		return in
	}
	out := l.regs[len(l.regs)-1]
	copy(l.regs[1:], l.regs)
	l.regs[0] = in
	for _, r := range l.regs {
		if r.step != 0 {
			*moved++
		}
	}
	return out
}

func lanes[T any](n int, length func(i int) int) []lane[T] {
	out := make([]lane[T], n)
	for i := range out {
		out[i].regs = make([]cell[T], length(i))
	}
	return out
}

// A pattern is how inputs reach a tile that stays in the array.
type pattern struct {
	time     int  // rows of inputs that stream by
	diagonal bool // all columns at once, rotated from row to row
}

// stayOperand streams the rows of x past the tile w (K x N), whose sums go down the
// columns, into c.
func stayOperand[T Element, S Sum](rows, cols, stages int, p pattern, x, w Matrix[T], c Matrix[S]) (t Trace) {
	weight := held(rows, cols, p, w)
	ramp := func(i int) int { return i }
	flat := func(int) int { return 0 }
	back := func(j int) int { return cols - 1 - j }
	entry, exit := lanes[T](rows, ramp), lanes[S](cols, back)
	if p.diagonal {
		entry, exit = lanes[T](cols, flat), lanes[S](cols, flat)
	}
	in := make([]cell[T], rows*cols)                                 // the input that each element sees
	pipe := lanes[S](rows*cols, func(int) int { return stages - 1 }) // products on their way to the adder
	sum := make([]cell[S], rows*cols)                                // what an element hands down
	next := make([]cell[T], rows*cols)
	for cycle, left := 1, p.time; left > 0; cycle++ {
		element := func(i int) cell[T] { // element i of the row of inputs that enters now
			if cycle > p.time {
				return cell[T]{}
			}
			var v T
			if i < x.Cols {
				v = x.At(cycle-1, i)
			}
			return cell[T]{v, cycle}
		}
		moveOn(rows, cols, p, next, in, func(i int) cell[T] { return entry[i].push(element(i), &t.Skewed) })
		in, next = next, in
		if t.Full == 0 && !slices.ContainsFunc(in, func(r cell[T]) bool { return r.step == 0 }) {
			t.Full = cycle
		}
		for i := rows - 1; i >= 0; i-- { // from below: an element reads what the one above gave a cycle ago
			for j := range cols {
				e := i*cols + j
				product := cell[S]{S(in[e].v) * S(weight[e]), in[e].step}
				if k := source(i, j, rows, p); product.step != 0 && k < x.Cols && j < w.Cols {
					t.MACs++
				}
				product = pipe[e].push(product, new(int))
				above := S(0)
				if i > 0 && product.step != 0 {
					if sum[e-cols].step != product.step {
						panic(fmt.Sprintf("array: element (%d,%d) adds step %d to step %d", i, j, product.step, sum[e-cols].step))
					}
					above = sum[e-cols].v
				}
				sum[e] = cell[S]{above + product.v, product.step}
			}
		}
		done := 0
		for j := range cols {
			if out := exit[j].push(sum[(rows-1)*cols+j], &t.Skewed); out.step != 0 {
				if j < c.Cols {
					c.Set(out.step-1, j, out.v)
				}
				done++
			}
		}
		if done == cols {
			left--
		} else if done != 0 {
			panic("array: a row of sums leaves in parts")
		}
		t.Cycles = cycle
	}
	return t
}

// held is the element of w that each element of the array holds.
func held[T Element](rows, cols int, p pattern, w Matrix[T]) []T {
	weight := make([]T, rows*cols)
	for i := range rows {
		for j := range cols {
			if k := source(i, j, rows, p); k < w.Rows && j < w.Cols {
				weight[i*cols+j] = w.At(k, j)
			}
		}
	}
	return weight
}

// moveOn gives every element the input of its neighbour; enter is the next input of row i, or of
// column i where they enter from above.
func moveOn[T Element](rows, cols int, p pattern, next, in []cell[T], enter func(i int) cell[T]) {
	for i := range rows {
		for j := range cols {
			switch {
			case p.diagonal && i == 0:
				next[j] = enter(j)
			case p.diagonal:
				next[i*cols+j] = in[(i-1)*cols+(j+1)%cols]
			case j == 0:
				next[i*cols] = enter(i)
			default:
				next[i*cols+j] = in[i*cols+j-1]
			}
		}
	}
}

// source is the row of weights that element (i, j) holds.
func source(i, j, rows int, p pattern) int {
	if p.diagonal {
		return (i + j) % rows
	}
	return i
}

// stayOutputs streams both operands; every element keeps one sum, in c.
func stayOutputs[T Element, S Sum](rows, cols, stages int, a, b Matrix[T], c Matrix[S]) (t Trace) {
	ramp := func(i int) int { return i }
	left, top := lanes[T](rows, ramp), lanes[T](cols, ramp)
	x, y := make([]cell[T], rows*cols), make([]cell[T], rows*cols)
	pipe := lanes[S](rows*cols, func(int) int { return stages - 1 })
	added, all := 0, a.Cols*rows*cols
	for cycle := 1; added < all; cycle++ {
		enter := func(m Matrix[T], i int, across bool) cell[T] {
			if cycle > a.Cols {
				return cell[T]{}
			}
			var v T
			switch {
			case across && i < m.Rows:
				v = m.At(i, cycle-1)
			case !across && i < m.Cols:
				v = m.At(cycle-1, i)
			}
			return cell[T]{v, cycle}
		}
		for i := range rows {
			copy(x[i*cols+1:(i+1)*cols], x[i*cols:])
			x[i*cols] = left[i].push(enter(a, i, true), &t.Skewed)
		}
		copy(y[cols:], y)
		for j := range cols {
			y[j] = top[j].push(enter(b, j, false), &t.Skewed)
		}
		if t.Full == 0 && !slices.ContainsFunc(x, func(r cell[T]) bool { return r.step == 0 }) {
			t.Full = cycle
		}
		for e := range x {
			if x[e].step != y[e].step {
				panic(fmt.Sprintf("array: element %d multiplies step %d by step %d", e, x[e].step, y[e].step))
			}
			i, j := e/cols, e%cols
			if x[e].step != 0 && i < a.Rows && j < b.Cols {
				t.MACs++
			}
			if p := pipe[e].push(cell[S]{S(x[e].v) * S(y[e].v), x[e].step}, new(int)); p.step != 0 {
				added++
				if i < c.Rows && j < c.Cols {
					c.Set(i, j, c.At(i, j)+p.v)
				}
			}
		}
		t.Cycles = cycle
	}
	return t
}
