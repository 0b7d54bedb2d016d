package chart

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The largest bars stay in the order of the figure; what stacks is summed up.
func TestTop(t *testing.T) {
	f := Figure{}
	f.Kind, f.Stack, f.Y.Unit, f.X.Labels = Bars, true, "cycle", []string{"a", "b", "c", "d"}
	f.Series = []Series{{Name: "x", Y: Numbers{1, 9, 2, 5}}, {Name: "y", Y: Numbers{1, 0, 1, 3}}}
	top := f.Top(2)
	require.Equal(t, []string{"b", "d", "others (2)"}, top.X.Labels)
	require.Equal(t, []Numbers{{9, 5, 3}, {0, 3, 2}}, []Numbers{top.Series[0].Y, top.Series[1].Y})
	require.Equal(t, Numbers{1, 9, 2, 5}, f.Series[0].Y, "the figure is as it was")
	f.Stack = false
	require.Equal(t, []string{"b", "d"}, f.Top(2).X.Labels, "others of what does not add up have no bar")
	require.Equal(t, f, f.Top(4))
	l := Figure{}
	l.Kind, l.Series = Lines, []Series{{Name: "low", Y: Numbers{1}}, {Name: "high", Y: Numbers{7}}, {Name: "mid", Y: Numbers{3}}}
	require.Equal(t, []Series{{Name: "high", Y: Numbers{7}}, {Name: "mid", Y: Numbers{3}}}, l.Top(2).Series)
	l = Figure{}
	l.Kind, l.Lanes, l.Slices = Lanes, []string{"a", "b"}, &Slices{Lane: []int{1, 0}, Begin: Numbers{0, 5}, Span: Numbers{1, 2}, Kind: []int{0, 0}, Name: []int{0, 0}}
	require.Equal(t, Numbers{5}, l.Top(1).Slices.Begin)
	require.Len(t, l.Slices.Lane, 2)
}

// Large values come in larger units, so that no axis has 1e7 ns.
func TestHuman(t *testing.T) {
	f := Figure{}
	f.Kind, f.X.Unit, f.Y.Unit = Lines, "ns", "GB/s"
	f.Series = []Series{{X: Numbers{0, 12e6}, Y: Numbers{5, 999}}}
	h := f.Human()
	require.Equal(t, []string{"ms", "GB/s"}, []string{h.X.Unit, h.Y.Unit})
	require.Equal(t, Numbers{0, 12}, h.Series[0].X)
	require.Equal(t, "ns", f.X.Unit, "the figure is as it was")
	require.Equal(t, Numbers{0, 12e6}, f.Series[0].X)
	f.Kind, f.Stack, f.Y.Unit, f.X = Bars, true, "pJ", Axis{Labels: []string{"a"}}
	f.Series = []Series{{Y: Numbers{600}}, {Y: Numbers{600}}}
	h = f.Human()
	require.Equal(t, "nJ", h.Y.Unit, "of the stack")
	require.InDelta(t, 0.6, h.Series[0].Y[0], 1e-12)
	l := Figure{}
	l.Kind, l.X.Unit, l.Slices = Lanes, "ns", &Slices{Begin: Numbers{2000}, Span: Numbers{500}}
	require.Equal(t, Numbers{2}, l.Human().Slices.Begin)
}

// Bars lie in print: what is seen along the bottom are their values.
func TestTitlesAndScale(t *testing.T) {
	f := Figure{}
	f.Kind = Bars
	f.Titles("seconds", "")
	require.Equal(t, "seconds", f.Y.Title)
	require.ErrorContains(t, f.Scale(true, false), "only lines and points")
	f.Kind = Lines
	require.NoError(t, f.Scale(false, true))
	require.True(t, f.Y.Log)
	require.False(t, f.X.Log)
}
