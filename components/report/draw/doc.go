// Package draw prints charts of components/report/chart for papers: SVG and PDF, byte by
// byte the same for the same chart, one palette, axes of SI numbers, and the legend
// beside the data. Letters are in the file: of Liberation Serif, whose license is
// LICENSE-SIL, a PDF has the font and an SVG the outlines of what it says.
package draw
