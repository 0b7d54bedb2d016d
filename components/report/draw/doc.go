// Package draw prints charts of components/report/chart for papers: SVG and PDF, byte by
// byte the same for the same chart, one palette, axes of SI numbers, and the legend
// beside the data.
package draw
