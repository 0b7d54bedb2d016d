package chart

import (
	"math"
	"strconv"
)

// A Kind is the shape of a chart.
type Kind string

// The kinds, and which fields of a Chart they use.
const (
	Bars     Kind = "bars"     // X.Labels; Series of Y; Stack, Across
	Lines    Kind = "lines"    // Series of X, Y and Half; Marks
	Points   Kind = "points"   // Series of X, Y, Size and Labels; those with Line are lines
	Heat     Kind = "heat"     // X.Labels, Y.Labels, Cells
	Lanes    Kind = "lanes"    // Lanes, Slices; X is time
	Net      Kind = "net"      // Nodes at X, Y and Edges that Value colours
	Boxes    Kind = "boxes"    // Nodes in columns (X) and places (Y) and Edges
	Parallel Kind = "parallel" // Dims; the last one colours
)

// A Figure is a chart with what is said about it.
type Figure struct {
	Name  string `json:"name"` // unique on a page; lower case and dashes
	Title string `json:"title"`
	Note  string `json:"note,omitempty"` // what is seen, and what is left out
	Wide  bool   `json:"wide,omitempty"` // needs the width of the page
	Chart
}

// A Chart is the data of a figure.
type Chart struct {
	Kind   Kind     `json:"kind"`
	X      Axis     `json:"x"`
	Y      Axis     `json:"y"`
	Value  Axis     `json:"value"` // what colours: of Heat, Net
	Series []Series `json:"series,omitempty"`
	Stack  bool     `json:"stack,omitempty"`  // bars stand on each other
	Across bool     `json:"across,omitempty"` // bars lie
	Cells  []Cell   `json:"cells,omitempty"`
	Marks  []Mark   `json:"marks,omitempty"`
	Lanes  []string `json:"lanes,omitempty"`
	Until  float64  `json:"until,omitempty"` // of the X axis, shown at first from its begin, in percent; 0: all
	Slices *Slices  `json:"slices,omitempty"`
	Nodes  []Node   `json:"nodes,omitempty"`
	Edges  []Edge   `json:"edges,omitempty"`
	Dims   []Dim    `json:"dims,omitempty"`
	Points []string `json:"points,omitempty"` // names of the lines of parallel coordinates
}

// An Axis is what runs along a side of a chart.
type Axis struct {
	Name   string   `json:"name,omitempty"`
	Title  string   `json:"-"`              // in place of name and unit, in print
	Unit   string   `json:"unit,omitempty"` // of package stats
	Log    bool     `json:"log,omitempty"`
	Labels []string `json:"labels,omitempty"` // of an axis of names
	Min    *float64 `json:"min,omitempty"`
	Max    *float64 `json:"max,omitempty"`
}

// A Series is one colour of a chart. Its columns are of equal length; those that the kind
// of the chart does not use are nil.
type Series struct {
	Name   string   `json:"name"`
	Color  string   `json:"color,omitempty"` // #rrggbb; "" is the palette's next
	X      Numbers  `json:"x,omitempty"`
	Y      Numbers  `json:"y,omitempty"`
	Half   Numbers  `json:"half,omitempty"`   // half of the 95% interval of Y
	Size   Numbers  `json:"size,omitempty"`   // of the dot: its area
	Labels []string `json:"labels,omitempty"` // of the dot, when the mouse is on it
	Tags   int      `json:"tags,omitempty"`   // the first so many dots carry their label
	Line   bool     `json:"line,omitempty"`   // a line among dots
	Area   bool     `json:"area,omitempty"`   // filled to the axis
	Step   bool     `json:"step,omitempty"`
	Dash   bool     `json:"dash,omitempty"`
}

// A Cell is a value of a heat map, at indices of the labels of the axes.
type Cell struct {
	X, Y  int
	Value float64
}

// MarshalJSON implements json.Marshaler: a list of three.
func (c Cell) MarshalJSON() ([]byte, error) {
	b := append(strconv.AppendInt([]byte{'['}, int64(c.X), 10), ',')
	b = append(strconv.AppendInt(b, int64(c.Y), 10), ',')
	return append(appendNumber(b, c.Value), ']'), nil
}

// A Mark is a line across the chart at a place of the X axis.
type Mark struct {
	At   float64 `json:"at"`
	Text string  `json:"text"`
}

// Slices are tasks in lanes, a column each.
type Slices struct {
	Lane  []int    `json:"lane"`
	Begin Numbers  `json:"begin"`
	Span  Numbers  `json:"span"`
	Kind  []int    `json:"kind"` // of Kinds
	Name  []int    `json:"name"` // of Names
	Kinds []string `json:"kinds"`
	Names []string `json:"names"`
	// Colors of the kinds; none: the palette's.
	Colors []string `json:"colors,omitempty"`
}

// A Node is a place of a drawing.
type Node struct {
	Name  string   `json:"name"`
	Lines []string `json:"lines,omitempty"` // under the name
	Group string   `json:"group,omitempty"` // colours
	X     float64  `json:"x"`
	Y     float64  `json:"y"`
}

// An Edge joins two nodes.
type Edge struct {
	From  int     `json:"from"`
	To    int     `json:"to"`
	Text  string  `json:"text,omitempty"`
	Value float64 `json:"value"`
	Bend  float64 `json:"bend,omitempty"` // how far the line leaves the straight one
}

// A Dim is an axis of parallel coordinates.
type Dim struct {
	Name   string   `json:"name"`
	Unit   string   `json:"unit,omitempty"`
	Labels []string `json:"labels,omitempty"` // then Values are indices
	Values Numbers  `json:"values"`
}

// Numbers are values of a column; NaN is none. In JSON they have seven digits: a figure
// shows no more, and files have them all.
type Numbers []float64

// MarshalJSON implements json.Marshaler.
func (n Numbers) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, v := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendNumber(b, v)
	}
	return append(b, ']'), nil
}

func appendNumber(b []byte, v float64) []byte {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return append(b, "null"...)
	case v == math.Trunc(v) && math.Abs(v) < 1e7:
		return strconv.AppendInt(b, int64(v), 10)
	}
	s := strconv.FormatFloat(v, 'g', 7, 64)
	return append(b, s...)
}
