package formula

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

var values = map[string]Value{
	"Core.rows": Number(32, ""), "Core.cols": Number(16, ""), "Core[2].rows": Number(8, ""),
	"Mem.bandwidth": Of("25.6GB/s"), "Core.dataflow": Of("ws"), "Core.sram.ifmap": Of("64KiB"),
	"Core.stall@layer:conv1": Number(5, ""),
}

func look(p string) (Value, bool) { v, ok := values[p]; return v, ok }

func TestConditions(t *testing.T) {
	for text, want := range map[string]bool{
		"Core.rows * Core.cols <= 512":                               true,
		"Core.rows * Core.cols < 512":                                false,
		"Core.rows*Core.cols<=4096 and Core.dataflow == \"ws\"":      true,
		"Core.dataflow != 'ws' or Core[2].rows == 8":                 true,
		"not Core.rows > 31":                                         false,
		"not (Core.rows > 31 and Core.cols > 31)":                    true,
		"Mem.bandwidth >= 25600MB/s":                                 true,
		"Mem.bandwidth > 25.6GB/s":                                   false,
		"Core.sram.ifmap == 65536B":                                  true,
		"Core.sram.ifmap / 2 <= 32KiB":                               true,
		"Core.rows - 2 - 2 == 28":                                    true,
		"Core.rows/2/2==8":                                           true,
		"2 + 3 * 4 == 14":                                            true,
		"-Core.rows + 40 == 8":                                       true,
		"Core.rows % 12 == 8":                                        true,
		"Core.stall@layer:conv1 < 6":                                 true,
		"Core.rows <= 32 or Core.rows <= 1 and Core.rows == 0":       true,
		"(Core.rows <= 32 or Core.rows <= 1) and Core.rows == 0":     false,
		"Core.sram.ifmap / 1KiB == 64":                               true,
		"Core.rows == 3.2e1":                                         true,
		"Mem.bandwidth / Core.rows == 0.8GB/s":                       true,
		"Core.rows >= 32 and Core.cols >= 16 and Core.rows != 31":    true,
		"Core.rows == Core.cols or Core.rows == 2 * Core.cols":       true,
		"not Core.dataflow == \"os\" and not Core.dataflow == \"x\"": true,
	} {
		f, err := Parse(text)
		require.NoError(t, err, text)
		require.True(t, f.Condition(), text)
		v, err := f.Eval(look)
		require.NoError(t, err, text)
		require.Equal(t, want, v.Holds(), text)
	}
}

// How far a constraint is from holding is what a search orders designs by.
func TestMiss(t *testing.T) {
	for text, want := range map[string]float64{
		"Core.rows <= 16": 1, "Core.rows <= 32": 0, "Core.rows >= 64": 0.5,
		"Core.rows <= 16 and Core.cols <= 8": 2, "Core.rows <= 16 or Core.cols <= 12.8": 0.25,
	} {
		f, err := Parse(text)
		require.NoError(t, err)
		v, err := f.Eval(look)
		require.NoError(t, err)
		require.InDelta(t, want, v.X, 1e-9, text)
	}
}

// Faults stand where they are.
func TestFaults(t *testing.T) {
	for text, want := range map[string]Error{
		"Core.rows <= ":                  {13, "the end where a number, a path, a \"text\" or ( was expected"},
		"Core.rows 4":                    {10, "4 where an operator or the end was expected"},
		"(Core.rows < 4":                 {14, "the end where the ) of the ( at 1 was expected"},
		"1 < Core.rows < 4":              {14, "< after a comparison: want and between two (a < b and b < c)"},
		"Core.rows < 4XB":                {12, "\"4XB\" is no number with a unit such as 16, 16KiB, 25.6GB/s or 150ns"},
		"Core.rows < 'x":                 {12, "a quote without its end"},
		"Core.raws < 4":                  {0, "Core.raws has no value"},
		"Core.rows < \"x\"":              {10, "< cannot stand between 32 and \"x\""},
		"Core.rows and Core.cols":        {10, "and joins conditions, and not 32 and 16"},
		"Mem.bandwidth < 4KiB":           {14, "< cannot stand between 2.56e+10B/s and 4096B: their units differ"},
		"Core.rows / (Core.cols-16) > 1": {10, "division of 32 by zero"},
		"not Core.rows":                  {0, "not cannot stand in front of 32"},
		"- 'x' == 1":                     {0, "- cannot stand in front of \"x\""},
	} {
		f, err := Parse(text)
		if err == nil {
			_, err = f.Eval(look)
		}
		var e *Error
		require.True(t, errors.As(err, &e), text)
		require.Equal(t, want, *e, text)
	}
	_, err := Parse("Core.rows ; 4")
	require.ErrorContains(t, err, `";" means nothing here`)
}

func FuzzParse(f *testing.F) {
	f.Add("a.b * 3 <= 4KiB and not (c == 'x')")
	f.Add("((((-1")
	f.Fuzz(func(t *testing.T, s string) {
		if g, err := Parse(s); err == nil {
			_, _ = g.Eval(look)
			g.Names()
		}
	})
}
