package chart

// palette is that of pages and prints. Okabe and Ito, Color Universal Design, 2008, without
// the yellow that white swallows.
var palette = []string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8c6d31", "#7f7f7f", "#6a51a3", "#b2df8a", "#003f63"}

// Palette is the colour of the series at a place that has none of its own.
func Palette(i int) string { return palette[i%len(palette)] }

// Rounds is after how many series colours come again.
const Rounds = 11
