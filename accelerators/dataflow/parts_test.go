package dataflow

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// skewed are the dataflows whose operands wander from element to element, which twin
// follows, and whether a tile is held.
var skewed = map[string]bool{"is": true, "os": false, "ws": true}

// twin follows every processing element of a small array through folds that stream t
// operands each and use rows x cols of it, and says what each of its cycles is.
func twin(a Array, name string, folds, t, rows, cols int) (p Parts, macs int64) {
	held := skewed[name]
	for i := range a.Rows {
		for j := range a.Cols {
			skew, after := i+j, a.Rows+a.Cols-2-i-j
			for f := range folds {
				if held && (f == 0 || !a.OverlapPreload) {
					p.Fill += float64(a.Rows) // the tile is shifted in
				}
				if f == 0 || !a.OverlapDrain {
					p.Fill += float64(skew)
				}
				if i < rows && j < cols {
					p.Useful += float64(t)
					macs += int64(t)
				} else {
					p.Mapping += float64(t)
				}
				if f == folds-1 || !a.OverlapDrain {
					p.Drain += float64(after)
				}
				if short := a.Rows - t; f < folds-1 && short > 0 && a.OverlapDrain {
					switch {
					case !held:
						p.Drain += float64(short) // the results of this tile leave
					case a.OverlapPreload:
						p.Fill += float64(short) // the next tile is still loading
					}
				}
			}
		}
	}
	n := float64(a.PEs())
	return Parts{p.Useful / n, p.Mapping / n, p.Fill / n, p.Drain / n}, macs
}

func TestPartsFollowEveryElement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
		a := Array{Rows: n("rows", 9), Cols: n("cols", 9), OverlapPreload: rapid.Bool().Draw(t, "preload"), OverlapDrain: rapid.Bool().Draw(t, "drain")}
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(skewed))).Draw(t, "dataflow")
		d, _ := All.Entry(name)
		folds, stream, rows, cols := n("folds", 4), n("stream", 20), n("used rows", a.Rows), n("used cols", a.Cols)
		want, macs := twin(a, name, folds, stream, rows, cols)
		x := d.New.Timing(a)
		cycles := x.Cycles(int64(folds), int64(stream))
		got := x.Parts(cycles, int64(folds), int64(folds*stream), float64(macs)/float64(a.PEs()))
		for _, p := range [][2]float64{{want.Useful, got.Useful}, {want.Mapping, got.Mapping}, {want.Fill, got.Fill}, {want.Drain, got.Drain}, {float64(cycles), got.Total()}} {
			require.InDelta(t, p[0], p[1], 1e-9, "%s %+v: want %+v, got %+v of %d cycles", name, a, want, got, cycles)
		}
		if rows == a.Rows && cols == a.Cols {
			require.Zero(t, got.Mapping)
		}
	})
}

// Whatever the dataflow, its parts add up to the cycles and none is negative.
func TestPartsAddUp(t *testing.T) {
	for _, e := range All.Entries() {
		rapid.Check(t, func(t *rapid.T) {
			n := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
			a := Array{Rows: n("rows", 9), Cols: n("cols", 9), OverlapPreload: rapid.Bool().Draw(t, "preload"), OverlapDrain: rapid.Bool().Draw(t, "drain")}
			folds, stream := int64(n("folds", 4)), int64(n("stream", 20))
			macs := folds * stream * int64(n("used rows", a.Rows)*n("used cols", a.Cols))
			x := e.New.Timing(a)
			cycles := x.Cycles(folds, stream)
			got := x.Parts(cycles, folds, folds*stream, float64(macs)/float64(a.PEs()))
			require.InDelta(t, cycles, got.Total(), 1e-9, "%s %+v %+v", e.Name, a, got)
			require.GreaterOrEqual(t, min(got.Useful, got.Mapping, got.Fill, got.Drain), -1e-9, "%s %+v %+v", e.Name, a, got)
		})
	}
}
