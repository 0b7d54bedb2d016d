// Package chart says what a figure shows, as data: bars, lines, points, a heat map,
// slices in lanes, a drawing of a system. A chart knows neither a page nor a file format.
// components/report/panel makes charts of results, components/report/page shows them in a
// browser, components/report/draw prints them.
//
// Numbers are in base units (ns, B, pJ, cycle); who shows a chart scales them.
package chart
